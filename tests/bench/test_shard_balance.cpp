#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "odsgd/bench/network_table.hpp"
#include "odsgd/ps/shard_map.hpp"

using namespace odsgd;

TEST_CASE("shards: of real networks no server holds more than 1.1 times the mean") {
  for (const std::string name : {"alexnet", "vgg16", "resnet50", "lenet"}) {
    const NetworkTable table = find_network_table(name);
    for (const int servers : {2, 3, 4, 8}) {
      CAPTURE(name);
      CAPTURE(servers);
      const ShardMap shards(layout_of(table), servers, 262144);

      std::vector<std::size_t> floats(static_cast<std::size_t>(servers));
      for (const Slice& slice : shards.slices()) {
        floats[static_cast<std::size_t>(slice.server)] += slice.count;
      }

      const std::size_t sum = std::accumulate(floats.begin(), floats.end(), std::size_t{0});
      const double mean = static_cast<double>(sum) / servers;
      CHECK(sum == table.floats());
      CHECK(static_cast<double>(*std::max_element(floats.begin(), floats.end())) <= 1.1 * mean);
    }
  }
}
