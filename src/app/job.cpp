#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device_options.hpp"
#include "odsgd/data/sampling.hpp"
#include "usage_error.hpp"

namespace odsgd {
namespace {

ExchangeSettings exchange_settings_of(const TrainOptions& o, float threshold) {
  return {.timeout_s = o.timeout,
          .push_codec = codec_of(o.push_dtype),
          .threshold = threshold,
          .priority = priority_of(o.priority),
          .server_threads = o.server_threads};
}

}  // namespace

Clock Job::unmeasured_steps() const {
  constexpr Clock kSettling = 10;
  return std::max(kSettling, algorithm->has_warmup ? settings.warmup_steps : 0);
}

int message_kib_of(const std::optional<int>& message_kib, bool on_one_host) {
  constexpr int kOnOneHost = 1024;
  constexpr int kBetweenHosts = 256;
  return message_kib.value_or(on_one_host ? kOnOneHost : kBetweenHosts);
}

Job make_job(const TrainOptions& options, const Roles& roles, bool computes, bool on_one_host) {
  device_options(options, 0);  // every rank checks it, and only workers open the device
  std::shared_ptr<const Dataset> data;
  if (computes) data = std::make_shared<const Dataset>(Dataset::load(options.data));
  DatasetInfo info = data ? data->info() : read_dataset_info(options.data);
  const ModelSpec& model = find_model(options.model);
  const InputShape input{info.channels, info.height, info.width};
  ParameterLayout layout = layout_of(model, input, info.classes());
  const int message_kib = message_kib_of(options.message_kib, on_one_host);
  const std::size_t steps =
      steps_per_epoch(info.train_count, options.batch_per_worker, roles.workers());
  const UpdateScale scale{roles.workers(), options.batch_per_worker, steps, options.epochs};
  TrainOptions filled = options;
  static_cast<UpdateOptions&>(filled) = with_defaults(options, scale);
  const Algorithm& algorithm = find_algorithm(options.algorithm);
  const AlgorithmSettings settings = settings_of(filled, scale);
  if (!algorithm.has_optimizer && settings.optimizer != Optimizer::kSgd) {
    throw UsageError(
        fmt::format("--optimizer: got {}, want sgd with {}, which has a step of its own",
                    filled.optimizer, algorithm.name));
  }
  const bool needs_whole_keys = algorithm.make_server(settings).needs_whole_keys;
  ShardMap shards(layout, roles.shards(),
                  static_cast<std::size_t>(message_kib) * 1024 / sizeof(float), needs_whole_keys);
  const ExchangeSettings exchange =
      exchange_settings_of(filled, algorithm.pushes_two_bits ? settings.threshold : 0);
  return {.options = std::move(filled),
          .data_info = std::move(info),
          .data = std::move(data),
          .model = &model,
          .input = input,
          .algorithm = &algorithm,
          .settings = settings,
          .exchange = exchange,
          .roles = roles,
          .layout = std::move(layout),
          .message_kib = message_kib,
          .shards = std::move(shards),
          .steps_per_epoch = steps};
}

std::vector<float> initial_weights(const Job& job) {
  std::vector<float> weights(job.layout.floats());
  initialize(*job.model, job.input, job.data_info.classes(), job.options.seed, weights);
  return weights;
}

std::string name_of_rank(const Roles& roles, int rank) {
  const auto worker = roles.worker_of(rank);
  if (worker) return fmt::format("rank {} (worker {})", rank, *worker);
  return fmt::format("rank {} (server {})", rank, *roles.server_of(rank));
}

}  // namespace odsgd
