#include "context.hpp"

#include <omp.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace odsgd::cpu {
namespace {

#if defined(__SSE2__)
unsigned float_control() { return _mm_getcsr(); }
void set_float_control(unsigned value) { _mm_setcsr(value); }
constexpr unsigned kFlushDenormals = 0x8040;  // FTZ and DAZ
#else
unsigned float_control() { return 0; }
void set_float_control(unsigned /*value*/) {}
constexpr unsigned kFlushDenormals = 0;
#endif

}  // namespace

Context::Context(int thread_count)
    : engine(dnnl::engine::kind::cpu, 0), stream(engine), threads(thread_count) {}

Scope::Scope(const Context& context)
    : threads_(omp_get_max_threads()), float_control_(float_control()) {
  omp_set_num_threads(context.threads);
  set_float_control(float_control_ | kFlushDenormals);
  if (context.threads > 1) {  // the flags are the thread's own: helpers need them too
#pragma omp parallel
    set_float_control(float_control() | kFlushDenormals);
  }
}

Scope::~Scope() {
  omp_set_num_threads(threads_);
  set_float_control(float_control_);
}

dnnl::memory::desc activations(const TensorShape& shape) {
  return {{shape.n, shape.c, shape.h, shape.w},
          dnnl::memory::data_type::f32,
          dnnl::memory::format_tag::nhwc};
}

dnnl::memory::desc plain(const dnnl::memory::dims& dims) {
  using Tag = dnnl::memory::format_tag;
  const Tag tag = dims.size() == 4 ? Tag::abcd : dims.size() == 2 ? Tag::ab : Tag::a;
  return {dims, dnnl::memory::data_type::f32, tag};
}

dnnl::memory::desc any_layout(const dnnl::memory::dims& dims) {
  return {dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

}  // namespace odsgd::cpu
