#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/base/types.hpp"

namespace odsgd {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using OptionList = std::vector<std::pair<std::string, OptionValue>>;

/// The options of `odsgd train` that say how weights are updated. An empty one depends on others:
/// with_defaults() fills it in.
struct UpdateOptions {
  std::string algorithm = "od-sgd";
  std::string preset = "default";

  double lr = 0.05;
  std::optional<double> momentum;
  double weight_decay = 1e-4;
  std::string optimizer = "sgd";
  double lars_trust = 0.001;
  std::optional<double> clip_value;  ///< none: gradients are not clipped, as the next
  std::optional<double> clip_norm;

  std::string lr_schedule = "constant";
  std::string lr_steps;  ///< epochs, separated by commas
  double lr_factor = 0.1;
  double lr_power = 2;
  std::int64_t lr_warmup_steps = 0;
  std::string lr_scaling = "none";
  std::int64_t lr_base_batch = 256;

  std::optional<std::string> local_rule;
  std::optional<double> local_lr;
  std::optional<double> local_momentum;
  std::optional<std::string> local_lr_schedule;
  std::optional<std::string> local_lr_steps;
  std::optional<std::string> local_lr_counts;
  std::optional<std::string> local_scale;
  std::optional<std::int64_t> warmup_steps;

  std::optional<double> lambda;
  std::optional<std::string> lambda_rule;
  std::optional<std::string> dc_reference;
  std::optional<double> dc_decay;

  std::int64_t staleness = 3;
  std::optional<std::int64_t> delay_steps;
  double glu_alpha = 2;
  double glu_beta = 0.5;
  std::optional<double> threshold;
  std::int64_t correction_steps = 5;
  std::optional<std::int64_t> local_steps;
  std::optional<double> outer_lr;
  std::optional<double> outer_momentum;
  std::optional<double> elastic_alpha;

  bool operator==(const UpdateOptions&) const = default;
};

/// What the defaults and the numbers depend on besides the options.
struct UpdateScale {
  int workers = 1;
  int batch_per_worker = 1;
  std::size_t steps_per_epoch = 0;
  int epochs = 0;

  double global_batch() const { return static_cast<double>(workers) * batch_per_worker; }
};

const std::vector<std::string>& preset_names();
const std::vector<std::string>& lr_scaling_names();
const std::vector<std::string>& local_lr_counts_names();

/// The same options with every empty one filled in that has a default: by algorithm, local rule and
/// preset.
UpdateOptions with_defaults(UpdateOptions options, const UpdateScale& scale);

/// Every option with its value, in a fixed order; those that are empty are left out.
OptionList list_update_options(const UpdateOptions& options);

/// The numbers of the rules. `options` have their defaults. Throws UsageError for options that do
/// not go together.
AlgorithmSettings settings_of(const UpdateOptions& options, const UpdateScale& scale);

/// "80,120.5" as numbers. Throws UsageError, with the option's name, unless they are above 0 and
/// ascending.
std::vector<double> epochs_of(const std::string& option, const std::string& text);

}  // namespace odsgd
