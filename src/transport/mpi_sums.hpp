#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "mpi_requests.hpp"
#include "odsgd/base/fifo.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// The sums that one endpoint takes part in, each an MPI_Iallreduce, started strictly in the order
/// of queueing. Threads: queue(), has_news() and unsent() any, the others the one that receives.
class MpiSums {
 public:
  /// Where the sum lands: the memory, and the payload that it will be.
  using Landing = std::function<Draft(const Envelope& envelope, std::size_t bytes)>;

  MpiSums(int rank, Landing landing) : rank_(rank), landing_(std::move(landing)) {}

  void queue(const Envelope& envelope, Payload mine);

  /// Whether any waits to be started that may be.
  bool has_news() const { return has_news_.load(std::memory_order_acquire); }
  std::size_t unsent() const { return unsent_.load(std::memory_order_acquire); }

  /// Starts what may be under way; returns whether anything was. `comm` carries nothing else.
  bool start(MPI_Comm comm, MpiRequests& requests);

  /// Throws Error when it failed.
  void ended(const MpiRequests::Done& done);

  std::optional<Message> take_complete();

 private:
  struct Queued {
    Envelope envelope{};
    Payload mine;
  };
  struct Sum {
    Envelope envelope{};
    Payload mine;
    Payload total;
  };

  bool take_next(Queued& next);

  int rank_;
  Landing landing_;
  std::atomic<bool> has_news_ = false;
  std::atomic<std::size_t> unsent_ = 0;

  std::mutex mutex_;  // guards the next
  Fifo<Queued> queued_;

  // Of the receiving thread:
  std::vector<Sum> sums_;
  std::vector<std::size_t> free_;
  std::size_t under_way_ = 0;
  Fifo<Message> complete_;
};

}  // namespace odsgd
