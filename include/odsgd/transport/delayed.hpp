#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// Wraps an endpoint so that each message is delivered up to `longest` later than it came, by an
/// amount drawn at random from (seed, rank, count). Messages of one source stay in order, those of
/// different sources overtake each other; a sum counts as a message of this rank. Used to show that
/// results do not depend on timing.
std::unique_ptr<Endpoint> delay_messages(std::unique_ptr<Endpoint> inner,
                                         std::chrono::microseconds longest, std::uint64_t seed);

}  // namespace odsgd
