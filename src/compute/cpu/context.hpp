#pragma once

#include <fmt/format.h>

#include <dnnl.hpp>
#include <string>

#include "odsgd/base/error.hpp"
#include "odsgd/compute/shape.hpp"

namespace odsgd::cpu {

/// What the ops of one backend share: oneDNN's engine and stream, and the number of threads.
struct Context {
  explicit Context(int thread_count);

  dnnl::engine engine;
  dnnl::stream stream;
  int threads;
};

/// Sets up the calling thread for an op and puts it back afterwards.
///
/// oneDNN splits work by the caller's OpenMP thread count, which must be the same when a primitive
/// is made and whenever it runs. Denormals count as zero meanwhile: they carry no information in
/// training, and cost a hundred times a normal number on some processors.
class Scope {
 public:
  explicit Scope(const Context& context);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  int threads_;
  unsigned float_control_;
};

/// The layout of activations: channels last, which oneDNN takes for any number of channels without
/// padding them.
dnnl::memory::desc activations(const TensorShape& shape);

/// A tensor as the caller keeps it, row-major.
dnnl::memory::desc plain(const dnnl::memory::dims& dims);

/// As plain(), with the layout left to oneDNN.
dnnl::memory::desc any_layout(const dnnl::memory::dims& dims);

inline void check_size(const char* what, std::size_t got, std::size_t want) {
  ODSGD_REQUIRE(got == want, "{}: got {} floats, want {}", what, got, want);
}

/// Runs `make`, which calls oneDNN's C++ API, and turns its exceptions into Error.
template <class Make>
auto checked(const std::string& what, Make&& make) {
  try {
    return make();
  } catch (const dnnl::error& e) {
    fail("{}: oneDNN says '{}' (status {})", what, e.what(), static_cast<int>(e.status));
  }
}

}  // namespace odsgd::cpu
