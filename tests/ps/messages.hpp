#pragma once

#include <cstring>
#include <vector>

#include "odsgd/ps/client.hpp"
#include "odsgd/ps/protocol.hpp"

namespace odsgd::test {

inline Message message_from(int source, const Header& header,
                            const std::vector<float>& floats = {}) {
  BufferPool pool;
  const Draft draft = pool.take(floats.size() * sizeof(float));
  if (!floats.empty()) std::memcpy(draft.bytes.data(), floats.data(), draft.bytes.size());
  return {source, envelope_of(header), draft.payload};
}

/// Posts what message_from() gives.
inline void post(Endpoint& endpoint, int rank, const Message& message) {
  endpoint.post(rank, message.envelope, message.body);
}

inline Message push_from(int source, std::uint32_t slice, Clock step, Clock base_clock,
                         const std::vector<float>& g) {
  return message_from(
      source, {.kind = MessageKind::kPush, .slice = slice, .clock = step, .base_clock = base_clock},
      g);
}

/// A pull with ticket 7.
inline Message pull_from(int source, std::uint32_t slice, Clock at_least, bool together = false) {
  return message_from(source, {.kind = MessageKind::kPull,
                               .slice = slice,
                               .ticket = 7,
                               .at_least = at_least,
                               .together = together});
}

inline Message weights_from(int source, const Ticket& ticket, std::uint32_t slice, Clock clock,
                            const std::vector<float>& w) {
  return message_from(
      source, {.kind = MessageKind::kWeights, .slice = slice, .clock = clock, .ticket = ticket.id},
      w);
}

inline std::vector<float> floats_in(const Message& message) {
  const auto floats = floats_of(message.body, message.body.size() / sizeof(float));
  return {floats.begin(), floats.end()};
}

}  // namespace odsgd::test
