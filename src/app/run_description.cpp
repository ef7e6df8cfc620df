#include "run_description.hpp"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "odsgd/base/host.hpp"
#include "odsgd/base/shell.hpp"
#include "rule_description.hpp"
#include "version.hpp"

namespace odsgd {
namespace {

/// As a shell would read it back.
std::string command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string words;
  for (std::string word; std::getline(in, word, '\0');) {
    if (!words.empty()) words += ' ';
    words += shell_quoted(word);
  }
  return words;
}

std::string servers_text(const Roles& roles) {
  if (roles.is_replicated())
    return "none: every worker has all weights, and sums gradients with all";
  return roles.is_colocated() ? fmt::format("{} colocated", roles.servers())
                              : fmt::format("{} dedicated", roles.servers());
}

/// One line for each run of ranks with the same host.
std::string ranks_text(const Job& job, const CheckIn& check) {
  std::string text;
  for (std::size_t r = 0; r < check.ranks.size(); ++r) {
    const Hello& rank = check.ranks[r];
    text += fmt::format("  rank {:<4} {:<16} {}, {} cpu{} allowed\n", r, rank.host,
                        role_of(job.roles, static_cast<int>(r)), rank.cpus_allowed,
                        rank.cpus_allowed == 1 ? "" : "s");
  }
  return text;
}

/// More computing threads on a host than it has processors for: each then waits for the others.
std::string crowding_text(const Job& job, const CheckIn& check) {
  if (job.is_benchmark()) return "";                 // workers that sleep
  std::map<std::string, std::pair<int, int>> hosts;  // threads, cpus
  for (std::size_t r = 0; r < check.ranks.size(); ++r) {
    auto& [threads, cpus] = hosts[check.ranks[r].host];
    if (job.roles.worker_of(static_cast<int>(r))) threads += job.options.threads;
    cpus = std::max(cpus, check.ranks[r].cpus_allowed);
  }
  std::string text;
  for (const auto& [host, load] : hosts) {
    if (load.first <= load.second) continue;
    text += fmt::format(
        "note: {} computing threads share {} cpus on {}: speeds are those of a crowded host\n",
        load.first, load.second, host);
  }
  return text;
}

}  // namespace

std::string role_of(const Roles& roles, int rank) {
  const auto server = roles.server_of(rank);
  const auto worker = roles.worker_of(rank);
  if (roles.is_replicated()) return fmt::format("worker {}", *worker);
  if (server && worker) return fmt::format("server {} and worker {}", *server, *worker);
  return server ? fmt::format("server {}", *server) : fmt::format("worker {}", *worker);
}

RunDescription describe_run(const Job& job, const CheckIn& check, const TransportInfo& transport,
                            const std::string& device) {
  RunDescription description;
  description.command_line = command_line();
  description.toml = to_toml(job.options);
  description.is_benchmark = job.is_benchmark();
  for (const auto& option : list_options(job.options)) {
    std::visit([&](const auto& value) { description.config.emplace_back(option.first, value); },
               option.second);
  }
  std::vector<std::string> hosts;
  std::vector<std::string> roles;
  for (std::size_t r = 0; r < check.ranks.size(); ++r) {
    hosts.push_back(check.ranks[r].host);
    roles.push_back(role_of(job.roles, static_cast<int>(r)));
  }
  description.environment = {
      {"odsgd_version", std::string(kVersion)},
      {"start_time", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
      {"transport", transport.name},
      {"mpi_library", transport.mpi_library},
      {"mpi_thread_level", transport.mpi_thread_level},
      {"hdf5_version", h5::library_version()},
      {"device", device},
      {"cpu_model", cpu_model()},
      {"cpus_allowed", static_cast<std::int64_t>(cpus_allowed())},
      {"rank_hosts", hosts},
      {"rank_roles", roles},
      {"workers", static_cast<std::int64_t>(job.roles.workers())},
      {"servers", static_cast<std::int64_t>(job.roles.is_replicated() ? 0 : job.roles.servers())},
      {"synchronous", job.algorithm->is_synchronous},
      {"global_batch", static_cast<std::int64_t>(job.global_batch())},
      {"effective_lr", job.settings.lr.base},
      {"effective_local_lr", job.settings.local_lr.base},
      {"steps_per_epoch", static_cast<std::int64_t>(job.steps_per_epoch)},
      {"parameters", static_cast<std::int64_t>(job.layout.floats())},
      {"data_name", job.data_info.name},
      {"data_train_sha256", job.data_info.train_sha256},
      {"data_test_sha256", job.data_info.test_sha256},
  };
  return description;
}

std::string start_text(const Job& job, const CheckIn& check, const TransportInfo& transport,
                       const std::string& device) {
  const TrainOptions& o = job.options;
  const DatasetInfo& data = job.data_info;
  std::string text =
      fmt::format("odsgd {}: {} {} {} ({} parameters in {} arrays) on {}\n", kVersion, o.algorithm,
                  job.is_benchmark() ? "is benchmarked with" : "trains", o.model,
                  job.layout.floats(), job.layout.keys(), data.name);
  if (job.is_benchmark()) text += fmt::format("  benchmark {}\n", kBenchmarkNote);
  text += fmt::format("  data      {}: {} training and {} test images, {}x{}x{}, {} classes\n",
                      o.data, data.train_count, data.test_count, data.channels, data.height,
                      data.width, data.classes());
  for (const std::string& line : rule_lines(job)) text += fmt::format("  {}\n", line);
  text +=
      fmt::format("  batch     {} per worker, {} global; {} steps an epoch, {} epochs, seed {}\n",
                  o.batch_per_worker, job.global_batch(), job.steps_per_epoch, o.epochs, o.seed);
  text += fmt::format("  device    {}\n", device);
  text += fmt::format("  servers   {}; messages of up to {} KiB\n", servers_text(job.roles),
                      job.message_kib);
  text += fmt::format("  transport {}", transport.name);
  if (transport.mpi_library != "none")
    text += fmt::format(": {}, {}", transport.mpi_library, transport.mpi_thread_level);
  text += '\n';
  if (o.inject_delay_us > 0)
    text += fmt::format("  test      messages delayed by up to {} us\n", o.inject_delay_us);
  text += ranks_text(job, check);
  return text + crowding_text(job, check);
}

}  // namespace odsgd
