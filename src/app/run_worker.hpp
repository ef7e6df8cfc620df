#pragma once

#include "job.hpp"
#include "notes.hpp"
#include "odsgd/ps/exchange.hpp"

namespace odsgd {

class Coordinator;

/// A worker's run, from its first batch to the last evaluation. The exchange has started, and is
/// finished by the caller. `coordinator` is worker 0's, and null elsewhere. Throws Error when
/// training diverges or another rank goes silent.
void run_worker(const Job& job, Endpoint& endpoint, Exchange& exchange, NoteBox& notes, int worker,
                Coordinator* coordinator);

}  // namespace odsgd
