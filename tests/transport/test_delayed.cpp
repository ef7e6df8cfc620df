#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "odsgd/transport/delayed.hpp"
#include "odsgd/transport/in_process.hpp"
#include "support/ranks.hpp"
#include "transport/bytes.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

TEST_CASE("delayed: every source's messages come once, whole and in order") {
  constexpr int kCount = 300;
  const RankBody body = [](Endpoint& me) {
    if (me.rank() != 0) {
      for (int i = 0; i < kCount; ++i)
        me.post(0, {}, patterned(me, static_cast<std::size_t>(i), me.rank()));
      return;
    }
    std::vector<std::size_t> next(4);
    for (int i = 0; i < 3 * kCount; ++i) {
      const Message message = receive_one(me);
      const auto expected = next[static_cast<std::size_t>(message.source)]++;
      CHECK(is_patterned(message.body, expected, message.source));
    }
    CHECK_FALSE(me.receive(5ms).has_value());
    CHECK(next == std::vector<std::size_t>{0, kCount, kCount, kCount});
  };
  run_ranks(4, body, {.longest = 2ms, .seed = 9});
}

TEST_CASE("delayed: messages of different sources overtake each other") {
  constexpr int kCount = 20;
  InProcessHub hub(3);
  const auto first = hub.endpoint(1);
  const auto second = hub.endpoint(2);
  for (int i = 0; i < kCount; ++i) first->post(0, {}, payload_of(*first, i));
  for (int i = 0; i < kCount; ++i) second->post(0, {}, payload_of(*second, i));
  const auto delayed = delay_messages(hub.endpoint(0), 400ms, 1);

  std::vector<int> sources;
  for (int i = 0; i < 2 * kCount; ++i) sources.push_back(receive_one(*delayed).source);

  CHECK_FALSE(std::is_sorted(sources.begin(), sources.end()));
}

TEST_CASE("delayed: a wait ends when its patience does, with messages still held back") {
  InProcessHub hub(1);
  const auto me = delay_messages(hub.endpoint(0), 200ms, 3);
  me->post(0, {}, payload_of(*me, 1));

  int empty = 0;
  std::optional<Message> message;
  while (!(message = me->receive(1ms))) ++empty;

  CHECK(number_in(message->body) == 1);
  CHECK(empty > 0);  // seed 3 delays the first message of rank 0 by more than 1 ms
}

TEST_CASE("delayed: sums are held back too, and come right") {
  constexpr int kCount = 20;
  const RankBody body = [](Endpoint& me) {
    for (int i = 0; i < kCount; ++i) {
      const Draft draft = me.buffers().take(sizeof(float));
      floats_in(draft)[0] = static_cast<float>(i);
      me.sum(test::envelope_of(i), draft.payload);
    }
    int empty = 0;
    for (int i = 0; i < kCount;) {
      const auto message = me.receive(1ms);
      if (!message) {
        ++empty;
        continue;
      }
      CHECK(number_in(message->envelope) == i);
      CHECK(*reinterpret_cast<const float*>(message->body.bytes().data()) ==
            3 * static_cast<float>(i));
      ++i;
    }
    CHECK(empty > 0);
  };
  run_ranks(3, body, {.longest = 50ms, .seed = 4});
}
