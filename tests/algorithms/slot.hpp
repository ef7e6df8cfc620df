#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "odsgd/algorithms/registry.hpp"

namespace odsgd::test {

/// One slice with its server rule, driven as a server drives it.
class Slot {
 public:
  Slot(const std::string& algorithm, const AlgorithmSettings& settings, std::vector<float> weights,
       bool decays = true)
      : weights_(std::move(weights)),
        rule_(find_algorithm(algorithm).make_server(settings).make_rule(weights_.size())) {
    slice_.where.count = weights_.size();
    slice_.decays = decays;
  }

  /// One update with the gradients of workers 0, 1, ..., or sums of `workers` each.
  void update(const std::vector<std::vector<float>>& gradients, int workers = 1) {
    std::vector<Push> pushes;
    for (const auto& g : gradients) {
      pushes.push_back({.worker = static_cast<int>(pushes.size()),
                        .workers = workers,
                        .body = Payload(std::as_bytes(std::span(g)))});
    }
    apply(pushes);
  }

  /// One update by the gradient that one worker has taken at `base`, in its step t.
  void push(int worker, Clock t, const std::vector<float>& g, const std::vector<float>& base) {
    const Push push{.worker = worker,
                    .step = t,
                    .body = Payload(std::as_bytes(std::span(g))),
                    .base = Payload(std::as_bytes(std::span(base)))};
    apply({&push, 1});
  }

  const std::vector<float>& weights() const { return weights_; }

 private:
  /// In place or into other memory by turns.
  void apply(std::span<const Push> pushes) {
    slice_.weights = weights_;
    std::vector<float> other(weights_.size());
    std::vector<float>& updated = slice_.clock % 2 == 0 ? weights_ : other;
    rule_->update(slice_, pushes, updated);
    weights_ = std::vector(updated);
    ++slice_.clock;
  }

  std::vector<float> weights_;
  ServerSlice slice_;
  std::unique_ptr<ServerRule> rule_;
};

}  // namespace odsgd::test
