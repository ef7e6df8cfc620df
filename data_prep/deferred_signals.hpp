#pragma once

#include <csignal>

namespace odsgd::prep {

/// Holds back SIGINT, SIGTERM and SIGHUP while it lives, so that a temporary file can be removed
/// first: its owner asks now and then, and a signal that came takes its usual effect when this is
/// destroyed. Make it before what must be cleaned up.
///
/// Signals that the process ignores (nohup) stay ignored. Threads: those made before it must not
/// take these signals.
class DeferredSignals {
 public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals&) = delete;
  DeferredSignals& operator=(const DeferredSignals&) = delete;

  /// Throws Error when a signal has come.
  void throw_if_pending() const;

  /// Forgets signals that came: what they should have stopped is done.
  void forget() noexcept;

 private:
  sigset_t deferred_{};
  sigset_t before_{};
};

}  // namespace odsgd::prep
