#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/ps/settings.hpp"
#include "support/quadratic.hpp"
#include "support/ranks.hpp"

namespace odsgd::test {

constexpr int kColocated = 0;
constexpr int kReplicated = -1;

/// How to train: by which algorithm, for how long, and laid out how over ranks and messages.
struct Setup {
  std::string algorithm;
  AlgorithmSettings settings{};
  Clock steps = 0;
  int servers = 1;  ///< dedicated ones, kColocated or kReplicated
  std::size_t message_floats = 65536;
  ExchangeSettings exchange{.timeout_s = 20};
  Delays delays{};
  bool reads_every_step = true;  ///< global weights after each step, else only after the last
  bool reads_at_end = true;      ///< else they are never asked for

  /// Called by each worker once it holds the weights of step t, before it computes its gradient.
  std::function<void(int worker, Clock t)> on_weights = nullptr;
};

/// What one rank saw. Weights hold all parameters.
struct RankTrace {
  std::vector<std::vector<float>> global;  ///< [t]: W^t, with reads_every_step; else W^T alone
  std::vector<std::vector<float>> local;   ///< [t]: w^t, which the gradient of step t was taken at
  StalenessCounts staleness;               ///< counted by this rank's server
};

/// What all workers and servers saw.
struct Trace {
  std::vector<std::vector<float>> global;              ///< as worker 0 saw it; all saw the same
  std::vector<std::vector<std::vector<float>>> local;  ///< [worker][t]: w_m^t
  StalenessCounts staleness;                           ///< summed over servers
};

int ranks_of(const Setup& setup, const Quadratic& problem);

/// Does the part of one rank of a real exchange: serves, or trains as a worker and records.
RankTrace train_rank(Endpoint& endpoint, const Setup& setup, const Quadratic& problem);

/// The whole training with ranks as threads. Throws Error when workers saw different global
/// weights.
Trace train(const Setup& setup, const Quadratic& problem);

}  // namespace odsgd::test
