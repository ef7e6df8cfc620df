#include "odsgd/ps/gathering.hpp"

#include <algorithm>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {

Gathering::Gathering(const ServerHalf& half, int workers)
    : takes_rounds_(half.takes_rounds), workers_(static_cast<std::size_t>(workers)) {
  if (takes_rounds_) {
    rounds_.resize(half.most_ahead + 1);
    for (Round& round : rounds_) round.pushes.resize(workers_);
  } else {
    pushed_.resize(workers_);
    applied_.resize(workers_);
  }
}

void Gathering::add(Push push, Clock clock) {
  takes_rounds_ ? add_to_round(std::move(push), clock) : add_single(std::move(push));
}

void Gathering::add_to_round(Push push, Clock clock) {
  const Clock last = clock + rounds_.size() - 1;
  Round& round = round_of(push.step);
  Push& place = round.pushes[static_cast<std::size_t>(push.worker)];
  const bool is_double = place.body.size() > 0 && place.step == push.step;
  ODSGD_REQUIRE(push.step >= clock && push.step <= last && !is_double,
                "got step {}{}, want one push of step {} to {}", push.step,
                is_double ? " again" : "", clock, last);
  place = std::move(push);
  ++round.arrived;
}

void Gathering::add_single(Push push) {
  Clock& pushed = pushed_[static_cast<std::size_t>(push.worker)];
  ODSGD_REQUIRE(push.step == pushed, "got step {}, want {}", push.step, pushed);
  ++pushed;
  queue_.push(std::move(push));
}

bool Gathering::is_due(Clock clock) const {
  if (!takes_rounds_) return !queue_.empty();
  return round_of(clock).arrived == workers_;
}

std::span<const Push> Gathering::due(Clock clock) {
  if (takes_rounds_) return round_of(clock).pushes;
  single_ = queue_.pop();
  return {&single_, 1};
}

Clock Gathering::steps_of_all(Clock clock) const {
  return takes_rounds_ ? clock : *std::min_element(applied_.begin(), applied_.end());
}

bool Gathering::includes(int worker, Clock steps, Clock clock) const {
  return steps <= (takes_rounds_ ? clock : applied_[static_cast<std::size_t>(worker)]);
}

bool Gathering::is_waiting_for(int worker, Clock clock) const {
  if (!takes_rounds_) return false;
  const Round& round = round_of(clock);
  return round.arrived > 0 && round.pushes[static_cast<std::size_t>(worker)].body.size() == 0;
}

}  // namespace odsgd
