#pragma once

#include "odsgd/algorithms/worker.hpp"

namespace odsgd {

/// Where a worker's time went, since the run began or between two moments. Seconds; what of
/// `seconds` is in none of the next five is lost to bookkeeping.
struct WorkTimes {
  double seconds = 0;
  double compute = 0;       ///< forward and backward passes
  double input = 0;         ///< waiting for the batch
  double wait = 0;          ///< exposed communication
  double local_update = 0;  ///< without the servers
  double post = 0;          ///< handing pushes and pulls to the transport
  double push = 0;          ///< at least one push was under way
  double pull = 0;          ///< at least one pull was under way
  double in_flight = 0;     ///< communication: one of either
};

WorkTimes operator+(const WorkTimes& a, const WorkTimes& b);
WorkTimes operator-(const WorkTimes& later, const WorkTimes& earlier);

/// All times so far. `input_s` has been spent inside the passes, waiting for batches.
WorkTimes times_so_far(const Worker& worker, const Client& client, double input_s);

}  // namespace odsgd
