#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "update_options.hpp"

namespace odsgd {

/// Everything that `odsgd train` can be told. Long option names are these with dashes for
/// underscores.
struct TrainOptions : UpdateOptions {
  std::string data;
  std::string output;

  std::string model = "lenet";
  std::string device = "cpu";
  int threads = 1;                       ///< that compute, per worker
  std::optional<double> compute_ms;      ///< with the device synthetic, and only there
  std::optional<double> compute_jitter;  ///< percent; there too, default 0

  std::string exchange = "servers";
  std::string servers = "1";       ///< a number of dedicated ranks, or "colocated"
  std::optional<int> workers;      ///< threads as ranks; under a launcher its ranks decide
  int server_threads = 1;          ///< that update weights, per server
  std::optional<int> message_kib;  ///< default: see message_kib_of()
  std::string push_dtype = "float32";
  std::string priority = "layer";
  double timeout = 300;  ///< seconds

  int batch_per_worker = 64;
  int epochs = 10;
  std::uint64_t seed = 1;
  double label_smoothing = 0;

  int log_every = 50;  ///< steps
  int log_steps = 1;   ///< every so many steps a row of /steps; 0: none
  bool save_weights = true;
  std::string trace;  ///< directory; empty: nothing is traced
  std::string progress = "auto";
  int inject_delay_us = 0;

  bool operator==(const TrainOptions&) const = default;
};

/// Everything that `odsgd eval` can be told.
struct EvalOptions {
  std::string data;
  std::string run;  ///< a run.h5 that holds weights
  std::string model;
  std::string device = "cpu";
  std::string split = "test";
  int batch = 100;
  int threads = 1;
  bool json = false;
};

/// Everything that `odsgd info` can be told.
struct InfoOptions {
  std::string file;   ///< empty: none, as the next two
  std::string trace;  ///< directory of a run's trace files; either this or the file
  std::string model;
  bool json = false;
};

/// Every option of a training run with its value, in a fixed order; those that are empty are left
/// out.
OptionList list_options(const TrainOptions& options);

/// The options as the TOML text that --config reads; ranks compare it.
std::string to_toml(const TrainOptions& options);

}  // namespace odsgd
