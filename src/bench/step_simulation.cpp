#include "step_simulation.hpp"

#include <utility>

#include "event_queue.hpp"
#include "station.hpp"

namespace odsgd {
namespace {

constexpr std::size_t kSteps = 40;     // that are played
constexpr std::size_t kMeasured = 20;  // the last of them; even, as steps may take turns in pairs

/// One worker and the queues.
class Simulation {
 public:
  Simulation(std::vector<LayerMessages> layers, std::vector<Operation> operations, const Way& way)
      : layers_(std::move(layers)),
        operations_(std::move(operations)),
        latency_s_(way.latency_s),
        push_(events_, way.order, way.window_bytes,
              [this](std::size_t l) { delayed([=, this] { arrive(l); }); }),
        server_(events_, SendOrder::kFirstReady, 0,
                [this](std::size_t l) {
                  pull_.enter({l, layers_[l].bytes.pull, layers_[l].costs.pull_s});
                }),
        pull_(events_, way.order, way.window_bytes,
              [this](std::size_t l) { delayed([=, this] { land(l); }); }),
        landed_(layers_.size()) {}

  /// The mean time of the last steps.
  double step_s() {
    advance();
    events_.run();
    return (ends_.back() - ends_[ends_.size() - 1 - kMeasured]) / static_cast<double>(kMeasured);
  }

 private:
  void delayed(std::function<void()> call) { events_.after(latency_s_, std::move(call)); }

  void arrive(std::size_t l) {
    server_.enter({l, layers_[l].bytes.push, layers_[l].costs.server_s});
  }

  void land(std::size_t l) {
    ++landed_[l];
    if (std::exchange(is_waiting_, false)) advance();
  }

  /// Weights W^t of a layer are there when the messages of t pulls are.
  bool has_weights(std::size_t l, std::size_t lag) const {
    return landed_[l] + lag * static_cast<std::size_t>(layers_[l].messages) >=
           ends_.size() * static_cast<std::size_t>(layers_[l].messages);
  }

  /// The worker goes on until it computes or waits.
  void advance() {
    while (ends_.size() < kSteps) {
      const Operation& operation = operations_[at_];
      if (operation.kind == Operation::Kind::kAwait &&
          !has_weights(operation.layer, operation.lag)) {
        is_waiting_ = true;
        return;
      }
      if (operation.kind == Operation::Kind::kCompute) {
        events_.after(operation.seconds, [this] {
          finish_operation();
          advance();
        });
        return;
      }
      if (operation.kind == Operation::Kind::kPush) push(operation.layer);
      finish_operation();
    }
  }

  void push(std::size_t l) {
    for (int i = 0; i < layers_[l].messages; ++i)
      push_.enter({l, layers_[l].bytes.push, layers_[l].costs.push_s});
  }

  void finish_operation() {
    at_ = (at_ + 1) % operations_.size();
    if (at_ == 0) ends_.push_back(events_.now_s());
  }

  std::vector<LayerMessages> layers_;
  std::vector<Operation> operations_;
  double latency_s_;
  EventQueue events_;
  Station push_;
  Station server_;
  Station pull_;
  std::vector<std::size_t> landed_;  // messages of pulls, by layer
  std::vector<double> ends_;         // of the steps so far
  std::size_t at_ = 0;               // the operation in progress
  bool is_waiting_ = false;
};

}  // namespace

std::vector<Operation> operations_of(std::span<const LayerLoad> loads,
                                     const std::vector<LayerMessages>& layers, Schedule schedule) {
  using Kind = Operation::Kind;
  std::vector<Operation> operations;
  for (std::size_t l = 0; l < loads.size(); ++l) {
    const bool has_weights = layers[l].messages > 0;
    if (has_weights && schedule != Schedule::kOdSgdOneBuffer) {
      const bool is_od = schedule == Schedule::kOdSgd;
      operations.push_back({.kind = Kind::kAwait, .layer = l, .lag = is_od ? 1U : 0U});
      if (is_od) operations.push_back({Kind::kCompute, l, loads[l].update_s});
    }
    operations.push_back({Kind::kCompute, l, loads[l].forward_s});
  }
  for (std::size_t l = loads.size(); l-- > 0;) {
    operations.push_back({Kind::kCompute, l, loads[l].backward_s});
    if (layers[l].messages == 0) continue;
    const bool waits = schedule == Schedule::kOdSgdOneBuffer;
    if (waits) operations.push_back({Kind::kAwait, l});
    operations.push_back({Kind::kPush, l});
    if (waits) operations.push_back({Kind::kCompute, l, loads[l].update_s});
  }
  return operations;
}

double simulate_step_s(const std::vector<LayerMessages>& layers,
                       const std::vector<Operation>& operations, const Way& way) {
  return Simulation(layers, operations, way).step_s();
}

}  // namespace odsgd
