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

/// Bytes of bodies that may be under way from one rank to another. Few, so that what is more urgent
/// has little to wait for, and enough to keep the way busy. One body always may, however long.
struct MpiWindow {
  std::size_t announced = 0;  ///< whose sender has told the receiver of them
  std::size_t received = 0;   ///< of these, those that the receiver has asked for
};

/// How an endpoint hands bodies to MPI.
struct MpiLimits {
  /// Longest single MPI message, whose count is an int: longer bodies go in parts.
  std::size_t part_bytes = std::size_t{1} << 30;

  /// Between ranks of one host: both look only now and then, and memory is fast.
  MpiWindow on_host{.announced = std::size_t{2} << 20, .received = std::size_t{2} << 20};

  /// Between hosts: what a rank says, such as which bodies it wants, waits behind what it sends.
  MpiWindow between_hosts{.announced = std::size_t{1} << 20, .received = std::size_t{1} << 19};
};

/// MPI from MPI_Init_thread to MPI_Finalize, and an endpoint on it. One per process.
///
/// Unless the environment says otherwise, Open MPI's TCP is told to send messages instead of
/// writing into the receiver's memory (btl_tcp_flags): it answers such a write only behind all
/// others that are queued, and so fills a link in one direction at a time.
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
  /// Whether all ranks share this host's memory.
  bool is_on_one_host() const { return is_on_one_host_; }
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
  bool is_on_one_host_ = true;
  std::string library_;
  std::string thread_level_;
};

}  // namespace odsgd
