#include "odsgd/ps/dispatcher.hpp"

#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

/// How long the progress thread waits inside the transport before it looks whether it should stop.
constexpr std::chrono::milliseconds kPatience{2};

/// Messages that are dispatched in one go: what has to be done every few milliseconds must not wait
/// for the end of a stream that has none.
constexpr int kMostAtOnce = 64;

}  // namespace

void Dispatcher::on(MessageKind kind, Handler handler) {
  handlers_.at(static_cast<std::size_t>(kind)) = std::move(handler);
}

bool Dispatcher::dispatch(std::chrono::microseconds patience) {
  auto message = endpoint_.receive(patience);
  if (!message) return false;
  for (int i = 1; message; ++i) {
    dispatch(*message);
    message = i < kMostAtOnce ? endpoint_.receive({}) : std::nullopt;
  }
  return true;
}

void Dispatcher::dispatch(const Message& message) {
  const auto kind = static_cast<std::size_t>(header_of(message).kind);
  ODSGD_REQUIRE(kind < kKinds && handlers_[kind],
                "message from rank {}: got kind {}, which rank {} does not expect", message.source,
                kind, endpoint_.rank());
  if (heard_) heard_(message.source);
  handlers_[kind](message);
}

ProgressThread::ProgressThread(Dispatcher& dispatcher, std::function<void()> between,
                               std::function<void(std::exception_ptr)> on_error)
    : thread_([this, &dispatcher, between = std::move(between),
               on_error = std::move(on_error)](const std::stop_token& stop) {
        try {
          while (!stop.stop_requested()) {
            dispatcher.dispatch(kPatience);
            between();
            cpu_s_.store(thread_cpu_s(), std::memory_order_relaxed);
          }
        } catch (...) {
          on_error(std::current_exception());
        }
      }) {}

}  // namespace odsgd
