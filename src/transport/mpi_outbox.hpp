#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi_requests.hpp"
#include "mpi_wire.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// What one endpoint still has to send. Threads: queue() and unsent() any, the others the one that
/// receives.
class MpiOutbox {
 public:
  MpiOutbox(int rank, std::span<const MpiWindow> windows, std::size_t part_bytes);

  void queue(int destination, const Envelope& envelope, Payload body, int urgency);

  /// Whether anything was queued since the last start().
  bool has_news() const { return has_news_.load(std::memory_order_acquire); }
  std::size_t unsent() const { return unsent_.load(std::memory_order_acquire); }

  /// Hands to MPI what the windows have room for; returns whether anything was.
  bool start(MPI_Comm comm, MpiRequests& requests);

  /// One operation has ended. Throws Error with its destination when it failed.
  void ended(const MpiRequests::Done& done);

 private:
  struct Queued {
    int urgency;
    std::uint64_t number;  // of posting
    Envelope envelope;
    Payload body;
  };
  struct Later {
    bool operator()(const Queued& a, const Queued& b) const {
      return a.urgency != b.urgency ? a.urgency > b.urgency : a.number > b.number;
    }
  };
  /// The way to one rank: what waits, as a heap, and how much is on its way.
  struct Way {
    std::size_t most_bytes = 0;  // to be under way
    std::vector<Queued> waiting;
    std::size_t bytes_under_way = 0;
    int bodies = 0;  // sent so far, modulo the number of tags
  };
  struct Send {
    int destination = -1;
    Payload body;
    std::size_t operations = 0;
    Wire wire;
  };

  bool take_next(Way& way, Queued& next);
  void start(int destination, Queued message, MPI_Comm comm, MpiRequests& requests);
  std::size_t free_send();

  int rank_;
  std::size_t part_bytes_;
  std::atomic<bool> has_news_ = false;
  std::atomic<std::size_t> queued_ = 0;
  std::atomic<std::size_t> unsent_ = 0;

  std::mutex mutex_;  // guards all below
  std::vector<Way> ways_;
  std::uint64_t posted_ = 0;

  // Of the receiving thread:
  std::vector<std::unique_ptr<Send>> sends_;  // their wires must stay where they are
  std::vector<std::size_t> free_;
};

}  // namespace odsgd
