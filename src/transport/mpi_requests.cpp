#include "mpi_requests.hpp"

#include <algorithm>
#include <numeric>

#include "mpi_check.hpp"

namespace odsgd {

MPI_Request& MpiRequests::add(Kind kind, std::size_t index) {
  owners_.push_back({kind, index});
  if (kind != Kind::kEnvelope) ++transfers_;
  return requests_.emplace_back(MPI_REQUEST_NULL);
}

MpiRequests::Done MpiRequests::done_at(std::size_t request, const MPI_Status& status,
                                       bool has_failures) const {
  const Owner& owner = owners_[request];
  Done done{owner.kind, owner.index};
  if (has_failures) done.status = status.MPI_ERROR;  // set in this case alone
  if (owner.kind == Kind::kEnvelope || owner.kind == Kind::kBody) {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    done.bytes = static_cast<std::size_t>(std::max(bytes, 0));
  }
  return done;
}

const std::vector<MpiRequests::Done>& MpiRequests::test() {
  done_.clear();
  indices_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int count = 0;
  const int status = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                  indices_.data(), statuses_.data());
  if (status != MPI_ERR_IN_STATUS) check_mpi(status, "MPI_Testsome");
  if (count == MPI_UNDEFINED) return done_;
  // From the back, so that the last entry, which fills the gap, is one that goes on.
  order_.resize(static_cast<std::size_t>(count));
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [this](int a, int b) {
    return indices_[static_cast<std::size_t>(a)] > indices_[static_cast<std::size_t>(b)];
  });
  for (const int place : order_) {
    const auto i = static_cast<std::size_t>(place);
    const auto at = static_cast<std::size_t>(indices_[i]);
    done_.push_back(done_at(at, statuses_[i], status == MPI_ERR_IN_STATUS));
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
