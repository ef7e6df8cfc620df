#include "run_rank.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "coordinator.hpp"
#include "error_text.hpp"
#include "notes.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/delayed.hpp"
#include "run_recorder.hpp"
#include "run_trace.hpp"
#include "run_worker.hpp"

namespace odsgd {
namespace {

/// For a rank that does not know the run's timeout, since it could not work the run out.
constexpr double kCheckInTimeout = 300;

/// Answers worker 0's request for a report; on the thread that drives the server, so its counts do
/// not change meanwhile.
void answer_request(const Job& job, Endpoint& endpoint, const Message& request,
                    const Server& server) {
  post_note(endpoint, request.source,
            make_server_note(endpoint.buffers(),
                             {.update_s = server.totals().update_s,
                              .progress_cpu_s = job.roles.is_colocated() ? 0 : thread_cpu_s(),
                              .bytes_received = server.totals().bytes_received,
                              .bytes_sent = server.totals().bytes_sent,
                              .peak_memory_bytes = peak_memory_bytes()},
                             server.staleness()));
}

/// Worker 0 ends the run, so that the log says why; the others go on until then.
void report_divergence(const Job& job, Endpoint& endpoint, const Divergence& found) {
  using What = DivergenceReport::What;
  post_note(endpoint, job.roles.worker_rank(0),
            make_note(endpoint.buffers(), Topic::kDivergence,
                      DivergenceReport{.step = found.step + 1,
                                       .what = found.worker < 0 ? What::kWeights : What::kGradient,
                                       .key = found.key,
                                       .worker = std::max(found.worker, 0),
                                       .value = found.value}));
}

/// Returns the exit code. The run is over and good without its trace: so this ends no other rank,
/// one of which may be writing the log.
int write_trace(const RunTrace& trace, const std::string& rank_name) {
  try {
    trace.write();
    return kSuccess;
  } catch (const std::exception& error) {
    print_error(fmt::format("{} on {}: {}", rank_name, host_name(), text_of(error)));
    return kFailure;
  }
}

}  // namespace

int run_rank(std::unique_ptr<Endpoint> endpoint, const Prepared& prepared,
             const TransportInfo& transport) {
  CheckIn check = check_in(*endpoint, prepared.hello,
                           prepared.job ? prepared.job->options.timeout : kCheckInTimeout);
  if (!check.errors.empty()) {
    if (endpoint->rank() == 0) {
      for (const std::string& line : check.errors) print_error(line);
    }
    return check.is_usage_error ? kUsage : kFailure;
  }

  const Job& job = *prepared.job;
  if (job.options.inject_delay_us > 0) {
    endpoint =
        delay_messages(std::move(endpoint), std::chrono::microseconds(job.options.inject_delay_us),
                       job.options.seed);
  }
  NoteBox notes;  // outlives the exchange, whose progress thread fills it, as does the next
  std::optional<RunTrace> trace;
  if (!job.options.trace.empty()) trace.emplace(job, *endpoint, check.run_id);
  Exchange exchange(*endpoint, job.layout, job.shards, job.roles, initial_weights(job),
                    job.algorithm->make_server(job.settings), job.exchange,
                    trace ? &trace->tracer() : nullptr);
  exchange.on_note([&](const Message& note) {
    if (trace && trace->take(note)) return;
    if (topic_of(note) == Topic::kServerRequest) {
      answer_request(job, *endpoint, note, *exchange.server());
    } else {
      notes.put(note);
    }
  });
  exchange.on_divergence(
      [&](const Divergence& found) { report_divergence(job, *endpoint, found); });
  exchange.on_error([&](const std::exception_ptr& error) {
    notes.fail(error);
    if (trace) trace->fail(error);
  });
  for (const Message& message : check.early) exchange.dispatch_early(message);

  const auto worker = job.roles.worker_of(endpoint->rank());
  if (!worker) {
    exchange.serve();
    if (!trace) return kSuccess;
    trace->end();
    return write_trace(*trace, name_of_rank(job.roles, endpoint->rank()));
  }
  std::optional<RunRecorder> recorder;
  std::optional<Coordinator> coordinator;
  if (*worker == 0) {
    recorder.emplace(job, check, transport);
    coordinator.emplace(job, *endpoint, notes, *recorder);
  }
  try {
    exchange.start();
    run_worker(job, *endpoint, exchange, notes, *worker, coordinator ? &*coordinator : nullptr,
               trace ? &*trace : nullptr);
  } catch (const std::exception& error) {
    if (recorder) recorder->fail(text_of(error));
    throw;
  }
  return trace ? write_trace(*trace, name_of_rank(job.roles, endpoint->rank())) : kSuccess;
}

}  // namespace odsgd
