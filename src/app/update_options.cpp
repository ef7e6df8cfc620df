#include "update_options.hpp"

namespace odsgd {
namespace {

void add(OptionList& list, const char* name, double value) { list.emplace_back(name, value); }
void add(OptionList& list, const char* name, std::int64_t value) { list.emplace_back(name, value); }
void add(OptionList& list, const char* name, const std::string& value) {
  list.emplace_back(name, value);
}
template <class T>
void add(OptionList& list, const char* name, const std::optional<T>& value) {
  if (value) add(list, name, *value);
}

}  // namespace

OptionList list_update_options(const UpdateOptions& o) {
  OptionList list;
  add(list, "algorithm", o.algorithm);
  add(list, "preset", o.preset);
  add(list, "lr", o.lr);
  add(list, "momentum", o.momentum);
  add(list, "weight-decay", o.weight_decay);
  add(list, "optimizer", o.optimizer);
  add(list, "lars-trust", o.lars_trust);
  add(list, "clip-value", o.clip_value);
  add(list, "clip-norm", o.clip_norm);
  add(list, "lr-schedule", o.lr_schedule);
  if (!o.lr_steps.empty()) add(list, "lr-steps", o.lr_steps);
  add(list, "lr-factor", o.lr_factor);
  add(list, "lr-power", o.lr_power);
  add(list, "lr-warmup-steps", o.lr_warmup_steps);
  add(list, "lr-scaling", o.lr_scaling);
  add(list, "lr-base-batch", o.lr_base_batch);
  add(list, "local-rule", o.local_rule);
  add(list, "local-lr", o.local_lr);
  add(list, "local-momentum", o.local_momentum);
  add(list, "local-lr-schedule", o.local_lr_schedule);
  add(list, "local-lr-steps", o.local_lr_steps);
  add(list, "local-lr-counts", o.local_lr_counts);
  add(list, "local-scale", o.local_scale);
  add(list, "warmup-steps", o.warmup_steps);
  add(list, "lambda", o.lambda);
  add(list, "lambda-rule", o.lambda_rule);
  add(list, "dc-reference", o.dc_reference);
  add(list, "dc-decay", o.dc_decay);
  add(list, "staleness", o.staleness);
  add(list, "delay-steps", o.delay_steps);
  add(list, "glu-alpha", o.glu_alpha);
  add(list, "glu-beta", o.glu_beta);
  add(list, "threshold", o.threshold);
  add(list, "correction-steps", o.correction_steps);
  add(list, "local-steps", o.local_steps);
  add(list, "outer-lr", o.outer_lr);
  add(list, "outer-momentum", o.outer_momentum);
  add(list, "elastic-alpha", o.elastic_alpha);
  return list;
}

}  // namespace odsgd
