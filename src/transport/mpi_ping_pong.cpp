#include <mpi.h>

#include <algorithm>

#include "mpi_check.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

std::vector<double> MpiSession::ping_pong(std::size_t bytes, int repetitions) const {
  constexpr int kTag = 3;
  constexpr int kWarmUp = 3;
  ODSGD_REQUIRE(rank_ < 2 && size_ > 1, "ping-pong: got rank {} of {}, want 0 or 1 of more", rank_,
                size_);
  ODSGD_REQUIRE(bytes <= INT32_MAX, "ping-pong: got {} bytes, want at most {}", bytes, INT32_MAX);
  // Room for both in huge pages, as payloads have.
  AlignedBuffer<std::byte> memory(std::max(2 * bytes, kHugePage));
  std::byte* out = memory.data();
  std::byte* in = memory.data() + bytes;
  const auto count = static_cast<int>(bytes);
  const int peer = 1 - rank_;
  std::vector<double> half_trips_s;
  for (int i = 0; i < kWarmUp + repetitions; ++i) {
    const double begin_s = now_s();
    for (const bool sends : {rank_ == 0, rank_ != 0}) {
      if (sends) {
        ODSGD_MPI(MPI_Send(out, count, MPI_BYTE, peer, kTag, MPI_COMM_WORLD));
      } else {
        ODSGD_MPI(MPI_Recv(in, count, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      }
    }
    if (i >= kWarmUp) half_trips_s.push_back((now_s() - begin_s) / 2);
  }
  return half_trips_s;
}

}  // namespace odsgd
