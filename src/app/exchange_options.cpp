#include "exchange_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/ps/codec.hpp"
#include "usage_error.hpp"

namespace odsgd {
namespace {

constexpr const char* kServers = "servers";
constexpr const char* kAllreduce = "allreduce";
constexpr const char* kColocated = "colocated";

/// Dedicated servers; the command line has checked that it is a number or "colocated".
int dedicated_servers(const std::string& text) {
  int servers = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, servers);
  if (error != std::errc{} || stop != end) {
    throw UsageError(fmt::format("--servers: got {}, want 1 or more, or colocated", text));
  }
  return servers;
}

/// What cannot stand beside --exchange allreduce.
void require_serverless(const TrainOptions& o) {
  const auto require = [](const char* option, const std::string& got, const std::string& want,
                          bool is_good) {
    if (is_good) return;
    throw UsageError(
        fmt::format("{}: got {}, want {} with --exchange {}", option, got, want, kAllreduce));
  };
  require("--servers", o.servers, "none, as every rank is a worker,",
          o.servers == TrainOptions().servers);
  const auto names = serverless_algorithm_names();
  require("--algorithm", o.algorithm,
          fmt::format("one that sums exact gradients of all workers ({})", fmt::join(names, ", ")),
          std::find(names.begin(), names.end(), o.algorithm) != names.end());
  require("--push-dtype", o.push_dtype, "float32", codec_of(o.push_dtype) == Codec::kFloat32);
}

}  // namespace

const std::vector<std::string>& exchange_names() {
  static const std::vector<std::string> names{kServers, kAllreduce};
  return names;
}

std::vector<std::string> serverless_algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    const bool takes_rounds = algorithm.make_server({}).takes_rounds;
    if (takes_rounds && !algorithm.pushes_two_bits) names.push_back(algorithm.name);
  }
  return names;
}

Roles roles_of(const std::string& server_text, const std::optional<int>& workers, int ranks) {
  const int servers = server_text == kColocated ? 0 : dedicated_servers(server_text);
  if (servers >= ranks) {
    throw UsageError(fmt::format(
        "--servers: got {}, want fewer than the {} rank{} of this job, so that a worker "
        "is left (start more ranks, or use --servers colocated)",
        servers, ranks, ranks == 1 ? "" : "s"));
  }
  const Roles roles = servers == 0 ? Roles::colocated(ranks) : Roles::dedicated(ranks, servers);
  if (workers && *workers != roles.workers()) {
    throw UsageError(fmt::format(
        "--workers: got {}, want {} (the launcher started {} ranks, {} of them servers; "
        "leave the option out)",
        *workers, roles.workers(), ranks, servers));
  }
  return roles;
}

int ranks_wanted(const std::string& servers, const std::optional<int>& workers) {
  if (!workers) {
    throw UsageError(
        "--workers: got nothing, want the number of workers (or start odsgd with mpirun or srun)");
  }
  return *workers + (servers == kColocated ? 0 : dedicated_servers(servers));
}

Roles roles_of(const TrainOptions& options, int ranks) {
  if (options.exchange != kAllreduce) return roles_of(options.servers, options.workers, ranks);
  require_serverless(options);
  if (options.workers && *options.workers != ranks) {
    throw UsageError(fmt::format(
        "--workers: got {}, want {} (the launcher started {} ranks, all of them workers with "
        "--exchange {}; leave the option out)",
        *options.workers, ranks, ranks, kAllreduce));
  }
  return Roles::replicated(ranks);
}

int ranks_wanted(const TrainOptions& options) {
  const bool has_servers = options.exchange != kAllreduce;
  return ranks_wanted(has_servers ? options.servers : kColocated, options.workers);
}

}  // namespace odsgd
