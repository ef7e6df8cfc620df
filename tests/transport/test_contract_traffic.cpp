// What every Endpoint promises of much traffic at once, whatever limits it puts on messages. One
// source, run on ranks that are threads and on ranks of an MPI job.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "odsgd/base/random.hpp"
#include "transport/bytes.hpp"
#include "transport/world.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

struct Parcel {
  int destination = 0;
  std::size_t size = 0;
  int urgency = 0;
};
/// What a rank posts, in this order; all ranks know it of all.
using Plan = std::function<std::vector<Parcel>(int rank)>;

int seed_of(int rank, std::size_t number) { return rank * 71 + static_cast<int>(number); }

/// Notes what has come from one rank to this one.
class Arrivals {
 public:
  Arrivals(const Plan& plan, int source, int me)
      : parcels_(plan(source)), has_come_(parcels_.size()), source_(source), me_(me) {}

  std::size_t expected() const {
    std::size_t count = 0;
    for (const Parcel& parcel : parcels_) count += parcel.destination == me_ ? 1 : 0;
    return count;
  }

  /// Whole, once, and behind all that was posted earlier with the same or a lower urgency.
  void check(const Message& message) {
    const auto number = static_cast<std::size_t>(number_in(message.envelope));
    CAPTURE(source_);
    CAPTURE(number);
    REQUIRE(number < parcels_.size());
    const Parcel& parcel = parcels_[number];
    CHECK(parcel.destination == me_);
    CHECK(is_patterned(message.body, parcel.size, seed_of(source_, number)));
    CHECK_FALSE(has_come_[number]);
    has_come_[number] = true;
    for (std::size_t i = 0; i < number; ++i) {
      const bool is_before =
          parcels_[i].destination == me_ && parcels_[i].urgency <= parcel.urgency;
      if (is_before) CHECK(has_come_[i]);
    }
  }

 private:
  std::vector<Parcel> parcels_;
  std::vector<bool> has_come_;
  int source_;
  int me_;
};

void check_traffic(const Plan& plan, const MpiLimits& limits = {}) {
  on_four_ranks(
      [&](Endpoint& me) {
        const std::vector<Parcel> mine = plan(me.rank());
        for (std::size_t i = 0; i < mine.size(); ++i) {
          me.post(mine[i].destination, test::envelope_of(static_cast<int>(i)),
                  patterned(me, mine[i].size, seed_of(me.rank(), i)), mine[i].urgency);
        }
        std::vector<Arrivals> arrivals;
        std::size_t expected = 0;
        for (int source = 0; source < kWorldSize; ++source) {
          arrivals.emplace_back(plan, source, me.rank());
          expected += arrivals.back().expected();
        }
        for (; expected > 0; --expected) {
          const Message message = receive_one(me);
          arrivals[static_cast<std::size_t>(message.source)].check(message);
        }
        drive_until_sent(me);
      },
      limits);
}

/// `count` parcels of sizes from the list, to random ranks, of 4 urgencies; the order is random.
Plan all_to_all(const std::vector<std::size_t>& sizes, std::size_t count) {
  return [=](int rank) {
    const Random random(5, static_cast<std::uint64_t>(rank));
    std::vector<Parcel> parcels;
    for (std::uint64_t i = 0; i < count; ++i) {
      parcels.push_back({.destination = static_cast<int>(random.below(3 * i, kWorldSize)),
                         .size = sizes[random.below(3 * i + 1, sizes.size())],
                         .urgency = static_cast<int>(random.below(3 * i + 2, 4))});
    }
    return parcels;
  };
}

/// Ranks 1 to 3 post to rank 0: sizes from 0 bytes to 100 MB in an order that is random.
std::vector<Parcel> many_to_one(int rank) {
  std::vector<Parcel> parcels;
  if (rank == 0) return parcels;
  const Random random(6, static_cast<std::uint64_t>(rank));
  for (std::uint64_t i = 0; i < 60; ++i) {
    const double exponent = 6 * random.uniform(2 * i);  // of 10: up to 1 MB, as many of each order
    parcels.push_back({.size = static_cast<std::size_t>(std::pow(10, exponent)),
                       .urgency = static_cast<int>(random.below(2 * i + 1, 5))});
  }
  for (const std::size_t i : {std::size_t{7}, std::size_t{30}, std::size_t{59}})
    parcels[i].size = 0;
  parcels[20].size = 10'000'000;
  if (rank == 2) parcels[40].size = 100'000'000;
  return parcels;
}

const std::vector<std::size_t> kSizes{0,    1,    999,    1000,   1001,    4000,
                                      5000, 7000, 65'536, 65'537, 200'000, 300'003};

}  // namespace

TEST_CASE("contract: many to one, 0 bytes to 100 MB at random: whole, once, in order of urgency") {
  check_traffic(many_to_one);
}

TEST_CASE("contract: the same from all to all, themselves among them") {
  check_traffic(all_to_all(kSizes, 150));
}

TEST_CASE("contract: bodies longer than one message of the transport may be arrive whole") {
  check_traffic(all_to_all(kSizes, 80), {.part_bytes = 1000});
  check_traffic(all_to_all({10'000, 10'001, 9'999}, 6), {.part_bytes = 7});
}

TEST_CASE("contract: nothing is lost or overtaken when little may be under way") {
  const MpiWindow one_body{.announced = 1, .received = 1};
  const MpiWindow few{.announced = 300'000, .received = 70'000};
  check_traffic(all_to_all(kSizes, 80), {.on_host = one_body, .between_hosts = one_body});
  check_traffic(all_to_all(kSizes, 80), {.on_host = few, .between_hosts = few});
  check_traffic(all_to_all(kSizes, 40), {.part_bytes = 30'000, .on_host = few});
}
