#pragma once

#include <dnnl.hpp>
#include <optional>
#include <string>
#include <vector>

#include "context.hpp"

namespace odsgd::cpu {

/// Memory that the caller points somewhere before every run.
dnnl::memory movable(const Context& context, const dnnl::memory::desc& desc);

/// Points memory at floats of the caller. oneDNN's handles are not const; what a primitive has as
/// its input it only reads.
void point(dnnl::memory& memory, const float* floats);

/// A primitive with all its arguments and its scratchpad; a run allocates nothing of our own.
class Prepared {
 public:
  struct Argument {
    int index;
    dnnl::memory memory;
  };

  /// `scratchpad` is what the primitive's descriptor asks for, under scratchpad_mode::user.
  Prepared(const Context& context, std::string what, dnnl::primitive primitive,
           const dnnl::memory::desc& scratchpad, std::vector<Argument> arguments);

  /// Throws Error when oneDNN reports a failure.
  void run() const;

 private:
  std::string what_;
  dnnl::primitive primitive_;
  dnnl_stream_t stream_;
  std::vector<Argument> owners_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

/// The attributes that every primitive here is made with.
dnnl::primitive_attr own_scratchpad();

/// Copies `from` into `to`, changing the layout.
Prepared make_reorder(const Context& context, const dnnl::memory& from, const dnnl::memory& to);

/// A caller's tensor in its `outside` layout as a primitive's argument in its `inside` layout:
/// reordered through memory of its own, or used where it is when the layouts agree.
class Adapter {
 public:
  Adapter(const Context& context, const dnnl::memory::desc& outside,
          const dnnl::memory::desc& inside);

  const dnnl::memory& inside() const { return inside_; }

  void bind(const float* outside);  ///< before load() or store(), and before the primitive runs
  void load() const;                ///< outside to inside, before the primitive runs
  void store() const;               ///< inside to outside, after it has run

 private:
  dnnl::memory outside_;
  dnnl::memory inside_;
  std::optional<Prepared> load_;
  std::optional<Prepared> store_;
};

}  // namespace odsgd::cpu
