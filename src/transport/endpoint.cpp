#include "odsgd/transport/endpoint.hpp"

#include "odsgd/base/error.hpp"

namespace odsgd {

Place Endpoint::landing_of(int source, const Envelope& envelope, std::size_t bytes,
                           bool may_wait) const {
  if (!landing_ || bytes == 0) return {};
  const Place place = landing_(source, envelope, bytes, may_wait);
  ODSGD_REQUIRE(place.memory.empty() || place.memory.size() == bytes,
                "message from rank {}: got room for {} bytes, want {}", source, place.memory.size(),
                bytes);
  return place;
}

}  // namespace odsgd
