// What every Endpoint promises. One source, run on ranks that are threads and on ranks of an MPI
// job.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "transport/bytes.hpp"
#include "transport/world.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

TEST_CASE("contract: every endpoint knows its rank and the size of the world") {
  on_four_ranks([&](Endpoint& me) {
    CHECK(me.size() == kWorldSize);
    CHECK(me.rank() >= 0);
    CHECK(me.rank() < kWorldSize);
  });
}

TEST_CASE(
    "contract: messages between two ranks arrive in the order of posting, small and big mixed") {
  constexpr int kCount = 200;
  // Below and above the size up to which MPI sends without asking the receiver.
  const auto size_of = [](int i) { return static_cast<std::size_t>(i % 5 == 0 ? 200'000 : 8); };
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() == 2) {
      for (int i = 0; i < kCount; ++i) me.post(1, patterned(size_of(i), i));
      drive_until_sent(me);
    }
    if (me.rank() == 1) {
      for (int i = 0; i < kCount; ++i) {
        const Message message = receive_one(me);
        CHECK(message.source == 2);
        CHECK(is_patterned(message.payload, size_of(i), i));
      }
    }
  });
}

TEST_CASE("contract: many ranks post to one, and each rank's messages stay in order") {
  constexpr int kCount = 100;
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() != 0) {
      for (int i = 0; i < kCount; ++i) me.post(0, payload_of(i));
      drive_until_sent(me);
      return;
    }
    std::vector<int> next(kWorldSize);
    for (int i = 0; i < kCount * (kWorldSize - 1); ++i) {
      const Message message = receive_one(me);
      CHECK(number_in(message.payload) == next[static_cast<std::size_t>(message.source)]++);
    }
    CHECK(next == std::vector<int>{0, kCount, kCount, kCount});
  });
}

TEST_CASE("contract: a rank may post to itself") {
  on_four_ranks([&](Endpoint& me) {
    me.post(me.rank(), patterned(300'000, me.rank()));
    const Message message = receive_one(me);
    CHECK(message.source == me.rank());
    CHECK(is_patterned(message.payload, 300'000, me.rank()));
  });
}

TEST_CASE("contract: a payload of any size from 0 bytes to 100 MB arrives whole") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{4096}, std::size_t{65'537},
        std::size_t{1'000'003}, std::size_t{100'000'000}}) {
    CAPTURE(size);
    on_four_ranks([size](Endpoint& me) {
      if (me.rank() == 3) {
        me.post(0, patterned(size, 7));
        drive_until_sent(me);
      }
      if (me.rank() == 0) CHECK(is_patterned(receive_one(me).payload, size, 7));
    });
  }
}

TEST_CASE("contract: one payload may be on its way to several ranks") {
  constexpr std::size_t kSize = 500'000;
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() == 0) {
      const Payload payload = patterned(kSize, 1);
      for (int rank = 0; rank < kWorldSize; ++rank) me.post(rank, payload);
    }
    const Message message = receive_one(me);
    CHECK(message.source == 0);
    CHECK(is_patterned(message.payload, kSize, 1));
    drive_until_sent(me);
  });
}

TEST_CASE("contract: a received payload may be posted on, and is aligned like any other") {
  constexpr std::size_t kSize = 100'000;
  on_four_ranks([&](Endpoint& me) {
    const int next = (me.rank() + 1) % kWorldSize;
    if (me.rank() == 0) me.post(next, patterned(kSize, 5));
    const Message message = receive_one(me);
    CHECK(reinterpret_cast<std::uintptr_t>(message.payload->data()) % Bytes::kAlignment == 0);
    CHECK(is_patterned(message.payload, kSize, 5));
    if (me.rank() != 0) me.post(next, message.payload);
    drive_until_sent(me);
  });
}

TEST_CASE("contract: receive returns without a message when its patience ends, and not before") {
  on_four_ranks([&](Endpoint& me) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(me.receive(5ms).has_value());
    CHECK(std::chrono::steady_clock::now() - begin >= 5ms);
    CHECK_FALSE(me.receive(0us).has_value());
  });
}

TEST_CASE("contract: several threads post while another receives, and nothing is lost") {
  constexpr int kThreads = 3;
  constexpr int kCount = 300;
  on_four_ranks([&](Endpoint& me) {
    // Each rank posts to the next: number = thread * kCount + i.
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&me, thread] {
        for (int i = 0; i < kCount; ++i) {
          me.post((me.rank() + 1) % kWorldSize, payload_of(thread * kCount + i));
        }
      });
    }
    std::vector<int> next(kThreads);
    for (int i = 0; i < kThreads * kCount; ++i) {
      const int number = number_in(receive_one(me).payload);
      CHECK(number % kCount == next[static_cast<std::size_t>(number / kCount)]++);
    }
    CHECK(next == std::vector<int>(kThreads, kCount));
    threads.clear();
    drive_until_sent(me);
    CHECK(me.unsent() == 0);
  });
}

TEST_CASE("contract: posting to a rank that does not exist is an error that names it") {
  on_four_ranks([&](Endpoint& me) {
    CHECK_THROWS_WITH_AS(me.post(4, payload_of(0)), "post: got rank 4, want 0 to 3", Error);
    CHECK_THROWS_WITH_AS(me.post(-1, payload_of(0)), "post: got rank -1, want 0 to 3", Error);
    CHECK(me.unsent() == 0);
  });
}

TEST_CASE(
    "contract: sent buffers go back to the pool, so that a steady exchange allocates no more") {
  constexpr std::size_t kSize = 100'000;
  on_four_ranks([&](Endpoint& me) {
    const int peer = me.rank() ^ 1;
    for (int i = 0; i < 50; ++i) {
      auto bytes = me.buffers().take(kSize);
      (*bytes)[0] = pattern(0, i);
      me.post(peer, std::move(bytes));
      CHECK((*receive_one(me).payload)[0] == pattern(0, i));
      me.post(peer, payload_of(i));  // says that the payload was let go
      CHECK(number_in(receive_one(me).payload) == i);
    }
    drive_until_sent(me);
    // One on its way out and one that came in, each perhaps still held when the next is taken.
    CHECK(me.buffers().allocated() <= 4 * kSize + sizeof(int));
  });
}
