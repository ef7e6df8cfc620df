#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/gradient_store.hpp"
#include "odsgd/ps/summation.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

ParameterLayout four_keys() {
  ParameterLayout layout;
  layout.add("a", {3}, true);
  layout.add("b", {25}, false);  // 3 slices of at most 10 floats: 9, 8, 8
  layout.add("c", {4}, true);
  layout.add("d", {5}, false);
  return layout;
}

/// The only rank of a job, whose gradient of float i is i.
struct Alone {
  Alone() {
    for (std::size_t i = 0; i < layout.floats(); ++i) store->floats()[i] = static_cast<float>(i);
  }
  void add(std::uint32_t slice, Clock step, Clock base_clock) {
    summation.add(slice, step, base_clock, store->lend(slice, step, Codec::kFloat32));
  }
  void add_all(Clock step) {
    for (auto slice = static_cast<std::uint32_t>(shards.slices().size()); slice-- > 0;) {
      add(slice, step, step);
    }
  }
  /// The numbers of slices in the push messages of the next sum.
  std::vector<std::uint32_t> split_next() {
    std::vector<std::uint32_t> slices;
    summation.split(receive_one(*endpoint), [&](const Message& push) {
      CHECK(push.source == 0);
      slices.push_back(header_of(push).slice);
      const Slice& slice = shards[slices.back()];
      const auto floats = floats_of(push.body, slice.count);
      for (std::size_t i = 0; i < slice.count; ++i) {
        CHECK(floats[i] == static_cast<float>(slice.offset + i));
      }
    });
    return slices;
  }

  ParameterLayout layout = four_keys();
  ShardMap shards{layout, 1, 10};
  InProcessHub hub{1};
  std::unique_ptr<Endpoint> endpoint = hub.endpoint(0);
  std::shared_ptr<GradientStore> store =
      std::make_shared<GradientStore>(shards, layout.floats(), ExchangeSettings{});
  Summation summation{*endpoint, layout, shards};
};

}  // namespace

TEST_CASE("summation: slices are fused from the last on, as many as fit into a message") {
  Alone me;
  me.add_all(0);

  // d and c are 9 floats together, and the next slice of b has 8.
  CHECK(me.split_next() == std::vector<std::uint32_t>{4, 5});
  CHECK(me.split_next() == std::vector<std::uint32_t>{3});
  CHECK(me.split_next() == std::vector<std::uint32_t>{2});
  CHECK(me.split_next() == std::vector<std::uint32_t>{1});
  CHECK(me.split_next() == std::vector<std::uint32_t>{0});
  CHECK(me.store->is_all_back());
}

TEST_CASE("summation: a bucket waits for its last slice, and for the buckets before it") {
  Alone me;
  me.add(0, 7, 6);
  me.add(4, 7, 6);
  CHECK_FALSE(me.endpoint->receive(1ms).has_value());
  CHECK(me.store->is_lent(0));
  me.add(5, 7, 5);

  const Message sum = receive_one(*me.endpoint);
  CHECK_FALSE(me.endpoint->receive(1ms).has_value());  // bucket 4 is complete, and not its turn
  CHECK(header_of(sum).slice == 0);
  CHECK(header_of(sum).clock == 7);
  CHECK(header_of(sum).base_clock == 5);
  CHECK_FALSE(me.store->is_lent(4));
  CHECK(me.store->is_lent(0));

  for (const std::uint32_t slice : {1U, 2U, 3U}) me.add(slice, 7, 6);
  for (std::uint32_t bucket = 1; bucket < 5; ++bucket) {
    CHECK(header_of(receive_one(*me.endpoint)).slice == bucket);
  }
}

TEST_CASE("summation: pushes share the memory of their sum") {
  Alone me;
  me.add_all(0);
  const Message sum = receive_one(*me.endpoint);
  std::vector<Message> pushes;
  me.summation.split(sum, [&](const Message& push) { pushes.push_back(push); });
  REQUIRE(pushes.size() == 2);
  CHECK(pushes[0].body.bytes().data() == sum.body.bytes().data());
  CHECK(pushes[1].body.bytes().data() == sum.body.bytes().data() + 4 * sizeof(float));
}

TEST_CASE("summation: what has not come is told by keys and step") {
  Alone me;
  CHECK(me.summation.pending() == "nothing");
  me.add_all(3);
  CHECK(me.summation.pending() ==
        "sum of d at step 3, sum of c at step 3, sum of b at step 3 and "
        "1 more");
  for (int bucket = 0; bucket < 4; ++bucket) me.split_next();
  CHECK(me.summation.pending() == "sum of a at step 3");
  me.split_next();
  CHECK(me.summation.pending() == "nothing");
}

TEST_CASE("summation: the next step may begin before the sums of this one have been taken") {
  Alone me;
  me.add_all(0);
  const Message first = receive_one(*me.endpoint);  // its terms have been let go
  me.add(5, 1, 1);
  me.add(4, 1, 1);
  CHECK_FALSE(me.store->is_lent(0));  // the other sums have been made, and wait behind the first
  me.summation.split(first, [](const Message& push) { CHECK(header_of(push).clock == 0); });
  for (Clock bucket = 1; bucket < 5; ++bucket) me.split_next();
  CHECK(header_of(receive_one(*me.endpoint)).clock == 1);
}

TEST_CASE("summation: one bucket cannot hold gradients of two steps, or of another codec") {
  Alone me;
  me.add(5, 0, 0);
  CHECK_THROWS_WITH_AS(me.add(4, 1, 0),
                       "sum of c: got step 1, want 0 as of the keys that it is summed with", Error);
  CHECK_THROWS_WITH_AS(me.summation.add(3, 0, 0, Payload()),
                       "sum of b: got 0 bytes, want 32 (float32)", Error);
}

TEST_CASE("summation: a sum that was not asked for is refused") {
  Alone me;
  CHECK_THROWS_WITH_AS(
      me.summation.split(message_from(0, {.kind = MessageKind::kSum, .slice = 1, .clock = 2}),
                         [](const Message&) {}),
      "sum of bucket 1 at step 2: was not asked for", Error);
  CHECK_THROWS_AS(
      me.summation.split(message_from(1, {.kind = MessageKind::kSum}), [](const Message&) {}),
      Error);
}

TEST_CASE("summation: what is lent to a sum stays when the exchange has gone") {
  InProcessHub hub(2);
  const auto endpoint = hub.endpoint(0);
  {
    const ParameterLayout layout = four_keys();
    const ShardMap shards(layout, 1, 10);
    const auto store = std::make_shared<GradientStore>(shards, layout.floats(), ExchangeSettings{});
    Summation summation(*endpoint, layout, shards);
    for (const std::uint32_t slice : {5U, 4U})
      summation.add(slice, 0, 0, store->lend(slice, 0, Codec::kFloat32));
  }
  CHECK(endpoint->unsent() == 1);  // rank 1 never comes; the hub lets go of the loans at its end
}
