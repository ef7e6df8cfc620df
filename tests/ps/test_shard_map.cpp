#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/shard_map.hpp"

using namespace odsgd;

namespace {

ParameterLayout layout_of(const std::vector<int>& sizes) {
  ParameterLayout layout;
  for (const int size : sizes) layout.add(fmt::format("key{}", layout.keys()), {size}, true);
  return layout;
}

const std::vector<int> kLeNet{500, 20, 25000, 50, 400000, 500, 5000, 10};

}  // namespace

TEST_CASE(
    "shard map: every float is in exactly one slice, of its own key, and no slice is too long") {
  const std::vector<std::vector<int>> models{
      kLeNet, {1}, {4096}, {4095, 4097, 1, 1}, {100000}, {3, 3, 3, 3, 3, 3, 3}};
  for (const auto& sizes : models) {
    const ParameterLayout layout = layout_of(sizes);
    for (const int servers : {1, 2, 3, 5, 8, 40}) {
      for (const std::size_t message :
           {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{65536}}) {
        if (message == 1 && layout.floats() > 10000) continue;
        CAPTURE(sizes);
        CAPTURE(servers);
        CAPTURE(message);
        const ShardMap map(layout, servers, message);
        bool is_good = map.slices().size() == map.last_slice(layout.keys() - 1);
        std::size_t next = 0;  // slices are in order and without a gap
        for (Key k = 0; k < layout.keys(); ++k) {
          is_good = is_good && map.first_slice(k) < map.last_slice(k);
          for (auto i = map.first_slice(k); i < map.last_slice(k); ++i) {
            const Slice& slice = map[i];
            is_good = is_good && slice.key == k && slice.offset == next && slice.count >= 1 &&
                      slice.count <= message && slice.server >= 0 && slice.server < servers;
            next += slice.count;
          }
          is_good = is_good && next == layout[k].offset + layout[k].count;
        }
        CHECK(is_good);
      }
    }
  }
}

TEST_CASE("shard map: LeNet's servers hold at most 1.1 times the mean") {
  const ParameterLayout layout = layout_of(kLeNet);
  for (const int servers : {2, 3, 4, 8}) {
    CAPTURE(servers);
    const ShardMap map(layout, servers, 65536);
    std::size_t largest = 0;
    std::size_t sum = 0;
    for (int s = 0; s < servers; ++s) {
      largest = std::max(largest, map.floats_of_server(s));
      sum += map.floats_of_server(s);
    }
    CHECK(sum == layout.floats());
    CHECK(static_cast<double>(largest) * servers <= 1.1 * static_cast<double>(sum));
  }
}

TEST_CASE("shard map: small keys go whole to one server each, and to different ones") {
  const ShardMap map(layout_of({100, 100, 100, 4095}), 4, 65536);
  REQUIRE(map.slices().size() == 4);
  std::vector<int> servers;
  for (const Slice& slice : map.slices()) servers.push_back(slice.server);
  std::sort(servers.begin(), servers.end());
  CHECK(servers == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE(
    "shard map: a big key is split over all servers, and then into messages of nearly one size") {
  const ShardMap map(layout_of({10007}), 2, 1000);
  // 5004 and 5003 floats, each in 6 messages of 833 or 834 floats.
  REQUIRE(map.slices().size() == 12);
  CHECK(map.floats_of_server(0) == 5004);
  CHECK(map.floats_of_server(1) == 5003);
  for (const Slice& slice : map.slices()) CHECK((slice.count == 833 || slice.count == 834));
}

TEST_CASE("shard map: the same arguments give the same map") {
  const ParameterLayout layout = layout_of(kLeNet);
  const ShardMap a(layout, 3, 1000);
  const ShardMap b(layout, 3, 1000);
  CHECK(std::equal(a.slices().begin(), a.slices().end(), b.slices().begin(), b.slices().end(),
                   [](const Slice& x, const Slice& y) {
                     return x.key == y.key && x.server == y.server && x.offset == y.offset &&
                            x.count == y.count;
                   }));
}

TEST_CASE("shard map: nonsense is refused") {
  const ParameterLayout layout = layout_of({5});
  CHECK_THROWS_WITH_AS(ShardMap(layout, 0, 1), "shard map: got 0 servers, want 1 or more", Error);
  CHECK_THROWS_WITH_AS(ShardMap(layout, 1, 0),
                       "shard map: got messages of 0 floats, want 1 or more", Error);
  CHECK_THROWS_WITH_AS(ShardMap(ParameterLayout{}, 1, 1), "shard map: the model has no parameters",
                       Error);
}
