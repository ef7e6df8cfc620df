#include "work_times.hpp"

#include <array>

#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

constexpr auto kAll = std::to_array({&WorkTimes::seconds, &WorkTimes::compute, &WorkTimes::input,
                                     &WorkTimes::wait, &WorkTimes::local_update, &WorkTimes::post,
                                     &WorkTimes::push, &WorkTimes::pull, &WorkTimes::in_flight});

}  // namespace

WorkTimes operator+(const WorkTimes& a, const WorkTimes& b) {
  WorkTimes sum = a;
  for (const auto member : kAll) sum.*member += b.*member;
  return sum;
}

WorkTimes operator-(const WorkTimes& later, const WorkTimes& earlier) {
  WorkTimes difference = later;
  for (const auto member : kAll) difference.*member -= earlier.*member;
  return difference;
}

WorkTimes times_so_far(const Worker& worker, const Client& client, double input_s) {
  const FlightTimes::Totals flight = client.totals().in_flight;
  const WorkerTimes& times = worker.times();
  return {.seconds = now_s(),
          .compute = times.compute_s - input_s,
          .input = input_s,
          .wait = times.wait_s,
          .local_update = times.update_s,
          .post = times.post_s,
          .push = flight.push_s,
          .pull = flight.pull_s,
          .in_flight = flight.either_s};
}

}  // namespace odsgd
