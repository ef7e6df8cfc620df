#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "odsgd/base/error.hpp"
#include "odsgd/transport/in_process.hpp"
#include "transport/bytes.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

TEST_CASE("in-process: a payload is handed over without a copy") {
  InProcessHub hub(2);
  const auto sender = hub.endpoint(0);
  const auto receiver = hub.endpoint(1);
  const Payload payload = payload_of(*sender, 3);

  sender->post(1, {}, payload);

  CHECK(receiver->receive(0us)->body.bytes().data() == payload.bytes().data());
}

TEST_CASE("in-process: abort wakes a receive that waits, and all later ones, with its text") {
  InProcessHub hub(3);
  const auto waiting = hub.endpoint(1);
  std::jthread aborter([&hub] {
    std::this_thread::sleep_for(20ms);
    hub.abort("rank 2: the disk is full");
  });

  CHECK_THROWS_WITH_AS(waiting->receive(1h), "rank 2: the disk is full", Error);

  hub.abort("something later");
  CHECK_THROWS_WITH_AS(waiting->receive(0us), "rank 2: the disk is full", Error);
  CHECK_THROWS_WITH_AS(hub.endpoint(0)->receive(0us), "rank 2: the disk is full", Error);
}

TEST_CASE("in-process: abort comes before messages that still wait") {
  InProcessHub hub(1);
  const auto me = hub.endpoint(0);
  me->post(0, {}, payload_of(*me, 1));

  hub.abort("");

  CHECK_THROWS_WITH_AS(me->receive(0us), "aborted", Error);
}

TEST_CASE("in-process: an endpoint of a rank that does not exist is refused") {
  InProcessHub hub(2);
  CHECK_THROWS_WITH_AS(hub.endpoint(2), "endpoint: got rank 2, want 0 to 1", Error);
}
