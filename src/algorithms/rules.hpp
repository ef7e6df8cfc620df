#pragma once

#include <memory>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/algorithms/worker_rule.hpp"
#include "odsgd/ps/server_rule.hpp"

namespace odsgd {

// Each is described in the file of its name.
std::unique_ptr<WorkerRule> make_ssgd_worker(const ParameterLayout& layout,
                                             const AlgorithmSettings& settings);
std::unique_ptr<WorkerRule> make_asgd_worker(const ParameterLayout& layout,
                                             const AlgorithmSettings& settings);
std::unique_ptr<WorkerRule> make_od_sgd_worker(const ParameterLayout& layout,
                                               const AlgorithmSettings& settings);

ServerHalf make_sync_server(const AlgorithmSettings& settings);
ServerHalf make_async_server(const AlgorithmSettings& settings);

}  // namespace odsgd
