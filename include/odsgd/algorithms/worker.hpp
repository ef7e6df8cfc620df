#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "odsgd/base/function_ref.hpp"
#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/timeline.hpp"
#include "odsgd/ps/client.hpp"

namespace odsgd {

/// What one forward and backward pass found.
struct StepResult {
  double loss = 0;  ///< mean over the batch
  int correct = 0;  ///< samples whose class was found
};

/// Where a pass calls back, with every key once each.
struct KeyHooks {
  /// Before the forward pass first reads the key's weights.
  FunctionRef<void(Key)> before_forward;
  /// Before backward first writes the key's gradient.
  FunctionRef<void(Key)> before_backward;
  /// When backward has the key's gradient and no longer reads its weights; output layer first.
  FunctionRef<void(Key)> after_backward;
};

/// Computes the mean gradient g of the next local batch at weights w. Both ranges hold all
/// parameters.
using GradientFunction =
    std::function<StepResult(std::span<const float> w, std::span<float> g, const KeyHooks& hooks)>;

/// Where a worker's time went so far. Seconds; no second is in two of them.
struct WorkerTimes {
  double compute_s = 0;  ///< forward and backward passes, without what their callbacks took
  double wait_s = 0;     ///< blocked in waits for the exchange: communication that was not hidden
  double update_s = 0;   ///< local updates
  double post_s = 0;     ///< handing pushes and pulls to the transport
};

/// What the worker half of an algorithm works with: its gradient, its parameter server, and a clock
/// on every part of it. Threads: the worker's compute thread.
class Worker {
 public:
  /// The references must outlive the worker, and so must the tracer, if there is one: then each
  /// wait and each local update of a key is a span. `workers` is their number in the job. A
  /// gradient longer than `clip_norm` is cut to that length: its length is known only when backward
  /// has ended, so after_backward is called only then.
  Worker(Client& client, const ParameterLayout& layout, int workers, GradientFunction gradient,
         const Tracer* tracer = nullptr, float clip_norm = std::numeric_limits<float>::infinity());

  const ParameterLayout& layout() const { return layout_; }
  int workers() const { return workers_; }

  /// One pass over the next batch, which calls back before a key's forward and after its backward.
  /// From after_backward(k) until the next pass's backward, gradient(k) holds the gradient of key
  /// k; it may be changed until it is pushed.
  StepResult compute_gradient(std::span<const float> w, FunctionRef<void(Key)> before_forward,
                              FunctionRef<void(Key)> after_backward);
  std::span<float> gradient(Key key);

  /// The memory of all gradients, free to be used until the next pass; waits until the last ones
  /// are sent.
  std::span<float> used_gradient();

  /// Pushes gradient(key) of step t, taken with weights of clock `base_clock`; without one, with
  /// those that were waited for last. Without a codec, with the exchange's own. See Client.
  void push(Key key, Clock t, std::optional<Clock> base_clock = std::nullopt,
            std::optional<Codec> codec = std::nullopt);
  Ticket pull(Key key, Clock at_least);
  Ticket push_and_pull(Key key, Clock t, std::optional<Clock> base_clock, Clock at_least,
                       std::optional<Codec> codec = std::nullopt);
  Ticket pull_together(Key key, Clock at_least);
  void receive_into(const Ticket& ticket, std::span<float> into);

  /// Whether the pull's weights are there: then no wait for them blocks.
  bool has_arrived(const Ticket& ticket) const { return client_.has_arrived(ticket); }

  /// Waits until the key's pulled weights are in `into`.
  PulledClock wait(Key key, Ticket& ticket, std::span<float> into);
  /// Same, and throws Error unless these are the weights of exactly this clock.
  void wait_exactly(Key key, Ticket& ticket, Clock clock, std::span<float> into);

  /// Runs the local update of a key, and counts its time as such.
  template <class Update>
  void update_locally(Key key, Update&& update);

  const WorkerTimes& times() const { return times_; }

 private:
  StepResult compute_clipped(std::span<const float> w, KeyHooks hooks);

  Client& client_;
  const ParameterLayout& layout_;
  int workers_;
  GradientFunction compute_;
  WorkerTimes times_;
  const Tracer* tracer_;
  float clip_norm_;
  Timeline::Label sending_label_;  // waits until a gradient has been sent,
  Timeline::Label weights_label_;  // and for weights
  Timeline::Label update_label_;
};

}  // namespace odsgd

#include "odsgd/base/host.hpp"

template <class Update>
void odsgd::Worker::update_locally(Key key, Update&& update) {
  const TimelineSpan span(tracer_, Lane::kUpdate, update_label_, key);
  const double begin_s = now_s();
  update();
  times_.update_s += now_s() - begin_s;
}
