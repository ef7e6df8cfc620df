// What every Endpoint promises. One source, run on ranks that are threads and on ranks of an MPI
// job.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/memory.hpp"
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
      for (int i = 0; i < kCount; ++i) me.post(1, envelope_of(i), patterned(me, size_of(i), i));
      drive_until_sent(me);
    }
    if (me.rank() == 1) {
      for (int i = 0; i < kCount; ++i) {
        const Message message = receive_one(me);
        CHECK(message.source == 2);
        CHECK(number_in(message.envelope) == i);
        CHECK(is_patterned(message.body, size_of(i), i));
      }
    }
  });
}

TEST_CASE("contract: many ranks post to one, and each rank's messages stay in order") {
  constexpr int kCount = 100;
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() != 0) {
      for (int i = 0; i < kCount; ++i) me.post(0, {}, payload_of(me, i));
      drive_until_sent(me);
      return;
    }
    std::vector<int> next(kWorldSize);
    for (int i = 0; i < kCount * (kWorldSize - 1); ++i) {
      const Message message = receive_one(me);
      CHECK(number_in(message.body) == next[static_cast<std::size_t>(message.source)]++);
    }
    CHECK(next == std::vector<int>{0, kCount, kCount, kCount});
  });
}

TEST_CASE("contract: a rank may post to itself") {
  on_four_ranks([&](Endpoint& me) {
    me.post(me.rank(), {}, patterned(me, 300'000, me.rank()));
    const Message message = receive_one(me);
    CHECK(message.source == me.rank());
    CHECK(is_patterned(message.body, 300'000, me.rank()));
  });
}

TEST_CASE("contract: a payload of any size from 0 bytes to 100 MB arrives whole") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{4096}, std::size_t{65'537},
        std::size_t{1'000'003}, std::size_t{100'000'000}}) {
    CAPTURE(size);
    on_four_ranks([size](Endpoint& me) {
      if (me.rank() == 3) {
        me.post(0, {}, patterned(me, size, 7));
        drive_until_sent(me);
      }
      if (me.rank() == 0) CHECK(is_patterned(receive_one(me).body, size, 7));
    });
  }
}

TEST_CASE("contract: one payload may be on its way to several ranks") {
  constexpr std::size_t kSize = 500'000;
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() == 0) {
      const Payload payload = patterned(me, kSize, 1);
      for (int rank = 0; rank < kWorldSize; ++rank) me.post(rank, {}, payload);
    }
    const Message message = receive_one(me);
    CHECK(message.source == 0);
    CHECK(is_patterned(message.body, kSize, 1));
    drive_until_sent(me);
  });
}

TEST_CASE("contract: a received payload may be posted on, and is aligned like any other") {
  constexpr std::size_t kSize = 100'000;
  on_four_ranks([&](Endpoint& me) {
    const int next = (me.rank() + 1) % kWorldSize;
    if (me.rank() == 0) me.post(next, {}, patterned(me, kSize, 5));
    const Message message = receive_one(me);
    CHECK(reinterpret_cast<std::uintptr_t>(message.body.bytes().data()) % kAlignment == 0);
    CHECK(is_patterned(message.body, kSize, 5));
    if (me.rank() != 0) me.post(next, {}, message.body);
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
          me.post((me.rank() + 1) % kWorldSize, {}, payload_of(me, thread * kCount + i));
        }
      });
    }
    std::vector<int> next(kThreads);
    for (int i = 0; i < kThreads * kCount; ++i) {
      const int number = number_in(receive_one(me).body);
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
    CHECK_THROWS_WITH_AS(me.post(4, {}, payload_of(me, 0)), "post: got rank 4, want 0 to 3", Error);
    CHECK_THROWS_WITH_AS(me.post(-1, {}, payload_of(me, 0)), "post: got rank -1, want 0 to 3",
                         Error);
    CHECK(me.unsent() == 0);
  });
}

TEST_CASE(
    "contract: sent buffers go back to the pool, so that a steady exchange allocates no more") {
  constexpr std::size_t kSize = 100'000;
  on_four_ranks([&](Endpoint& me) {
    const int peer = me.rank() ^ 1;
    for (int i = 0; i < 50; ++i) {
      Draft draft = me.buffers().take(kSize);
      draft.bytes[0] = pattern(0, i);
      me.post(peer, {}, std::move(draft.payload));
      CHECK(receive_one(me).body.bytes()[0] == pattern(0, i));
      me.post(peer, {}, payload_of(me, i));  // says that the payload was let go
      CHECK(number_in(receive_one(me).body) == i);
    }
    drive_until_sent(me);
    // One on its way out and one that came in, each perhaps still held when the next is taken; made
    // 8 at a time.
    CHECK(me.buffers().allocated() <= 8 * (kSize + sizeof(int)));
  });
}

