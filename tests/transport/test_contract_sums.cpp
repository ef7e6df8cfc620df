// What every Endpoint promises of sums over all ranks. One source, run on ranks that are threads
// and on ranks of an MPI job.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "odsgd/base/random.hpp"
#include "transport/bytes.hpp"
#include "transport/world.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Element i of a rank's term: a whole number, so that sums are exact in any order.
float whole(int rank, std::size_t i, int seed) {
  return static_cast<float>((i * 7 + static_cast<std::size_t>(seed)) % 1000) *
         static_cast<float>(rank + 1);
}
float sum_of_whole(std::size_t i, int seed) {
  float sum = 0;
  for (int rank = 0; rank < kWorldSize; ++rank) sum += whole(rank, i, seed);
  return sum;
}

template <class Element>
Payload term(Endpoint& me, std::size_t count, Element&& element) {
  const Draft draft = me.buffers().take(count * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) floats_in(draft)[i] = element(i);
  return draft.payload;
}

Payload whole_term(Endpoint& me, std::size_t count, int seed) {
  return term(me, count, [&](std::size_t i) { return whole(me.rank(), i, seed); });
}

bool is_sum_of_whole(const Payload& body, std::size_t count, int seed) {
  if (body.size() != count * sizeof(float)) return false;
  const auto* floats = reinterpret_cast<const float*>(body.bytes().data());
  for (std::size_t i = 0; i < count; ++i) {
    if (floats[i] != sum_of_whole(i, seed)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("contract: a sum adds all ranks' floats and comes from oneself, with one's envelope") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{1'001},
                                  std::size_t{100'000}, std::size_t{2'000'003}, std::size_t{0}}) {
    CAPTURE(count);
    on_four_ranks([count](Endpoint& me) {
      me.sum(envelope_of(10 + me.rank()), whole_term(me, count, 5));
      const Message message = receive_one(me);
      CHECK(message.source == me.rank());
      CHECK(number_in(message.envelope) == 10 + me.rank());
      CHECK(is_sum_of_whole(message.body, count, 5));
      CHECK(me.unsent() == 0);
    });
  }
}

TEST_CASE("contract: many sums may be under way, of any sizes; the n-th calls belong together") {
  constexpr int kCount = 60;
  const auto size_of = [](int i) {
    return static_cast<std::size_t>(i * i * (i % 7 == 0 ? 90 : 1));
  };
  on_four_ranks([&](Endpoint& me) {
    for (int i = 0; i < kCount; ++i) me.sum(envelope_of(i), whole_term(me, size_of(i), i));
    CHECK(me.unsent() > 0);
    std::vector<int> came(kCount);
    for (int i = 0; i < kCount; ++i) {
      const Message message = receive_one(me);
      const int number = number_in(message.envelope);
      ++came[static_cast<std::size_t>(number)];
      CHECK(is_sum_of_whole(message.body, size_of(number), number));
    }
    CHECK(came == std::vector<int>(kCount, 1));
    CHECK(me.unsent() == 0);
  });
}

TEST_CASE("contract: sums and messages do not disturb each other, whichever thread posts") {
  constexpr int kCount = 40;
  constexpr int kSum = 1'000;  // added to the number in a sum's envelope
  on_four_ranks([&](Endpoint& me) {
    std::jthread summing([&me] {
      for (int i = 0; i < kCount; ++i) me.sum(envelope_of(kSum + i), whole_term(me, 30'000, i));
    });
    std::jthread posting([&me] {
      for (int i = 0; i < kCount; ++i) {
        for (int rank = 0; rank < kWorldSize; ++rank) {
          me.post(rank, envelope_of(i), patterned(me, i % 3 == 0 ? 150'000 : 100, i));
        }
      }
    });
    std::vector<int> next(kWorldSize);
    int sums = 0;
    for (int i = 0; i < kCount * (kWorldSize + 1); ++i) {
      const Message message = receive_one(me);
      const int number = number_in(message.envelope);
      if (number >= kSum) {
        ++sums;
        CHECK(is_sum_of_whole(message.body, 30'000, number - kSum));
      } else {
        CHECK(number == next[static_cast<std::size_t>(message.source)]++);
        CHECK(is_patterned(message.body, number % 3 == 0 ? 150'000 : 100, number));
      }
    }
    CHECK(sums == kCount);
    summing.join();
    posting.join();
    drive_until_sent(me);
  });
}

TEST_CASE("contract: a sum has the same bits on every rank, and is near the exact one") {
  // Sizes on both sides of where MPI libraries change the way they sum.
  for (const std::size_t count : {std::size_t{7}, std::size_t{5'000}, std::size_t{400'001}}) {
    CAPTURE(count);
    on_four_ranks([count](Endpoint& me) {
      const auto element = [](int rank, std::size_t i) {
        return static_cast<float>(Random(3, static_cast<std::uint64_t>(rank)).uniform(i) - 0.3);
      };
      me.sum({}, term(me, count, [&](std::size_t i) { return element(me.rank(), i); }));
      const Payload sum = receive_one(me).body;
      const auto* floats = reinterpret_cast<const float*>(sum.bytes().data());
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i) {
        double exact = 0;
        for (int rank = 0; rank < kWorldSize; ++rank) exact += double{element(rank, i)};
        worst = std::max(worst, std::abs(double{floats[i]} - exact));
      }
      CHECK(worst < 1e-6);

      if (me.rank() != 0) me.post(0, {}, sum);
      for (int i = 1; me.rank() == 0 && i < kWorldSize; ++i) {
        const Message other = receive_one(me);
        REQUIRE(other.body.size() == sum.size());
        CHECK(std::memcmp(other.body.bytes().data(), sum.bytes().data(), sum.size()) == 0);
      }
      drive_until_sent(me);
    });
  }
}

TEST_CASE("contract: a sum lands where the receiver wants it") {
  on_four_ranks([](Endpoint& me) {
    constexpr std::size_t kFloats = 50'000;
    std::vector<std::byte> place(kFloats * sizeof(float));
    me.on_landing([&](int source, const Envelope& envelope, std::size_t bytes, bool) {
      CHECK(source == me.rank());
      CHECK(bytes == place.size());
      return number_in(envelope) == 1 ? Place{place} : Place{};
    });
    me.sum(envelope_of(1), whole_term(me, kFloats, 1));
    CHECK(receive_one(me).body.bytes().data() == place.data());
    CHECK(is_sum_of_whole(Payload(place), kFloats, 1));

    me.sum(envelope_of(2), whole_term(me, kFloats, 2));
    const Message message = receive_one(me);
    CHECK(message.body.bytes().data() != place.data());
    CHECK(is_sum_of_whole(message.body, kFloats, 2));
    me.on_landing({});
  });
}

TEST_CASE("contract: when a sum has come, its terms have been let go") {
  struct Lent final : SharedMemory {
    Lent()
        : SharedMemory(
              [](SharedMemory& memory) noexcept { static_cast<Lent&>(memory).is_back = true; }) {}
    std::atomic<bool> is_back = false;
  };
  on_four_ranks([](Endpoint& me) {
    const std::vector<float> floats(10'000, 1.5F);
    Lent lent;
    me.sum({}, Payload(std::as_bytes(std::span(floats)), &lent));
    const Message message = receive_one(me);
    CHECK(lent.is_back);
    CHECK(*reinterpret_cast<const float*>(message.body.bytes().data()) == 6.0F);
  });
}
