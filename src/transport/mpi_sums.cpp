#include "mpi_sums.hpp"

#include <utility>

#include "mpi_check.hpp"

namespace odsgd {
namespace {

/// Sums under way at once: enough to keep the ways busy, and few, so that the first is complete
/// long before the last and its weights can be updated meanwhile.
constexpr std::size_t kMostUnderWay = 4;

}  // namespace

void MpiSums::queue(const Envelope& envelope, Payload mine) {
  const std::size_t bytes = mine.size();
  ODSGD_REQUIRE(bytes % sizeof(float) == 0 && bytes / sizeof(float) <= INT32_MAX,
                "sum: got {} bytes, want floats, at most {}", bytes, INT32_MAX);
  unsent_.fetch_add(1, std::memory_order_acq_rel);
  const std::lock_guard lock(mutex_);
  queued_.push({envelope, std::move(mine)});
  has_news_.store(true, std::memory_order_release);
}

bool MpiSums::take_next(Queued& next) {
  if (under_way_ == kMostUnderWay) return false;
  const std::lock_guard lock(mutex_);
  if (queued_.empty()) return false;
  next = queued_.pop();
  return true;
}

bool MpiSums::start(MPI_Comm comm, MpiRequests& requests) {
  has_news_.store(false, std::memory_order_release);
  bool has_started = false;
  for (Queued next; take_next(next); has_started = true) {
    if (free_.empty()) {
      free_.push_back(sums_.size());
      sums_.emplace_back();
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    Sum& sum = sums_[index];
    const Draft into = landing_(next.envelope, next.mine.size());
    sum = {next.envelope, std::move(next.mine), into.payload};
    ++under_way_;
    ODSGD_MPI(MPI_Iallreduce(sum.mine.bytes().data(), into.bytes.data(),
                             static_cast<int>(into.bytes.size() / sizeof(float)), MPI_FLOAT,
                             MPI_SUM, comm, &requests.add(MpiRequests::Kind::kSum, index)));
  }
  return has_started;
}

void MpiSums::ended(const MpiRequests::Done& done) {
  const std::size_t index = done.index;
  Sum& sum = sums_[index];
  ODSGD_REQUIRE(done.status == MPI_SUCCESS, "the sum of {} bytes of all ranks failed: {}",
                sum.mine.size(), mpi_error_text(done.status));
  sum.mine = {};
  complete_.push({rank_, sum.envelope, std::move(sum.total)});
  free_.push_back(index);
  --under_way_;
  unsent_.fetch_sub(1, std::memory_order_acq_rel);
}

std::optional<Message> MpiSums::take_complete() {
  if (complete_.empty()) return std::nullopt;
  return complete_.pop();
}

}  // namespace odsgd
