#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd::test {

/// Delays that a test injects into the messages that a rank receives.
struct Delays {
  std::chrono::microseconds longest{0};  ///< 0: none
  std::uint64_t seed = 1;
};

/// The endpoint, with the delays around it unless there are none.
std::unique_ptr<Endpoint> with_delays(std::unique_ptr<Endpoint> endpoint, const Delays& delays);

using RankBody = std::function<void(Endpoint&)>;

/// Runs the body once a rank, every rank a thread of this process. When one throws, the exchange is
/// aborted, so that none waits for ever, and the first exception is rethrown here.
void run_ranks(int ranks, const RankBody& body, const Delays& delays = {});

/// The next message; throws Error when none comes for 20 s.
Message receive_one(Endpoint& endpoint);

/// Receives until all that was posted here is sent; throws Error when a message comes.
void drive_until_sent(Endpoint& endpoint);

}  // namespace odsgd::test
