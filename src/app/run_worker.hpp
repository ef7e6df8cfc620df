#pragma once

#include "job.hpp"
#include "notes.hpp"
#include "odsgd/ps/exchange.hpp"

namespace odsgd {

class Coordinator;
class RunTrace;

/// A worker's run, from its first batch until the final weights are recorded. The exchange has been
/// started, and is finished here. `coordinator` is worker 0's, and null elsewhere; `trace` is null
/// when nothing is traced. Throws Error when another rank goes silent, and on worker 0 when
/// training diverges.
void run_worker(const Job& job, Endpoint& endpoint, Exchange& exchange, NoteBox& notes, int worker,
                Coordinator* coordinator, RunTrace* trace);

}  // namespace odsgd
