#include <doctest/doctest.h>

#include <cstdint>
#include <future>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/dispatcher.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"

using namespace odsgd;
using namespace odsgd::test;

TEST_CASE("protocol: a message keeps its header and its floats") {
  const Header sent{.kind = MessageKind::kPush,
                    .codec = Codec::kFloat16,
                    .slice = 77,
                    .clock = Clock{1} << 40,
                    .base_clock = (Clock{1} << 40) - 1,
                    .ticket = ~std::uint64_t{0},
                    .at_least = (Clock{1} << 40) + 1,
                    .together = true};
  const std::vector<float> floats{1.5F, -0.0F, 1e-45F};
  const Message message = message_from(3, sent, floats);

  const Header header = header_of(message);
  CHECK(header.kind == sent.kind);
  CHECK(header.codec == sent.codec);
  CHECK(header.slice == sent.slice);
  CHECK(header.clock == sent.clock);
  CHECK(header.base_clock == sent.base_clock);
  CHECK(header.ticket == sent.ticket);
  CHECK(header.at_least == sent.at_least);
  CHECK(header.together);
  CHECK(floats_in(message) == floats);
}

TEST_CASE("protocol: by layer the first key is the most urgent; notes go before, farewells after") {
  CHECK(urgency_of(Priority::kLayer, 0) < urgency_of(Priority::kLayer, 1));
  CHECK(urgency_of(Priority::kFifo, 0) == urgency_of(Priority::kFifo, 9));
  for (const Priority priority : {Priority::kLayer, Priority::kFifo}) {
    CHECK(kNoteUrgency < urgency_of(priority, 0));
    CHECK(kStopUrgency > urgency_of(priority, 1'000'000));
  }
  CHECK(priority_of("layer") == Priority::kLayer);
  CHECK_THROWS_WITH_AS(priority_of("size"), "priority: got size, want one of fifo, layer", Error);
}

TEST_CASE("protocol: another number of floats than wanted is refused") {
  const Message message = push_from(1, 0, 0, 0, {1, 2, 3});
  CHECK_THROWS_WITH_AS(floats_of(message.body, 4), "message: got 12 bytes, want 16 (4 floats)",
                       Error);
  CHECK_THROWS_AS(floats_of(message.body, 2), Error);
}

TEST_CASE("dispatcher: each kind goes to its handler, and a kind without one is refused") {
  InProcessHub hub(2);
  const auto me = hub.endpoint(0);
  const auto other = hub.endpoint(1);
  Dispatcher dispatcher(*me);
  std::vector<int> seen;
  dispatcher.on(MessageKind::kPush, [&](const Message&) { seen.push_back(1); });
  dispatcher.on(MessageKind::kNote, [&](const Message&) { seen.push_back(2); });
  post(*other, 0, message_from(1, {.kind = MessageKind::kNote}));
  post(*other, 0, push_from(1, 0, 0, 0, {}));

  CHECK(dispatcher.dispatch(std::chrono::microseconds(0)));
  CHECK(seen == std::vector<int>{2, 1});
  CHECK_FALSE(dispatcher.dispatch(std::chrono::microseconds(0)));

  post(*other, 0, pull_from(1, 0, 0));
  CHECK_THROWS_WITH_AS(dispatcher.dispatch(std::chrono::microseconds(0)),
                       "message from rank 1: got kind 1, which rank 0 does not expect", Error);
  CHECK_THROWS_WITH_AS(dispatcher.dispatch(message_from(1, {.kind = static_cast<MessageKind>(99)})),
                       "message from rank 1: got kind 99, which rank 0 does not expect", Error);
}

TEST_CASE("dispatcher: what a handler throws ends the progress thread and is handed on") {
  InProcessHub hub(1);
  const auto me = hub.endpoint(0);
  Dispatcher dispatcher(*me);
  dispatcher.on(MessageKind::kNote, [](const Message&) { fail("note: unreadable"); });
  std::promise<std::exception_ptr> broken;
  const ProgressThread thread(
      dispatcher, [] {}, [&](const std::exception_ptr& error) { broken.set_value(error); });

  post(*me, 0, message_from(0, {.kind = MessageKind::kNote}));

  CHECK_THROWS_WITH_AS(std::rethrow_exception(broken.get_future().get()), "note: unreadable",
                       Error);
}
