#include "odsgd/transport/endpoint.hpp"

#include "odsgd/base/error.hpp"

namespace odsgd {

std::span<std::byte> Endpoint::landing_of(int source, const Envelope& envelope,
                                          std::size_t bytes) const {
  if (!landing_ || bytes == 0) return {};
  const std::span<std::byte> place = landing_(source, envelope, bytes);
  ODSGD_REQUIRE(place.empty() || place.size() == bytes,
                "message from rank {}: got room for {} bytes, want {}", source, place.size(),
                bytes);
  return place;
}

}  // namespace odsgd
