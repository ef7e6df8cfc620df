#pragma once

#include <cstddef>
#include <cstring>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd::test {

/// A payload of one number, for posting.
inline Payload payload_of(Endpoint& endpoint, int number) {
  const Draft draft = endpoint.buffers().take(sizeof number);
  std::memcpy(draft.bytes.data(), &number, sizeof number);
  return draft.payload;
}

inline Envelope envelope_of(int number) {
  Envelope envelope{};
  std::memcpy(envelope.data(), &number, sizeof number);
  return envelope;
}

/// The first number of a body or an envelope.
inline int number_in(std::span<const std::byte> bytes) {
  int number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}
inline int number_in(const Payload& payload) { return number_in(payload.bytes()); }

/// Byte i of a payload that a test can tell from others.
inline std::byte pattern(std::size_t i, int seed) {
  return static_cast<std::byte>((i * 31 + i / 251 + static_cast<std::size_t>(seed)) % 256);
}

inline Payload patterned(Endpoint& endpoint, std::size_t count, int seed) {
  const Draft draft = endpoint.buffers().take(count);
  for (std::size_t i = 0; i < count; ++i) draft.bytes[i] = pattern(i, seed);
  return draft.payload;
}

inline bool is_patterned(std::span<const std::byte> bytes, std::size_t count, int seed) {
  if (bytes.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] != pattern(i, seed)) return false;
  }
  return true;
}
inline bool is_patterned(const Payload& payload, std::size_t count, int seed) {
  return is_patterned(payload.bytes(), count, seed);
}

}  // namespace odsgd::test
