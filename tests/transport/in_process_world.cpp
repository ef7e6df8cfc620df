#include "transport/world.hpp"

namespace odsgd::test {

void on_four_ranks(const RankBody& body) { run_ranks(kWorldSize, body); }

}  // namespace odsgd::test
