#include "bench.hpp"

#include <fmt/format.h>

#include <string>

#include "bench_exchange.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/report.hpp"
#include "odsgd/bench/two_bit_speed.hpp"

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
  report.add_fact("counted",
                  "triad: the bytes of its three arrays; others: those of one array of floats");
  report.add_fact("repetitions", std::to_string(options.repetitions));
  const auto name = [](const std::string& kernel, int threads) {
    return fmt::format("{}, {} thread{}", kernel, threads, threads == 1 ? "" : "s");
  };
  // Beside another kernel on as many threads; without one, beside itself on one thread.
  const auto add = [&](const std::string& kernel, auto measure, const std::string& beside = "") {
    report.add(name(kernel, 1), measure(floats, 1, options.repetitions).times(1e-9), "GB/s",
               beside.empty() ? "" : name(beside, 1));
    if (most == 1) return;
    report.add(name(kernel, most), measure(floats, most, options.repetitions).times(1e-9), "GB/s",
               beside.empty() ? name(kernel, 1) : name(beside, most));
  };
  const char* copy = "memcpy (b = a)";
  const char* sum = "sum (a += b)";
  add(copy, measure_copy);
  add("triad (a = b + s c)", measure_triad);
  add(sum, measure_sum);
  add("2-bit encode", measure_two_bit_encode, copy);
  add("2-bit decode and add", measure_two_bit_decode_add, sum);
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
