#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "odsgd/base/fifo.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// The endpoints of ranks that are threads of one process. Payloads are handed over without a copy,
/// unless they are to land somewhere. Messages always stay in order: the way is never busy.
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
  struct Box {
    std::mutex mutex;
    std::condition_variable arrived;
    Fifo<Message> messages;
    std::string aborted;  // guarded by mutex; empty: not aborted
  };
  std::vector<Box> boxes_;
};

}  // namespace odsgd
