#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// What a launcher (mpirun, srun, ...) says about this process in its environment, before MPI is
/// started.
struct Launch {
  bool under_launcher = false;
  int rank = 0;
  int size = 1;
};
Launch launch_from_environment();

/// How an endpoint hands bodies to MPI.
struct MpiLimits {
  /// Longest single MPI message, whose count is an int: longer bodies go in parts.
  std::size_t part_bytes = std::size_t{1} << 30;

  /// Bytes of bodies on their way to one rank: enough to keep the way busy while both sides look
  /// only now and then, and few, so that urgent messages have little to wait for. One body is
  /// always under way, however long.
  std::size_t window_bytes = std::size_t{2} << 20;
};

/// MPI from MPI_Init_thread to MPI_Finalize, and an endpoint on it. One per process.
///
/// Throws Error when MPI grants less than MPI_THREAD_SERIALIZED (the thread that drives the
/// endpoint need not be the one that started MPI), and when the world has one rank although the
/// launcher started several.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();  ///< finalizes, unless an exception is on its way: then the caller aborts
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& library() const { return library_; }            ///< e.g. "Open MPI v4.1.4"
  const std::string& thread_level() const { return thread_level_; }  ///< e.g. "MPI_THREAD_MULTIPLE"

  /// To be called by all ranks together. The session must outlive the endpoint.
  std::unique_ptr<Endpoint> endpoint(const MpiLimits& limits = {}) const;

  /// Sends `bytes` to and fro between ranks 0 and 1 by plain blocking MPI calls, and returns half
  /// of each round trip in seconds, after a warm-up. To be called by these two alone; the others
  /// had better sleep meanwhile.
  std::vector<double> ping_pong(std::size_t bytes, int repetitions) const;

  /// Ends all ranks of the job with this exit status.
  [[noreturn]] void abort(int status) const noexcept;

 private:
  int rank_ = 0;
  int size_ = 1;
  std::string library_;
  std::string thread_level_;
};

}  // namespace odsgd
