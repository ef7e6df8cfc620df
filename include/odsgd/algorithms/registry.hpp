#pragma once

#include <memory>
#include <string>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/algorithms/worker_rule.hpp"
#include "odsgd/ps/server_rule.hpp"

namespace odsgd {

/// A pair of rules, and the name under which the command line knows it.
struct Algorithm {
  std::string name;
  std::string summary;
  bool is_synchronous = true;     ///< the same bits in every run; false where order of arrival is
                                  ///< part of the algorithm
  bool has_warmup = false;        ///< runs its first warmup_steps steps as SSGD
  bool has_local_update = false;  ///< workers change their weights by themselves too
  bool has_optimizer = true;      ///< the servers' step is that of the settings' optimizer
  bool pushes_two_bits = false;   ///< with a residual, in the client
  std::unique_ptr<WorkerRule> (*make_worker)(const ParameterLayout&, const AlgorithmSettings&);
  ServerHalf (*make_server)(const AlgorithmSettings&);

  /// The numbers that only this rule has, in words; without one it has none.
  std::string (*describe)(const AlgorithmSettings&) = nullptr;
};

const std::vector<Algorithm>& algorithms();
std::vector<std::string> algorithm_names();

/// Throws Error that lists the known names.
const Algorithm& find_algorithm(const std::string& name);

}  // namespace odsgd
