#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/transport/in_process.hpp"
#include "support/ranks.hpp"
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

TEST_CASE("in-process: the sum of one rank is its own term") {
  InProcessHub hub(1);
  const auto me = hub.endpoint(0);

  me->sum(test::envelope_of(5), payload_of(*me, 77));

  CHECK(me->unsent() == 1);
  const Message message = receive_one(*me);
  CHECK(message.source == 0);
  CHECK(number_in(message.envelope) == 5);
  CHECK(number_in(message.body) == 77);
  CHECK(me->unsent() == 0);
}

TEST_CASE("in-process: a sum is made in the order of ranks, whoever came last") {
  constexpr float kBig = 16'777'216;  // 2^24: 1 added to it is lost, to its negative sum is not
  for (const int last : {0, 1, 2}) {
    CAPTURE(last);
    InProcessHub hub(3);
    std::vector<std::unique_ptr<Endpoint>> ranks;
    for (int rank = 0; rank < 3; ++rank) ranks.push_back(hub.endpoint(rank));
    for (int i = 1; i <= 3; ++i) {
      const auto rank = static_cast<std::size_t>((last + i) % 3);
      const Draft draft = ranks[rank]->buffers().take(sizeof(float));
      floats_in(draft)[0] = std::array{kBig, 1.0F, -kBig}[rank];
      ranks[rank]->sum({}, draft.payload);
    }

    const Message made = receive_one(*ranks[static_cast<std::size_t>(last)]);
    const Message other = receive_one(*ranks[static_cast<std::size_t>((last + 1) % 3)]);

    CHECK(*reinterpret_cast<const float*>(made.body.bytes().data()) == 0.0F);  // (2^24 + 1) - 2^24
    CHECK(other.body.bytes().data() == made.body.bytes().data());
  }
}

TEST_CASE("in-process: terms of different sizes are an error that names the rank") {
  InProcessHub hub(2);
  const auto first = hub.endpoint(0);
  const auto second = hub.endpoint(1);
  first->sum({}, patterned(*first, 8, 0));
  second->sum({}, patterned(*second, 12, 0));

  CHECK_THROWS_WITH_AS(receive_one(*second), "sum: got 12 bytes from rank 1, want 8 as from rank 0",
                       Error);
}

TEST_CASE("in-process: abort ends the wait for a sum that a rank does not come to") {
  InProcessHub hub(2);
  const auto me = hub.endpoint(0);
  me->sum({}, patterned(*me, 8, 0));
  CHECK_FALSE(me->receive(1ms).has_value());

  hub.abort("rank 1: gone");

  CHECK_THROWS_WITH_AS(me->receive(1h), "rank 1: gone", Error);
}
