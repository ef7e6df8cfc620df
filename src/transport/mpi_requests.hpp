#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace odsgd {

/// The MPI operations under way at one endpoint, tested all in one call: each call lets MPI make
/// progress once, however many they are. Threads: one.
class MpiRequests {
 public:
  enum class Kind { kSend, kEnvelope, kBody, kSum };

  /// An operation that belongs to entry `index` of whoever handles this kind. The reference is to
  /// be filled by the MPI call before the next one here.
  MPI_Request& add(Kind kind, std::size_t index);

  struct Done {
    Kind kind;
    std::size_t index;
    int status = MPI_SUCCESS;  ///< how it ended; whoever owns it knows between whom it was
    std::size_t bytes = 0;     ///< received; of the other kinds 0
  };
  /// What has ended since the last call, well or not; valid until the next.
  const std::vector<Done>& test();

  bool empty() const { return requests_.empty(); }

  /// Cancels all receives of envelopes and waits until they have ended.
  void cancel_envelopes();

  /// Operations that MPI still reads or writes memory for, without waiting receives of envelopes.
  std::size_t transfers() const { return transfers_; }

 private:
  struct Owner {
    Kind kind;
    std::size_t index;
  };
  Done done_at(std::size_t request, const MPI_Status& status, bool has_failures) const;

  std::vector<MPI_Request> requests_;
  std::vector<Owner> owners_;  // by request
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;  // by place in indices_
  std::vector<int> order_;            // places in indices_
  std::vector<Done> done_;
  std::size_t transfers_ = 0;
};

}  // namespace odsgd
