#include "transport/world.hpp"

namespace odsgd::test {

void on_four_ranks(const RankBody& body, const MpiLimits& /*limits*/) {
  run_ranks(kWorldSize, body);
}

}  // namespace odsgd::test
