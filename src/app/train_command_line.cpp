#include "train_command_line.hpp"

#include <cstdint>
#include <limits>

#include "exchange_options.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/nn/model.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/protocol.hpp"
#include "update_command_line.hpp"
#include "validators.hpp"

namespace odsgd {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<int>::max();

}  // namespace

void add_train_options(CLI::App& app, TrainOptions& o) {
  app.add_option("--data", o.data, "Data file, packed by odsgd-prep")
      ->required()
      ->check(not_empty("a file"))
      ->group("Files");
  app.add_option("--output", o.output, "Directory to create for the run's log, run.h5")
      ->required()
      ->check(not_empty("a directory to create"))
      ->group("Files");
  app.add_option("--log-every", o.log_every, "Steps between rows of the training log")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Files");
  app.add_option("--log-steps", o.log_steps,
                 "Log where the time of every so many steps went, of each worker: 88 bytes each; "
                 "0: of none")
      ->check(whole_number(0, kMost))
      ->capture_default_str()
      ->group("Files");
  app.add_option("--save-weights", o.save_weights, "Whether the log keeps the final global weights")
      ->check(one_of({"true", "false"}))
      ->capture_default_str()
      ->group("Files");
  app.add_option("--trace", o.trace,
                 "Directory for a trace of what each rank did when, rank-*.json; see odsgd info "
                 "--trace")
      ->check(not_empty("a directory"))
      ->group("Files");
  app.add_option("--progress", o.progress, "Progress bar; auto: on a terminal")
      ->check(one_of({"auto", "on", "off"}))
      ->capture_default_str()
      ->group("Files");

  app.add_option("--model", o.model, "Network")
      ->check(one_of(model_names()))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--epochs", o.epochs, "Passes over the training set")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--batch-per-worker", o.batch_per_worker,
                 "Samples of one worker's step; times the workers: the global batch")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--label-smoothing", o.label_smoothing,
                 "E: targets are (1 - E) for the label and E / classes for every class; of the "
                 "training loss alone")
      ->check(below_one())
      ->capture_default_str()
      ->group("Training");
  app.add_option("--seed", o.seed, "Of initial weights and sample order")
      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->group("Training");
  add_update_options(app, o);

  app.add_option("--exchange", o.exchange,
                 "How gradients and weights are exchanged; allreduce: without servers, every rank "
                 "is a worker, holds all weights and sums gradients with the others")
      ->check(one_of(exchange_names()))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--servers", o.servers,
                 "Dedicated server ranks, or colocated: a shard on every worker")
      ->check(whole_number_or(65536, "colocated"))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--workers", o.workers,
                 "Workers, as threads of this process, when no launcher (mpirun, srun) started it")
      ->check(whole_number(1, 4096))
      ->group("Ranks");
  app.add_option("--device", o.device,
                 "What the workers compute on; synthetic: pretends to, for benchmarks")
      ->check(one_of(backend_names()))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--threads", o.threads, "Computing threads per worker")
      ->check(whole_number(1, 1024))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--server-threads", o.server_threads, "Updating threads per server")
      ->check(whole_number(1, 1024))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--push-dtype", o.push_dtype, "How gradients are written on the wire")
      ->check(one_of(codec_names()))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--priority", o.priority,
                 "What goes first on a busy way; layer: what the next forward pass needs first; "
                 "fifo: what was posted first")
      ->check(one_of(priority_names()))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--compute-ms", o.compute_ms,
                 "Device synthetic, for benchmarks: milliseconds that a step of one batch takes")
      ->check(positive_up_to(1e6))
      ->group("Ranks");
  app.add_option("--compute-jitter", o.compute_jitter,
                 "Device synthetic: percent by which a step is longer or shorter, at random, at "
                 "most [default: 0]")
      ->check(from_to(0, 100))
      ->group("Ranks");
  app.add_option("--message-kib", o.message_kib,
                 "Longest message, in KiB [default: 1024 when all ranks are on one host, else 256]")
      ->check(whole_number(1, 1048576))
      ->group("Ranks");
  app.add_option("--timeout", o.timeout,
                 "Seconds within which a rank that has gone silent (stopped, cut off) is an error")
      ->check(positive_up_to(1e6))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--inject-delay-us", o.inject_delay_us,
                 "For tests: deliver each message up to so many microseconds late, at random")
      ->check(whole_number(0, kMost))
      ->capture_default_str()
      ->group("Ranks");
}

}  // namespace odsgd
