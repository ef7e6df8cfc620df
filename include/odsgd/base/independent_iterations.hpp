#pragma once

// In front of a loop whose iterations do not depend on each other: where the compiler cannot see
// that ranges are the same memory or apart, it makes vectors of it without asking at run time.
#if defined(__clang__)
#define ODSGD_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define ODSGD_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define ODSGD_INDEPENDENT_ITERATIONS
#endif
