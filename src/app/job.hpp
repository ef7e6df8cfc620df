#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/data/dataset.hpp"
#include "odsgd/nn/model.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/settings.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "options.hpp"

namespace odsgd {

/// A training run as every rank works it out for itself from the same options: who does what, on
/// what, and how often. Read-only once made; ranks that are threads share one.
struct Job {
  TrainOptions options;
  DatasetInfo data_info;
  std::shared_ptr<const Dataset> data;  ///< the samples; empty in a rank that is only a server
  const ModelSpec* model = nullptr;
  InputShape input;
  const Algorithm* algorithm = nullptr;
  AlgorithmSettings settings;
  ExchangeSettings exchange;
  Roles roles;
  ParameterLayout layout;
  int message_kib = 0;  ///< longest message
  ShardMap shards;
  std::size_t steps_per_epoch = 0;

  /// Nothing is computed: no training, whatever the numbers say.
  bool is_benchmark() const { return is_pretend_device(options.device); }
  /// The first steps, in which threads, caches and connections start, or OD-SGD warms up: what they
  /// hide of communication says nothing about the others.
  Clock unmeasured_steps() const;
  /// Whether /steps has a row for step t.
  bool logs_step(Clock t) const {
    return options.log_steps > 0 && (t + 1) % static_cast<Clock>(options.log_steps) == 0;
  }
  int global_batch() const { return options.batch_per_worker * roles.workers(); }
  std::size_t total_steps() const {
    return steps_per_epoch * static_cast<std::size_t>(options.epochs);
  }
};

/// The longest message where --message-kib does not say it: what was fastest between ranks of one
/// host, and between hosts (docs/performance.md).
int message_kib_of(const std::optional<int>& message_kib, bool on_one_host);

/// Works out a run on these ranks, for a process that computes (and so wants the samples) or only
/// serves. Throws Error for data, model or numbers that do not go together, UsageError for options
/// that do not.
Job make_job(const TrainOptions& options, const Roles& roles, bool computes, bool on_one_host);

/// W^0, all parameters; the same bits on every rank.
std::vector<float> initial_weights(const Job& job);

/// `rank 3 (worker 2)`, for messages.
std::string name_of_rank(const Roles& roles, int rank);

}  // namespace odsgd
