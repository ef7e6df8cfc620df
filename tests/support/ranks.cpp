#include "support/ranks.hpp"

#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/transport/delayed.hpp"
#include "odsgd/transport/in_process.hpp"

namespace odsgd::test {
namespace {

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception without a text";  // a failed REQUIRE
  }
}

}  // namespace

std::unique_ptr<Endpoint> with_delays(std::unique_ptr<Endpoint> endpoint, const Delays& delays) {
  if (delays.longest.count() == 0) return endpoint;
  return delay_messages(std::move(endpoint), delays.longest, delays.seed);
}

void run_ranks(int ranks, const RankBody& body, const Delays& delays) {
  InProcessHub hub(ranks);
  std::mutex mutex;
  std::exception_ptr first;
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          const auto endpoint = with_delays(hub.endpoint(rank), delays);
          body(*endpoint);
        } catch (...) {
          const auto error = std::current_exception();
          {
            const std::lock_guard lock(mutex);
            if (!first) first = error;
          }
          hub.abort(text_of(error));
        }
      });
    }
  }
  if (first) std::rethrow_exception(first);
}

Message receive_one(Endpoint& endpoint) {
  auto message = endpoint.receive(std::chrono::seconds(20));
  ODSGD_REQUIRE(message.has_value(), "rank {}: got no message for 20 s, want one", endpoint.rank());
  return std::move(*message);
}

void drive_until_sent(Endpoint& endpoint) {
  while (endpoint.unsent() > 0) {
    const auto message = endpoint.receive(std::chrono::milliseconds(1));
    ODSGD_REQUIRE(!message, "rank {}: got a message from rank {}, want none", endpoint.rank(),
                  message->source);
  }
}

}  // namespace odsgd::test
