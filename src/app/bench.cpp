#include "bench.hpp"

#include <fmt/format.h>

#include <string>

#include "bench_exchange.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/report.hpp"

namespace odsgd {
namespace {

int run(const BenchLimitsOptions& options, const Launch& launch) {
  if (launch.rank != 0) return kSuccess;
  const int most = options.threads.value_or(cpus_allowed());
  const auto floats = static_cast<std::size_t>(options.floats);
  Report report("Memory limits");
  report.add_fact("host", host_name());
  report.add_fact("processor", fmt::format("{}, {} allowed", cpu_model(), cpus_allowed()));
  report.add_fact("floats an array", std::to_string(options.floats));
  report.add_fact("counted", "memcpy: the bytes copied; triad: the bytes of its three arrays");
  report.add_fact("repetitions", std::to_string(options.repetitions));
  const auto add = [&](const char* kernel, auto measure) {
    const std::string one = fmt::format("{}, 1 thread", kernel);
    report.add(one, measure(floats, 1, options.repetitions).times(1e-9), "GB/s");
    if (most == 1) return;
    report.add(fmt::format("{}, {} threads", kernel, most),
               measure(floats, most, options.repetitions).times(1e-9), "GB/s", one);
  };
  add("memcpy (b = a)", measure_copy);
  add("triad (a = b + s c)", measure_triad);
  print(report, options.json);
  return kSuccess;
}

int run(const BenchPsOptions& options, const Launch& launch) {
  return run_on_bench_ranks(options, launch,
                            [&](const BenchRank& rank) { bench_ps(options, rank); });
}

int run(const BenchOverlapOptions& options, const Launch& launch) {
  return run_on_bench_ranks(options, launch,
                            [&](const BenchRank& rank) { bench_overlap(options, rank); });
}

}  // namespace

int run_bench(const BenchOptions& options, const Launch& launch) {
  return std::visit([&](const auto& o) { return run(o, launch); }, options);
}

}  // namespace odsgd
