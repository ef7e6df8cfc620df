#include "bench.hpp"

#include <fmt/format.h>

#include <string>

#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/report.hpp"

namespace odsgd {
namespace {

void print(const Report& report, bool json) {
  fmt::print("{}", json ? report.json() + "\n" : report.text());
}

Samples in_gigabytes(Samples bytes) {
  for (double& value : bytes.values) value *= 1e-9;
  return bytes;
}

void run(const BenchLimitsOptions& options) {
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
    report.add(one, in_gigabytes(measure(floats, 1, options.repetitions)), "GB/s");
    if (most == 1) return;
    report.add(fmt::format("{}, {} threads", kernel, most),
               in_gigabytes(measure(floats, most, options.repetitions)), "GB/s", one);
  };
  add("memcpy (b = a)", measure_copy);
  add("triad (a = b + s c)", measure_triad);
  print(report, options.json);
}

}  // namespace

void run_bench(const BenchOptions& options) {
  std::visit([](const auto& o) { run(o); }, options);
}

}  // namespace odsgd
