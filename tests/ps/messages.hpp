#pragma once

#include <vector>

#include "odsgd/ps/protocol.hpp"

namespace odsgd::test {

inline Message message_from(int source, const Header& header,
                            const std::vector<float>& floats = {}) {
  BufferPool pool;
  return {source, make_message(pool, header, std::as_bytes(std::span(floats)))};
}

inline Message push_from(int source, std::uint32_t slice, Clock step, Clock base_clock,
                         const std::vector<float>& g) {
  return message_from(source,
                      {.kind = MessageKind::kPush,
                       .codec = Codec::kFloat32,
                       .slice = slice,
                       .clock = step,
                       .base_clock = base_clock},
                      g);
}

inline Message pull_from(int source, std::uint32_t slice, Clock at_least, bool together = false) {
  return message_from(source, {.kind = MessageKind::kPull,
                               .codec = Codec::kFloat32,
                               .slice = slice,
                               .clock = at_least,
                               .base_clock = 0,
                               .together = together});
}

inline Message weights_from(int source, std::uint32_t slice, Clock clock,
                            const std::vector<float>& w) {
  return message_from(source,
                      {.kind = MessageKind::kWeights,
                       .codec = Codec::kFloat32,
                       .slice = slice,
                       .clock = clock,
                       .base_clock = 0},
                      w);
}

}  // namespace odsgd::test
