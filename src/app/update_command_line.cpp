#include "update_command_line.hpp"

#include <limits>

#include "odsgd/algorithms/registry.hpp"
#include "usage_error.hpp"
#include "validators.hpp"

namespace odsgd {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

CLI::Validator epochs(const std::string& option) {
  return {[=](std::string& text) -> std::string {
            try {
              epochs_of(option, text);
              return "";
            } catch (const UsageError& error) {
              return std::string(error.what()).substr(option.size() + 2);
            }
          },
          ""};
}

void add_rule_options(CLI::App& app, UpdateOptions& o) {
  const char* group = "Update rule";
  app.add_option("--algorithm", o.algorithm, "Update rule (docs/algorithms.md)")
      ->check(one_of(algorithm_names()))
      ->capture_default_str()
      ->group(group);
  app.add_option("--preset", o.preset,
                 "What options are that are not given; paper: as the rule's authors publish them")
      ->check(one_of(preset_names()))
      ->capture_default_str()
      ->group(group);
  app.add_option("--momentum", o.momentum,
                 "Momentum of the servers' step: V = momentum V - lr (g + decay W) [default: 0.9]")
      ->check(below_one())
      ->group(group);
  app.add_option("--weight-decay", o.weight_decay, "Weight decay, on weights and not on biases")
      ->check(at_least(0))
      ->capture_default_str()
      ->group(group);
  app.add_option("--optimizer", o.optimizer,
                 "How the servers make a step of a gradient; lars: lr times lars-trust |W| / (|g| "
                 "+ decay |W|), key by key")
      ->check(one_of(optimizer_names()))
      ->capture_default_str()
      ->group(group);
  app.add_option("--lars-trust", o.lars_trust, "Trust coefficient of the optimizer lars")
      ->check(positive())
      ->capture_default_str()
      ->group(group);
  app.add_option("--clip-value", o.clip_value,
                 "Limit each number of a mean gradient to [-C, C], before decay is added")
      ->check(positive())
      ->group(group);
  app.add_option("--clip-norm", o.clip_norm,
                 "Cut each worker's gradient to this length; it is pushed only when all of it is "
                 "there")
      ->check(positive())
      ->group(group);
}

void add_rate_options(CLI::App& app, UpdateOptions& o) {
  const char* group = "Learning rate";
  app.add_option("--lr", o.lr, "Learning rate of the servers' step, for the mean gradient")
      ->check(positive())
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-schedule", o.lr_schedule,
                 "step: times lr-factor at each of lr-steps; poly: times (1 - s)^lr-power; cosine: "
                 "times (1 + cos(pi s)) / 2; s from 0 after lr's warm-up to 1 at the end")
      ->check(one_of(schedule_names()))
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-steps", o.lr_steps, "Epochs at which the schedule step goes on, as 80,120")
      ->check(epochs("--lr-steps"))
      ->group(group);
  app.add_option("--lr-factor", o.lr_factor, "Of the schedule step")
      ->check(positive())
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-power", o.lr_power, "Of the schedule poly")
      ->check(positive())
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-warmup-steps", o.lr_warmup_steps,
                 "First steps in which the learning rate grows linearly")
      ->check(whole_number(0, kMost))
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-scaling", o.lr_scaling,
                 "linear: times global batch / lr-base-batch (linear scaling rule)")
      ->check(one_of(lr_scaling_names()))
      ->capture_default_str()
      ->group(group);
  app.add_option("--lr-base-batch", o.lr_base_batch, "Global batch that --lr is for, with scaling")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group(group);
}

