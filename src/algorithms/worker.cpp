#include "odsgd/algorithms/worker.hpp"

#include <cmath>
#include <utility>

#include "odsgd/algorithms/norm.hpp"
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
               GradientFunction gradient, const Tracer* tracer, float clip_norm)
    : client_(client),
      layout_(layout),
      workers_(workers),
      compute_(std::move(gradient)),
      tracer_(tracer),
      clip_norm_(clip_norm),
      sending_label_(label_in(tracer, "wait until sent")),
      weights_label_(label_in(tracer, "wait for weights")),
      update_label_(label_in(tracer, "local update")) {}

StepResult Worker::compute_gradient(std::span<const float> w, FunctionRef<void(Key)> before_forward,
                                    FunctionRef<void(Key)> after_backward) {
  const auto before_backward = [this](Key key) {
    const Stopwatch watch(times_.wait_s);
    const TimelineSpan span(tracer_, Lane::kWait, sending_label_, key);
    client_.wait_until_sent(key);
  };
  const auto callbacks_s = [this] { return times_.wait_s + times_.update_s + times_.post_s; };
  const double before_s = callbacks_s();
  const double begin_s = now_s();
  const KeyHooks hooks{before_forward, before_backward, after_backward};
  const StepResult result = std::isfinite(clip_norm_) ? compute_clipped(w, hooks)
                                                      : compute_(w, client_.gradient(), hooks);
  times_.compute_s += now_s() - begin_s - (callbacks_s() - before_s);
  return result;
}

StepResult Worker::compute_clipped(std::span<const float> w, KeyHooks hooks) {
  const auto nothing = [](Key) {};
  const auto after_backward = std::exchange(hooks.after_backward, nothing);
  const std::span<float> g = client_.gradient();
  const StepResult result = compute_(w, g, hooks);
  const double norm = std::sqrt(sum_of_squares(g.size(), [&](std::size_t i) { return g[i]; }));
  if (norm > clip_norm_) {
    const auto scale = static_cast<float>(clip_norm_ / norm);
    for (float& x : g) x *= scale;
  }
  for (Key k = layout_.keys(); k-- > 0;) after_backward(k);
  return result;
}

std::span<float> Worker::gradient(Key key) { return layout_.slice(key, client_.gradient()); }

std::span<float> Worker::used_gradient() {
  const Stopwatch watch(times_.wait_s);
  for (Key k = 0; k < layout_.keys(); ++k) client_.wait_until_sent(k);
  return client_.gradient();
}

void Worker::push(Key key, Clock t, std::optional<Clock> base_clock, std::optional<Codec> codec) {
  const Stopwatch watch(times_.post_s);
  client_.push(key, t, base_clock, codec);
}

Ticket Worker::pull(Key key, Clock at_least) {
  const Stopwatch watch(times_.post_s);
  return client_.pull(key, at_least);
}

Ticket Worker::push_and_pull(Key key, Clock t, std::optional<Clock> base_clock, Clock at_least,
                             std::optional<Codec> codec) {
  const Stopwatch watch(times_.post_s);
  return client_.push_and_pull(key, t, base_clock, at_least, codec);
}

void Worker::receive_into(const Ticket& ticket, std::span<float> into) {
  const Stopwatch watch(times_.post_s);
  client_.receive_into(ticket, into);
}

Ticket Worker::pull_together(Key key, Clock at_least) {
  const Stopwatch watch(times_.post_s);
  return client_.pull_together(key, at_least);
}

PulledClock Worker::wait(Key key, Ticket& ticket, std::span<float> into) {
  const Stopwatch watch(times_.wait_s);
  const TimelineSpan span(tracer_, Lane::kWait, weights_label_, key);
  return client_.wait(ticket, into);
}

void Worker::wait_exactly(Key key, Ticket& ticket, Clock clock, std::span<float> into) {
  const PulledClock got = wait(key, ticket, into);
  ODSGD_REQUIRE(got.oldest == clock && got.newest == clock,
                "weights of {}: got clocks {} to {}, want {}", layout_[key].name, got.oldest,
                got.newest, clock);
}

}  // namespace odsgd
