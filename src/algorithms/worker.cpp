#include "odsgd/algorithms/worker.hpp"

#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

/// Adds the time of its scope to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum_s) : sum_s_(sum_s), begin_s_(now_s()) {}
  ~Stopwatch() { sum_s_ += now_s() - begin_s_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_s_;
  double begin_s_;
};

}  // namespace

Worker::Worker(Client& client, const ParameterLayout& layout, int workers,
               GradientFunction gradient)
    : client_(client),
      layout_(layout),
      workers_(workers),
      compute_(std::move(gradient)),
      gradient_(layout.floats()) {}

StepResult Worker::compute_gradient(std::span<const float> w, const KeyHooks& hooks) {
  const auto callbacks_s = [this] { return times_.wait_s + times_.update_s + times_.post_s; };
  const double before_s = callbacks_s();
  const double begin_s = now_s();
  const StepResult result = compute_(w, gradient_.span(), hooks);
  times_.compute_s += now_s() - begin_s - (callbacks_s() - before_s);
  return result;
}

std::span<const float> Worker::gradient(Key key) const {
  return layout_.slice(key, gradient_.span());
}

void Worker::push(Key key, Clock t, std::optional<Clock> base_clock) {
  const Stopwatch watch(times_.post_s);
  client_.push(key, t, base_clock, gradient(key));
}

Ticket Worker::pull(Key key, Clock at_least) {
  const Stopwatch watch(times_.post_s);
  return client_.pull(key, at_least);
}

Ticket Worker::pull_together(Key key, Clock at_least) {
  const Stopwatch watch(times_.post_s);
  return client_.pull_together(key, at_least);
}

PulledClock Worker::wait(Ticket& ticket, std::span<float> into) {
  const Stopwatch watch(times_.wait_s);
  return client_.wait(ticket, into);
}

void Worker::wait_exactly(Key key, Ticket& ticket, Clock clock, std::span<float> into) {
  const PulledClock got = wait(ticket, into);
  ODSGD_REQUIRE(got.oldest == clock && got.newest == clock,
                "weights of {}: got clocks {} to {}, want {}", layout_[key].name, got.oldest,
                got.newest, clock);
}

}  // namespace odsgd
