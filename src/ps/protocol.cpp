#include "odsgd/ps/protocol.hpp"

#include <cstring>

#include "odsgd/base/error.hpp"
#include "odsgd/base/names.hpp"

namespace odsgd {

Envelope envelope_of(const Header& header) {
  static_assert(sizeof(Header) <= sizeof(Envelope));
  Envelope envelope{};
  std::memcpy(envelope.data(), &header, sizeof header);
  return envelope;
}

Header header_of(const Message& message) {
  Header header;
  std::memcpy(&header, message.envelope.data(), sizeof header);
  return header;
}

std::span<const float> floats_of(const Payload& body, std::size_t count) {
  ODSGD_REQUIRE(body.size() == count * sizeof(float), "message: got {} bytes, want {} ({} floats)",
                body.size(), count * sizeof(float), count);
  return {reinterpret_cast<const float*>(body.bytes().data()), count};
}

const std::vector<std::string>& priority_names() {
  static const std::vector<std::string> names{"fifo", "layer"};
  return names;
}

Priority priority_of(const std::string& name) {
  return static_cast<Priority>(place_of_name("priority", priority_names(), name));
}

int urgency_of(Priority priority, Key key) {
  return priority == Priority::kLayer ? static_cast<int>(key) : 0;
}

}  // namespace odsgd
