#include "prepared.hpp"

#include <utility>

namespace odsgd::cpu {
dnnl::memory movable(const Context& context, const dnnl::memory::desc& desc) {
  return {desc, context.engine, DNNL_MEMORY_NONE};
}

void point(dnnl::memory& memory, const float* floats) {
  void* handle = const_cast<float*>(floats);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  const dnnl_status_t status = dnnl_memory_set_data_handle(memory.get(), handle);
  ODSGD_REQUIRE(status == dnnl_success, "dnnl_memory_set_data_handle: got status {}, want 0",
                static_cast<int>(status));
}

Prepared::Prepared(const Context& context, std::string what, dnnl::primitive primitive,
                   const dnnl::memory::desc& scratchpad, std::vector<Argument> arguments)
    : what_(std::move(what)),
      primitive_(std::move(primitive)),
      stream_(context.stream.get()),
      owners_(std::move(arguments)) {
  owners_.push_back({DNNL_ARG_SCRATCHPAD, dnnl::memory(scratchpad, context.engine)});
  for (const Argument& a : owners_) arguments_.push_back({a.index, a.memory.get()});
}

void Prepared::run() const {
  const dnnl_status_t status = dnnl_primitive_execute(
      primitive_.get(), stream_, static_cast<int>(arguments_.size()), arguments_.data());
  ODSGD_REQUIRE(status == dnnl_success, "{}: dnnl_primitive_execute: got status {}, want 0", what_,
                static_cast<int>(status));
}

dnnl::primitive_attr own_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

Prepared make_reorder(const Context& context, const dnnl::memory& from, const dnnl::memory& to) {
  const dnnl::reorder::primitive_desc desc(context.engine, from.get_desc(), context.engine,
                                           to.get_desc(), own_scratchpad());
  return {context,
          "reorder",
          dnnl::reorder(desc),
          desc.scratchpad_desc(),
          {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}};
}

Adapter::Adapter(const Context& context, const dnnl::memory::desc& outside,
                 const dnnl::memory::desc& inside)
    : outside_(movable(context, outside)) {
  if (outside == inside) {
    inside_ = outside_;
    return;
  }
  inside_ = dnnl::memory(inside, context.engine);
  load_.emplace(make_reorder(context, outside_, inside_));
  store_.emplace(make_reorder(context, inside_, outside_));
}

void Adapter::bind(const float* outside) { point(outside_, outside); }

void Adapter::load() const {
  if (load_) load_->run();
}

void Adapter::store() const {
  if (store_) store_->run();
}

}  // namespace odsgd::cpu
