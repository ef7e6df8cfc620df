#include "odsgd/bench/timing_model.hpp"

#include <algorithm>

#include "odsgd/base/error.hpp"

namespace odsgd {

double transfer_s(double bytes, double bytes_per_s, int workers, int servers) {
  ODSGD_REQUIRE(bytes_per_s > 0, "transfer: got {} bytes/s, want more than 0", bytes_per_s);
  ODSGD_REQUIRE(workers > 0 && servers > 0,
                "transfer: got {} workers and {} servers, want 1 or more of each", workers,
                servers);
  return bytes / bytes_per_s * std::max(1.0, static_cast<double>(workers) / servers);
}

double ssgd_step_s(const StepCosts& costs) { return costs.compute_s + costs.exchange_s(); }

double od_sgd_step_s(const StepCosts& costs) {
  return std::max(costs.compute_s + costs.local_update_s, costs.exchange_s());
}

double od_sgd_separate_buffers_step_s(const StepCosts& costs) {
  const double worker_s = costs.compute_s + costs.local_update_s;
  return std::max(
      {worker_s, (worker_s + costs.exchange_s()) / 2, costs.push_s, costs.server_s, costs.pull_s});
}

double asgd_step_s(const StepCosts& costs) { return costs.compute_s + costs.exchange_s(); }

double asgd_updates_per_s(std::span<const StepCosts> workers, const StepCosts& server) {
  double rate = 0;
  for (const StepCosts& worker : workers) rate += 1 / asgd_step_s(worker);
  // A server that takes no time allows infinitely many.
  return std::min(rate, 1 / std::max({server.push_s, server.server_s, server.pull_s}));
}

double layerwise_ssgd_step_s(double forward_s, std::span<const LayerCosts> layers) {
  double end = 0;
  for (std::size_t l = layers.size(); l-- > 0;)
    end = std::max(layers[l].ready_s, end) + layers[l].exchange_s();
  return forward_s + end;
}

double pipelined_ssgd_step_s(double forward_s, std::span<const LayerCosts> layers) {
  double pushed = 0;
  double updated = 0;
  double pulled = 0;
  for (std::size_t l = layers.size(); l-- > 0;) {
    pushed = std::max(layers[l].ready_s, pushed) + layers[l].push_s;
    updated = std::max(pushed, updated) + layers[l].server_s;
    pulled = std::max(updated, pulled) + layers[l].pull_s;
  }
  return forward_s + pulled;
}

double layerwise_od_sgd_step_s(double compute_s, double first_update_s,
                               std::span<const LayerCosts> layers) {
  double exchange_s = 0;
  for (const LayerCosts& layer : layers) exchange_s += layer.exchange_s();
  return std::max(compute_s + first_update_s, exchange_s);
}

}  // namespace odsgd
