#pragma once

#include <string>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/base/parameter_layout.hpp"

namespace odsgd::test {

/// A training without ranks, servers or messages: what `odsgd train` has to come to.
struct SerialPlan {
  std::string data;
  std::string model;
  bool is_od_sgd = true;  ///< else SSGD
  AlgorithmSettings settings{};
  int workers = 4;
  int batch_per_worker = 8;
  int epochs = 2;
  std::uint64_t seed = 1;
};

struct SerialEpoch {
  double train_loss = 0;  ///< mean over the epoch's samples
  double test_loss = 0;   ///< with the global weights at its end, as the next two
  double test_top1 = 0;
  double test_top5 = 0;
};

struct SerialResult {
  ParameterLayout layout;
  std::vector<float> weights;  ///< W at the end
  std::vector<SerialEpoch> epochs;
};

/// Plain loops over workers and parameters, each operation in the order of the formulas at the head
/// of src/algorithms/od_sgd.cpp and sync_server.cpp: so a correct program gives the same bits.
SerialResult train_serially(const SerialPlan& plan);

}  // namespace odsgd::test
