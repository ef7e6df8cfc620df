#include "support/mpi_world.hpp"

#include "transport/world.hpp"

namespace odsgd::test {
namespace {

/// Every rank tells every other that it has ended, and waits for the others to say so.
void meet(Endpoint& endpoint) {
  for (int rank = 0; rank < endpoint.size(); ++rank) {
    endpoint.post(rank, {});
  }
  for (int i = 0; i < endpoint.size(); ++i) receive_one(endpoint);
  drive_until_sent(endpoint);
}

}  // namespace

void on_four_ranks(const RankBody& body, const MpiLimits& limits) {
  const auto endpoint = mpi_world().endpoint(limits);
  const auto meeting = mpi_world().endpoint();  // its messages cannot mix with the body's
  body(*endpoint);
  meet(*meeting);
}

}  // namespace odsgd::test
