#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/base/fifo.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// The endpoints of ranks that are threads of one process. Payloads are handed over without a copy,
/// unless they are to land somewhere. Messages always stay in order: the way is never busy. Sums
/// are made in the order of ranks, each once, by the thread that receives at the rank that came
/// last.
class InProcessHub {
 public:
  explicit InProcessHub(int size);

  /// The hub must outlive its endpoints.
  std::unique_ptr<Endpoint> endpoint(int rank);
  int size() const { return static_cast<int>(boxes_.size()); }

  /// Ends the exchange: every receive, also one that waits now, throws Error with this text.
  void abort(const std::string& why);

 private:
  class InProcessEndpoint;
  struct Sum {
    std::vector<Message> terms;  // by rank
    std::size_t missing = 0;
  };
  struct Box {
    std::atomic<std::size_t> sums_under_way = 0;  // that this rank takes part in
    std::mutex mutex;                             // guards all below
    std::condition_variable arrived;
    Fifo<Message> messages;
    Fifo<Sum> due_sums;   // that this rank has to make
    std::string aborted;  // empty: not aborted
  };

  std::optional<Sum> add_term(int rank, const Envelope& envelope, Payload mine);

  void keep(Sum sum);

  std::vector<Box> boxes_;

  std::mutex sums_mutex_;        // guards all below
  Fifo<Sum> sums_;               // those with missing terms, oldest first
  std::vector<Sum> spare_sums_;  // without terms, to be used again
  std::uint64_t complete_ = 0;
  std::vector<std::uint64_t> called_;  // by rank
};

}  // namespace odsgd
