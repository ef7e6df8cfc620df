#pragma once

#include <cstddef>
#include <cstring>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd::test {

/// A payload of one number.
inline Payload payload_of(int number) {
  auto bytes = std::make_shared<Bytes>(sizeof number);
  std::memcpy(bytes->data(), &number, sizeof number);
  return bytes;
}

/// The first number of a payload.
inline int number_in(const Payload& payload) {
  int number = 0;
  std::memcpy(&number, payload->data(), sizeof number);
  return number;
}

/// Byte i of a payload that a test can tell from others.
inline std::byte pattern(std::size_t i, int seed) {
  return static_cast<std::byte>((i * 31 + i / 251 + static_cast<std::size_t>(seed)) % 256);
}

inline std::shared_ptr<Bytes> patterned(std::size_t count, int seed) {
  auto bytes = std::make_shared<Bytes>(count);
  for (std::size_t i = 0; i < count; ++i) (*bytes)[i] = pattern(i, seed);
  return bytes;
}

inline bool is_patterned(const Payload& payload, std::size_t count, int seed) {
  if (payload->size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if ((*payload)[i] != pattern(i, seed)) return false;
  }
  return true;
}

}  // namespace odsgd::test
