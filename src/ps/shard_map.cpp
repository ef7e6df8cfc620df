#include "odsgd/ps/shard_map.hpp"

#include <algorithm>
#include <numeric>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

/// Part i of n nearly equal parts of [0, count).
std::size_t part_begin(std::size_t count, std::size_t i, std::size_t n) {
  return count / n * i + std::min(i, count % n);
}

}  // namespace

ShardMap::ShardMap(const ParameterLayout& layout, int servers, std::size_t message_floats,
                   bool keeps_keys_whole)
    : servers_(servers), message_floats_(message_floats) {
  ODSGD_REQUIRE(servers >= 1, "shard map: got {} servers, want 1 or more", servers);
  ODSGD_REQUIRE(message_floats >= 1, "shard map: got messages of 0 floats, want 1 or more");
  ODSGD_REQUIRE(layout.keys() > 0, "shard map: the model has no parameters");

  std::vector<Key> by_size(layout.keys());
  std::iota(by_size.begin(), by_size.end(), Key{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](Key a, Key b) { return layout[a].count > layout[b].count; });

  const auto n = static_cast<std::size_t>(servers);
  std::vector<std::size_t> load(n);
  for (const Key key : by_size) {
    const Parameter& p = layout[key];
    const bool splits = n > 1 && p.count >= kSplitFloats && !keeps_keys_whole;
    const std::size_t parts = splits ? n : 1;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t begin = part_begin(p.count, i, parts);
      const std::size_t count = part_begin(p.count, i + 1, parts) - begin;
      const std::size_t server =
          splits
              ? i
              : static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      load[server] += count;
      const std::size_t messages =
          keeps_keys_whole ? 1 : (count + message_floats - 1) / message_floats;
      for (std::size_t j = 0; j < messages; ++j) {
        const std::size_t from = part_begin(count, j, messages);
        const std::size_t to = part_begin(count, j + 1, messages);
        slices_.push_back({key, static_cast<int>(server), p.offset + begin + from, to - from});
      }
    }
  }
  std::sort(slices_.begin(), slices_.end(),
            [](const Slice& a, const Slice& b) { return a.offset < b.offset; });
  ODSGD_REQUIRE(slices_.size() < UINT32_MAX, "shard map: got {} slices, want fewer than {}",
                slices_.size(), UINT32_MAX);

  for (std::uint32_t i = 0; i < slices_.size(); ++i) {
    while (first_.size() <= slices_[i].key) first_.push_back(i);
  }
  first_.push_back(static_cast<std::uint32_t>(slices_.size()));
}

std::size_t ShardMap::floats_of_server(int server) const {
  std::size_t sum = 0;
  for (const Slice& slice : slices_) sum += slice.server == server ? slice.count : 0;
  return sum;
}

}  // namespace odsgd