TEST_CASE("contract: an envelope comes alone or with a body, as it was posted") {
  on_four_ranks([&](Endpoint& me) {
    me.post(me.rank() ^ 1, envelope_of(40 + me.rank()));
    const Message message = receive_one(me);
    CHECK(message.envelope == envelope_of(40 + (me.rank() ^ 1)));
    CHECK(message.body.size() == 0);
    drive_until_sent(me);
  });
}

TEST_CASE("contract: a body lands where the receiver wants it, or in a buffer") {
  for (const std::size_t size : {std::size_t{100}, std::size_t{3'900}, std::size_t{500'000}}) {
    CAPTURE(size);
    on_four_ranks([size](Endpoint& me) {
      const int peer = me.rank() ^ 1;
      std::vector<std::byte> place(size);
      me.on_landing([&](int source, const Envelope& envelope, std::size_t bytes, bool) {
        CHECK(source == peer);
        CHECK(bytes == size);
        return number_in(envelope) == 1 ? Place{place} : Place{};
      });
      me.post(peer, envelope_of(1), patterned(me, size, 3));
      me.post(peer, envelope_of(2), patterned(me, size, 4));

      const Message landed = receive_one(me);
      CHECK(landed.body.bytes().data() == place.data());
      CHECK(is_patterned(place, size, 3));
      const Message other = receive_one(me);
      CHECK(other.body.bytes().data() != place.data());
      CHECK(is_patterned(other.body, size, 4));
      drive_until_sent(me);
    });
  }
}

TEST_CASE("contract: a body that is put off comes when nothing else does") {
  on_four_ranks([&](Endpoint& me) {
    if (me.rank() == 0) {
      int put_off = 0;
      me.on_landing([&](int source, const Envelope&, std::size_t, bool may_wait) {
        const bool is_later = source == 1 && may_wait;
        put_off += is_later ? 1 : 0;
        return Place{{}, is_later};
      });
      int next = 0;
      for (int i = 0; i < 6; ++i) {
        const Message message = receive_one(me);
        if (message.source == 1) CHECK(number_in(message.envelope) == next++);
        CHECK(is_patterned(message.body, 100'000, message.source));
      }
      CHECK(next == 3);
      CAPTURE(put_off);  // over MPI more than 0
    } else if (me.rank() < 3) {
      for (int i = 0; i < 3; ++i) {
        me.post(0, envelope_of(i), patterned(me, 100'000, me.rank()));
      }
    }
    drive_until_sent(me);
  });
}

TEST_CASE("contract: room of a wrong size for a body is an error that says so") {
  on_four_ranks([&](Endpoint& me) {
    std::vector<std::byte> place(7);
    me.on_landing([&](int, const Envelope&, std::size_t, bool) { return Place{place}; });
    if (me.rank() == 0) {
      me.post(0, {}, patterned(me, 8, 1));
      CHECK_THROWS_WITH_AS(receive_one(me), "message from rank 0: got room for 7 bytes, want 8",
                           Error);
    }
  });
}

TEST_CASE("contract: memory that is lent to a payload is given back when all have received it") {
  struct Lent final : SharedMemory {
    Lent()
        : SharedMemory(
              [](SharedMemory& memory) noexcept { static_cast<Lent&>(memory).is_back = true; }) {}
    std::atomic<bool> is_back = false;
  };
  on_four_ranks([&](Endpoint& me) {
    std::vector<std::byte> memory(300'000, std::byte{7});
    Lent lent;
    if (me.rank() == 0) {
      const Payload payload(memory, &lent);
      for (int rank = 1; rank < kWorldSize; ++rank) me.post(rank, {}, payload);
      CHECK_FALSE(lent.is_back);
    } else {
      CHECK(receive_one(me).body.bytes()[299'999] == std::byte{7});
    }
    drive_until_sent(me);
    // In one process the others hold the memory itself: they end their bodies at their own pace.
    while (me.rank() == 0 && !lent.is_back) std::this_thread::yield();
    if (me.rank() == 0) CHECK(lent.owners() == 0);
  });
}
