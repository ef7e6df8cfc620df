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
  const std::vector<float> floats{1.5F, -0.0F, 1e-45F};
  const Message message = push_from(3, 77, Clock{1} << 40, (Clock{1} << 40) - 1, floats);

  const Header& header = header_of(message);
  CHECK(header.kind == MessageKind::kPush);
  CHECK(header.codec == Codec::kFloat32);
  CHECK(header.slice == 77);
  CHECK(header.clock == Clock{1} << 40);
  CHECK(header.base_clock == (Clock{1} << 40) - 1);
  CHECK(message.payload->size() == 64 + 12);
  const auto read = floats_of(message.payload, 3);
  CHECK(std::vector<float>(read.begin(), read.end()) == floats);
  CHECK(reinterpret_cast<std::uintptr_t>(read.data()) % 64 == 0);
}

TEST_CASE("protocol: a message without content is a header") {
  const Message message = message_from(0, {.kind = MessageKind::kStop});
  CHECK(message.payload->size() == 64);
  CHECK(content_of(message.payload).empty());
  CHECK(floats_of(message.payload, 0).empty());
}

TEST_CASE("protocol: a message too short for a header is refused") {
  CHECK_THROWS_WITH_AS(header_of({2, std::make_shared<Bytes>(63)}),
                       "message from rank 2: got 63 bytes, want at least 64", Error);
  CHECK_THROWS_AS(header_of({2, std::make_shared<Bytes>(0)}), Error);
}

TEST_CASE("protocol: another number of floats than wanted is refused") {
  const Message message = push_from(1, 0, 0, 0, {1, 2, 3});
  CHECK_THROWS_WITH_AS(floats_of(message.payload, 4), "message: got 12 bytes, want 16 (4 floats)",
                       Error);
  CHECK_THROWS_AS(floats_of(message.payload, 2), Error);
}

TEST_CASE("dispatcher: each kind goes to its handler, and a kind without one is refused") {
  InProcessHub hub(2);
  const auto me = hub.endpoint(0);
  const auto other = hub.endpoint(1);
  Dispatcher dispatcher(*me);
  std::vector<int> seen;
  dispatcher.on(MessageKind::kPush, [&](const Message&) { seen.push_back(1); });
  dispatcher.on(MessageKind::kNote, [&](const Message&) { seen.push_back(2); });
  other->post(0, message_from(1, {.kind = MessageKind::kNote}).payload);
  other->post(0, push_from(1, 0, 0, 0, {}).payload);

  CHECK(dispatcher.dispatch(std::chrono::microseconds(0)));
  CHECK(seen == std::vector<int>{2, 1});
  CHECK_FALSE(dispatcher.dispatch(std::chrono::microseconds(0)));

  other->post(0, pull_from(1, 0, 0).payload);
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
  const ProgressThread thread(dispatcher,
                              [&](const std::exception_ptr& error) { broken.set_value(error); });

  me->post(0, message_from(0, {.kind = MessageKind::kNote}).payload);

  CHECK_THROWS_WITH_AS(std::rethrow_exception(broken.get_future().get()), "note: unreadable",
                       Error);
}
