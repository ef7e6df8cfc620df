#include <doctest/doctest.h>

#include <thread>

#include "h5/error_text.hpp"
#include "notes.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/in_process.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// The note as it is received from a rank.
Message from(int source, Message note) {
  note.source = source;
  return note;
}

Message note_of_epoch(BufferPool& buffers, int source, std::uint64_t epoch) {
  return from(source, make_note(buffers, Topic::kEpoch, WorkerReport{.epoch = epoch}));
}

std::uint64_t epoch_of(const Message& note) { return read_note<WorkerReport>(note).epoch; }

}  // namespace

TEST_CASE("notes: what is put into one is read out of it") {
  BufferPool buffers;
  const Message note =
      make_note(buffers, Topic::kInterval,
                IntervalReport{.last_step = 5, .loss_sum = 0.25, .correct = 6, .samples = 7});

  const auto report = read_note<IntervalReport>(note);

  CHECK(topic_of(note) == Topic::kInterval);
  CHECK(report.last_step == 5);
  CHECK(report.loss_sum == 0.25);
  CHECK(report.correct == 6);
  CHECK(report.samples == 7);
}

TEST_CASE("notes: a server's note carries its report and its histogram") {
  BufferPool buffers;
  const StalenessCounts counts{{0, 5}, {1, 7}, {4000000000, 1}};

  const Message note = make_server_note(buffers, {.update_s = 1.5, .bytes_received = 9}, counts);

  CHECK(topic_of(note) == Topic::kServer);
  CHECK(read_note<ServerReport>(note).update_s == 1.5);
  CHECK(read_note<ServerReport>(note).bytes_received == 9);
  CHECK(read_staleness(note) == counts);
  CHECK(read_staleness(make_server_note(buffers, {}, {})).empty());
}

TEST_CASE("notes: one too short for what is read from it is an error that names its rank") {
  BufferPool buffers;
  const Message note = from(4, make_note(buffers, Topic::kEpoch, std::uint32_t{1}));

  CHECK(says(error_text([&] { read_note<WorkerReport>(note); }),
             "note from rank 4: got 4 bytes, want"));
}

TEST_CASE("note box: gives notes in the order in which they came") {
  BufferPool buffers;
  NoteBox box;
  CHECK_FALSE(box.take().has_value());

  for (const int epoch : {1, 2, 3})
    box.put(note_of_epoch(buffers, 1, static_cast<std::uint64_t>(epoch)));

  CHECK(epoch_of(*box.take()) == 1);
  CHECK(epoch_of(box.wait()) == 2);
  CHECK(epoch_of(*box.take()) == 3);
  CHECK_FALSE(box.take().has_value());
}

TEST_CASE("note box: a wait ends when a note comes from another thread") {
  BufferPool buffers;
  NoteBox box;
  std::jthread other([&] { box.put(note_of_epoch(buffers, 1, 9)); });

  CHECK(epoch_of(box.wait()) == 9);
}

TEST_CASE("note box: a broken exchange ends a wait with its error") {
  NoteBox box;
  std::jthread other([&] { box.fail(std::make_exception_ptr(Error("the net is down"))); });

  CHECK(error_text([&] { box.wait(); }) == "the net is down");
}

TEST_CASE("note box: a rank that is silent ends a wait for its note") {
  ParameterLayout layout;
  layout.add("key", {3}, true);
  const Roles roles = Roles::colocated(2);
  const ShardMap shards(layout, 2, 10);
  const std::vector<float> initial(3);
  InProcessHub hub(2);
  const auto endpoint = hub.endpoint(0);
  NoteBox box;
  Exchange exchange(*endpoint, layout, shards, roles, initial,
                    find_algorithm("ssgd").make_server({}), {.timeout_s = 0.4});
  exchange.on_error([&](const std::exception_ptr& error) { box.fail(error); });
  exchange.start();

  CHECK(says(error_text([&] { box.wait(); }), "rank 1 (worker 1): got no message for 0.3"));
}
