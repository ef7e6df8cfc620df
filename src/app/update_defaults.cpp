// What update options are when nobody says: the values that worked best here, or those of the
// papers' authors (docs/algorithms.md names the sources).
#include <map>

#include "update_options.hpp"

namespace odsgd {
namespace {

template <class T, class U>
void fill(std::optional<T>& option, const U& value) {
  if (!option) option = value;
}

/// The settings that the authors of each rule publish.
void fill_paper(UpdateOptions& o, const UpdateScale& scale) {
  if (o.algorithm == "od-sgd" || o.algorithm == "cd-sgd") {
    fill(o.local_rule, "dc-a");
    fill(o.local_lr, 5 * o.lr);
    fill(o.warmup_steps, o.algorithm == "od-sgd" ? 200 : 1000);
    fill(o.threshold, 0.5 / scale.batch_per_worker);  // theirs is for the sum over the batch
  }
  if (o.algorithm == "ssd-sgd") {
    fill(o.local_rule, "glu");
    fill(o.local_lr, o.lr * scale.workers);
    fill(o.warmup_steps, 499);
    fill(o.delay_steps, 5);
  }
  if (o.algorithm == "local-sgd") {
    fill(o.local_steps, 500);
    fill(o.outer_lr, 0.7);
    fill(o.outer_momentum, 0.9);
  }
  if (o.algorithm == "easgd") fill(o.local_steps, 10);
  if (o.algorithm == "dc-asgd") fill(o.momentum, 0.0);
  if (o.algorithm == "pipe-sgd") fill(o.warmup_steps, 0);
  fill(o.local_momentum, 0.0);
  fill(o.local_scale, "global");
  fill(o.local_lr_counts, "local-updates");
  fill(o.dc_reference, "prev-global");
  if (o.algorithm != "dc-asgd") fill(o.dc_decay, 0.0);
}

/// lambda of each local rule that has one, of dc-asgd and of dc-s3gd.
double default_lambda(const UpdateOptions& o) {
  if (o.algorithm == "dc-asgd") return *o.lambda_rule == "adaptive" ? 2 : 0.04;
  if (o.algorithm == "dc-s3gd") return 0.2;
  if (*o.local_rule == "dc-a") return 2;
  return *o.local_rule == "dc-norm" ? 0.2 : 0.04;
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names{"default", "paper"};
  return names;
}

UpdateOptions with_defaults(UpdateOptions o, const UpdateScale& scale) {
  if (o.preset == "paper") fill_paper(o, scale);
  fill(o.momentum, 0.9);
  fill(o.local_rule, "mc");
  fill(o.local_lr, o.lr);
  fill(o.local_momentum, *o.local_rule == "glu" ? 0 : *o.momentum);
  fill(o.local_lr_schedule, o.lr_schedule);
  fill(o.local_lr_steps, o.lr_steps);
  fill(o.local_lr_counts, "steps");
  fill(o.local_scale, "worker");
  fill(o.warmup_steps, o.algorithm == "cd-sgd" ? 200 : 0);
  fill(o.lambda_rule, "adaptive");
  fill(o.lambda, default_lambda(o));
  fill(o.dc_reference, "compute");
  fill(o.dc_decay, 0.95);
  fill(o.delay_steps, 4);
  fill(o.threshold, 0.001);
  fill(o.local_steps, 8);
  fill(o.outer_lr, 1.0);
  fill(o.outer_momentum, 0.0);
  fill(o.elastic_alpha, 0.9 / scale.workers);
  return o;
}

}  // namespace odsgd
