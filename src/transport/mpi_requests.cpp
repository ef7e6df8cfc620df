#include "mpi_requests.hpp"

#include <algorithm>
#include <functional>

#include "mpi_check.hpp"

namespace odsgd {

MPI_Request& MpiRequests::add(Kind kind, std::size_t index) {
  owners_.push_back({kind, index});
  if (kind != Kind::kEnvelope) ++transfers_;
  return requests_.emplace_back(MPI_REQUEST_NULL);
}

const std::vector<MpiRequests::Done>& MpiRequests::test() {
  done_.clear();
  indices_.resize(requests_.size());
  int count = 0;
  ODSGD_MPI(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                         indices_.data(), MPI_STATUSES_IGNORE));
  if (count == MPI_UNDEFINED) return done_;
  // From the back, so that the last entry, which fills the gap, is one that goes on.
  std::sort(indices_.begin(), indices_.begin() + count, std::greater<>());
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
    done_.push_back(owners_[at]);
    if (owners_[at].kind != Kind::kEnvelope) --transfers_;
    requests_[at] = requests_.back();
    owners_[at] = owners_.back();
    requests_.pop_back();
    owners_.pop_back();
  }
  return done_;
}

void MpiRequests::cancel_envelopes() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (owners_[i].kind != Kind::kEnvelope) continue;
    MPI_Cancel(&requests_[i]);
    MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
  }
}

}  // namespace odsgd