void add_local_options(CLI::App& app, UpdateOptions& o) {
  const char* group = "Local update (od-sgd, ssd-sgd, cd-sgd)";
  app.add_option("--local-rule", o.local_rule,
                 "none: delay alone; sgd: momentum SGD; dc-c, dc-a, dc-norm: delay-compensated; "
                 "mc: the servers' step, predicted with the worker's own gradient; glu: with the "
                 "global gradient of the last pulls [default: mc]")
      ->check(one_of(local_rule_names()))
      ->group(group);
  app.add_option("--local-lr", o.local_lr,
                 "Learning rate of the local update; also of local-sgd and easgd [default: --lr]")
      ->check(at_least(0))
      ->group(group);
  app.add_option("--local-momentum", o.local_momentum,
                 "Momentum of the local rules sgd and glu; also of local-sgd and easgd [default: "
                 "glu 0, else "
                 "--momentum]")
      ->check(below_one())
      ->group(group);
  app.add_option("--local-lr-schedule", o.local_lr_schedule,
                 "Schedule of the local learning rate [default: --lr-schedule]")
      ->check(one_of(schedule_names()))
      ->group(group);
  app.add_option("--local-lr-steps", o.local_lr_steps, "Its epochs [default: --lr-steps]")
      ->check(epochs("--local-lr-steps"))
      ->group(group);
  app.add_option("--local-lr-counts", o.local_lr_counts,
                 "What its steps are counted in; local-updates: from the end of warm-up on "
                 "[default: steps]")
      ->check(one_of(local_lr_counts_names()))
      ->group(group);
  app.add_option("--local-scale", o.local_scale,
                 "What the worker's own gradient counts for; global: 1/M of it [default: worker]")
      ->check(one_of(local_scale_names()))
      ->group(group);
  app.add_option("--warmup-steps", o.warmup_steps,
                 "First steps that run as SSGD [default: cd-sgd 200, else 0]")
      ->check(whole_number(0, kMost))
      ->group(group);
}

void add_compensation_options(CLI::App& app, UpdateOptions& o) {
  const char* group = "Delay compensation (local rules dc-*, dc-asgd, dc-s3gd)";
  app.add_option("--lambda", o.lambda,
                 "Strength [default: dc-c 0.04, dc-a 2, dc-norm 0.2; dc-asgd 2, constant 0.04; "
                 "dc-s3gd 0.2]")
      ->check(at_least(0))
      ->group(group);
  app.add_option("--lambda-rule", o.lambda_rule,
                 "Of dc-asgd; adaptive: lambda / sqrt(mean square of g) [default: adaptive]")
      ->check(one_of(lambda_rule_names()))
      ->group(group);
  app.add_option("--dc-reference", o.dc_reference,
                 "Displacement that dc-* compensates; prev-global: W^t - W^{t-1}; compute: from "
                 "where the gradient was taken [default: compute]")
      ->check(one_of(dc_reference_names()))
      ->group(group);
  app.add_option("--dc-decay", o.dc_decay, "Decay of the mean square of g [default: 0.95]")
      ->check(below_one())
      ->group(group);
}

void add_other_options(CLI::App& app, UpdateOptions& o) {
  const char* group = "Other rules";
  app.add_option("--staleness", o.staleness,
                 "ssp: steps by which a worker may be ahead of the slowest")
      ->check(whole_number(0, kMost))
      ->capture_default_str()
      ->group(group);
  app.add_option("--delay-steps", o.delay_steps, "ssd-sgd: steps from pull to pull [default: 4]")
      ->check(whole_number(1, 1024))
      ->group(group);
  app.add_option("--glu-alpha", o.glu_alpha, "Local rule glu: weight of the worker's own gradient")
      ->check(at_least(0))
      ->capture_default_str()
      ->group(group);
  app.add_option("--glu-beta", o.glu_beta, "Local rule glu: weight of the global gradient")
      ->check(at_least(0))
      ->capture_default_str()
      ->group(group);
  app.add_option("--threshold", o.threshold,
                 "cd-sgd: what a number of a compressed push is, up to its sign; for the mean "
                 "gradient of a worker [default: 0.001]")
      ->check(positive())
      ->group(group);
  app.add_option("--correction-steps", o.correction_steps,
                 "cd-sgd: every so many steps a push is exact; 1: all are")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group(group);
  app.add_option("--local-steps", o.local_steps,
                 "local-sgd, easgd: steps from exchange to exchange [default: 8]")
      ->check(whole_number(1, kMost))
      ->group(group);
  app.add_option("--outer-lr", o.outer_lr,
                 "local-sgd: learning rate for the mean difference [default: 1]")
      ->check(positive())
      ->group(group);
  app.add_option("--outer-momentum", o.outer_momentum,
                 "local-sgd: Nesterov momentum of that step [default: 0]")
      ->check(below_one())
      ->group(group);
  app.add_option("--elastic-alpha", o.elastic_alpha,
                 "easgd: how far workers and centre draw nearer [default: 0.9 / workers]")
      ->check(positive_up_to(1))
      ->group(group);
}

}  // namespace

void add_update_options(CLI::App& app, UpdateOptions& options) {
  add_rule_options(app, options);
  add_rate_options(app, options);
  add_local_options(app, options);
  add_compensation_options(app, options);
  add_other_options(app, options);
}

}  // namespace odsgd
