#include "odsgd/bench/step_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "odsgd/base/error.hpp"
#include "step_simulation.hpp"

namespace odsgd {
namespace {

constexpr double kMostMessages = 1e6;  // of one step: what is played in seconds

/// Into how many messages a layer's exchange is cut; 0: nothing to exchange.
double messages_of(const LayerLoad& load, const LinkModel& link) {
  return std::ceil(std::max(load.push_bytes, load.pull_bytes) / link.servers / link.message_bytes);
}

void require_fit(std::span<const LayerLoad> layers, const LinkModel& link) {
  ODSGD_REQUIRE(!layers.empty(), "prediction: got no layers, want at least one");
  ODSGD_REQUIRE(link.workers > 0 && link.servers > 0,
                "prediction: got {} workers and {} servers, want 1 or more of each", link.workers,
                link.servers);
  const auto require_positive = [](double value, const char* what) {
    ODSGD_REQUIRE(value > 0, "prediction: got {} = {}, want more than 0", what, value);
  };
  require_positive(link.worker_bytes_per_s, "worker_bytes_per_s");
  require_positive(link.server_bytes_per_s, "server_bytes_per_s");
  require_positive(link.aggregate_bytes_per_s, "aggregate_bytes_per_s");
  require_positive(link.message_bytes, "message_bytes");
  const auto require_amount = [](double value, const char* what) {
    ODSGD_REQUIRE(value >= 0 && std::isfinite(value),
                  "prediction: got {} = {}, want a number of 0 or more", what, value);
  };
  require_amount(link.latency_s, "latency_s");
  require_amount(link.window_bytes, "window_bytes");
  for (const LayerLoad& layer : layers) {
    require_amount(layer.forward_s, "forward_s");
    require_amount(layer.backward_s, "backward_s");
    require_amount(layer.update_s, "update_s");
    require_amount(layer.push_bytes, "push_bytes");
    require_amount(layer.pull_bytes, "pull_bytes");
  }
  double messages = 0;
  for (const LayerLoad& layer : layers) messages += messages_of(layer, link);
  ODSGD_REQUIRE(messages <= kMostMessages,
                "prediction: got {} messages a step, want at most {} (message_bytes = {})",
                messages, kMostMessages, link.message_bytes);
}

/// What a layer's messages cost when `workers` of them share a server.
LayerMessages cut(const LayerLoad& load, const LinkModel& link, int workers) {
  const auto messages = static_cast<int>(messages_of(load, link));
  if (messages == 0) return {};
  const double share = static_cast<double>(workers) / link.servers;  // that passes each server
  const double s_per_byte = std::max(1 / link.worker_bytes_per_s, share / link.server_bytes_per_s);
  return {.messages = messages,
          .bytes = {.push = load.push_bytes / messages / link.servers,
                    .pull = load.pull_bytes / messages / link.servers},
          .costs = {.push_s = load.push_bytes / messages * s_per_byte,
                    .server_s = load.push_bytes / messages * share / link.aggregate_bytes_per_s,
                    .pull_s = load.pull_bytes / messages * s_per_byte}};
}

/// How long the queues are busy in a step.
MessageCosts busy(const std::vector<LayerMessages>& layers) {
  MessageCosts sum;
  for (const LayerMessages& layer : layers) {
    sum.push_s += layer.messages * layer.costs.push_s;
    sum.server_s += layer.messages * layer.costs.server_s;
    sum.pull_s += layer.messages * layer.costs.pull_s;
  }
  return sum;
}

}  // namespace

StepPrediction predict_step(std::span<const LayerLoad> layers, const LinkModel& link,
                            Schedule schedule, SendOrder order) {
  require_fit(layers, link);
  const auto cut_all = [&](int workers) {
    std::vector<LayerMessages> cut_layers;
    for (const LayerLoad& load : layers) cut_layers.push_back(cut(load, link, workers));
    return cut_layers;
  };
  const bool is_asgd = schedule == Schedule::kAsgd;
  const std::vector<LayerMessages> shared = cut_all(link.workers);
  const std::vector<LayerMessages> alone = cut_all(is_asgd ? 1 : link.workers);
  const std::vector<Operation> operations = operations_of(layers, alone, schedule);

  const MessageCosts load = busy(shared);
  StepPrediction p{.push_s = load.push_s, .server_s = load.server_s, .pull_s = load.pull_s};
  for (const Operation& operation : operations) p.compute_s += operation.seconds;
  p.step_s = simulate_step_s(alone, operations, {link.latency_s, order, link.window_bytes});
  if (is_asgd) p.step_s = std::max({p.step_s, p.push_s, p.server_s, p.pull_s});
  p.wait_s = std::max(0.0, p.step_s - p.compute_s);
  return p;
}

std::vector<LayerLoad> layer_loads(const NetworkTable& table, double forward_s, double backward_s,
                                   double update_s) {
  const double flops = table.forward_flops();
  const auto floats = static_cast<double>(table.floats());
  std::vector<LayerLoad> loads;
  for (const LayerSize& layer : table.layers) {
    double of_layer = 0;
    for (const ArraySize& array : layer.arrays) of_layer += static_cast<double>(array.floats);
    const double bytes = of_layer * sizeof(float);
    loads.push_back({.forward_s = forward_s * layer.forward_flops / flops,
                     .backward_s = backward_s * layer.forward_flops / flops,
                     .update_s = update_s * of_layer / floats,
                     .push_bytes = bytes,
                     .pull_bytes = bytes});
  }
  return loads;
}

}  // namespace odsgd
