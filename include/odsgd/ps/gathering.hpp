#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "odsgd/base/fifo.hpp"
#include "odsgd/ps/server_rule.hpp"

namespace odsgd {

/// The pushes of one slice that have come and are still to be applied, and how far each worker's
/// have been applied. Threads: one at a time.
class Gathering {
 public:
  Gathering(const ServerHalf& half, int workers);

  /// Takes a push, with the slice at `clock`. Throws Error for a step that cannot come now.
  void add(Push push, Clock clock);

  /// Whether there is an update to be done, and the pushes that it takes: in worker order, valid
  /// until they are let go.
  bool is_due(Clock clock) const;
  std::span<const Push> due(Clock clock);

  /// After the update: lets go of its pushes, each of which `count` sees first.
  template <class Count>
  void let_go(Clock clock, Count count);

  /// The steps of which every worker's pushes have been applied.
  Clock steps_of_all(Clock clock) const;

  /// Whether this worker's pushes of so many steps have been applied.
  bool includes(int worker, Clock steps, Clock clock) const;

  /// Whether a round has begun without this worker's push.
  bool is_waiting_for(int worker, Clock clock) const;

 private:
  /// The pushes of one step.
  struct Round {
    std::vector<Push> pushes;  // by worker; with a body once it has arrived
    std::size_t arrived = 0;
  };
  Round& round_of(Clock step) { return rounds_[step % rounds_.size()]; }
  const Round& round_of(Clock step) const { return rounds_[step % rounds_.size()]; }
  void add_to_round(Push push, Clock clock);
  void add_single(Push push);

  bool takes_rounds_;
  std::size_t workers_;
  std::vector<Round> rounds_;   // a ring: the round of the step `clock` is next
  Fifo<Push> queue_;            // of a rule that takes each push by itself,
  Push single_;                 // the one that is being applied,
  std::vector<Clock> pushed_;   // and by worker how many have come
  std::vector<Clock> applied_;  // and been applied
};

}  // namespace odsgd

template <class Count>
void odsgd::Gathering::let_go(Clock clock, Count count) {
  const auto drop = [&](Push& push) {
    count(push);
    push.body = {};
    push.base = {};
  };
  if (!takes_rounds_) {
    ++applied_[static_cast<std::size_t>(single_.worker)];
    drop(single_);
    return;
  }
  Round& round = round_of(clock);
  for (Push& push : round.pushes) drop(push);
  round.arrived = 0;
}
