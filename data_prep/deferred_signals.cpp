#include "deferred_signals.hpp"

#include <array>
#include <cstring>
#include <ctime>

#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

DeferredSignals::DeferredSignals() {
  sigemptyset(&deferred_);
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) sigaddset(&deferred_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &deferred_, &before_);
}

DeferredSignals::~DeferredSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void DeferredSignals::throw_if_pending() const {
  sigset_t pending{};
  sigpending(&pending);
  for (const int signal : kSignals) {
    ODSGD_REQUIRE(sigismember(&deferred_, signal) != 1 || sigismember(&pending, signal) != 1,
                  "stopped by signal {} ({})", signal, strsignal(signal));
  }
}

void DeferredSignals::forget() noexcept {
  const timespec at_once{};
  while (sigtimedwait(&deferred_, nullptr, &at_once) > 0) continue;
}

}  // namespace odsgd::prep
