#include "odsgd/ps/protocol.hpp"

#include <cstring>

#include "odsgd/base/error.hpp"

namespace odsgd {

Payload make_message(BufferPool& buffers, const Header& header,
                     std::span<const std::byte> content) {
  auto bytes = buffers.take(sizeof(Header) + content.size());
  std::memcpy(bytes->data(), &header, sizeof(Header));
  if (!content.empty()) std::memcpy(bytes->data() + sizeof(Header), content.data(), content.size());
  return bytes;
}

const Header& header_of(const Message& message) {
  ODSGD_REQUIRE(message.payload->size() >= sizeof(Header),
                "message from rank {}: got {} bytes, want at least {}", message.source,
                message.payload->size(), sizeof(Header));
  return header_of(message.payload);
}

const Header& header_of(const Payload& payload) {
  return *reinterpret_cast<const Header*>(payload->data());
}

std::span<const std::byte> content_of(const Payload& payload) {
  return payload->span().subspan(sizeof(Header));
}

std::span<const float> floats_of(const Payload& payload, std::size_t count) {
  const auto content = content_of(payload);
  ODSGD_REQUIRE(content.size() == count * sizeof(float),
                "message: got {} bytes, want {} ({} floats)", content.size(), count * sizeof(float),
                count);
  return {reinterpret_cast<const float*>(content.data()), count};
}

}  // namespace odsgd
