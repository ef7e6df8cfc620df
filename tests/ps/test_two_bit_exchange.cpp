// Pushes of the 2-bit codec, alone and among others, through clients and servers.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/two_bit_reference.hpp"
#include "support/ranks.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr float kTheta = 0.7F;
constexpr Clock kSteps = 11;

/// W + sum of a round, in worker order.
class AddSum final : public ServerRule {
 public:
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    std::vector<float> sum(updated.size());
    decode(pushes[0].codec, pushes[0].body.bytes(), 0, sum);
    for (const Push& push : pushes.subspan(1)) {
      decode_add(push.codec, push.body.bytes(), 0, sum);
    }
    for (std::size_t i = 0; i < updated.size(); ++i) updated[i] = slice.weights[i] + sum[i];
  }
};

const ServerHalf kAddSum{.takes_rounds = true,
                         .make_rule = [](std::size_t) { return std::make_unique<AddSum>(); }};

/// "large" is several slices on each server; no slice is a multiple of 16.
ParameterLayout odd_keys() {
  ParameterLayout layout;
  layout.add("large", {5003}, true);
  layout.add("one", {1}, false);
  layout.add("odd", {33}, true);
  return layout;
}

/// Which codec a worker names in step t, and what it gets.
struct Choice {
  std::optional<Codec> named;
  Codec used;
};
using Choose = Choice (*)(int worker, Clock t);

/// Eighths up to 2: exact in every codec that writes each float by itself.
float gradient(int worker, Clock t, std::size_t i) {
  const Random random(17, static_cast<std::uint64_t>(worker) * 100 + t);
  return static_cast<float>(static_cast<int>(random.below(i, 33)) - 16) / 8;
}

std::vector<float> gradients(const ParameterLayout& layout, int worker, Clock t) {
  std::vector<float> g(layout.floats());
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = gradient(worker, t, i);
  return g;
}

/// The weights after all steps, worker by worker and float by float.
std::vector<float> serial_weights(const ParameterLayout& layout, int workers, Choose choose) {
  std::vector<float> w(layout.floats());
  std::vector<std::vector<float>> residuals(static_cast<std::size_t>(workers), w);
  for (Clock t = 0; t < kSteps; ++t) {
    std::vector<float> sum(w.size());
    for (int m = 0; m < workers; ++m) {
      auto sent = gradients(layout, m, t);
      if (choose(m, t).used == Codec::kTwoBit) {
        const auto bytes = reference_two_bit(sent, residuals[static_cast<std::size_t>(m)], kTheta);
        sent = reference_decoded(bytes, sent.size());
      }
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = m == 0 ? sent[i] : sum[i] + sent[i];
    }
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += sum[i];
  }
  return w;
}

/// What a worker pushes in all: a float or a half each, or theta and the words of each slice.
std::uint64_t bytes_of(const ShardMap& shards, int worker, Choose choose) {
  std::uint64_t bytes = 0;
  for (Clock t = 0; t < kSteps; ++t) {
    for (const Slice& slice : shards.slices()) {
      const Codec used = choose(worker, t).used;
      bytes += used == Codec::kTwoBit    ? 4 + (slice.count + 15) / 16 * 4
               : used == Codec::kFloat32 ? 4 * slice.count
                                         : 2 * slice.count;
    }
  }
  return bytes;
}

void check_exchange(const Roles& roles, Codec push_codec, Choose choose) {
  const ParameterLayout layout = odd_keys();
  const ShardMap shards(layout, roles.servers(), 700);
  const std::vector<float> initial(layout.floats());
  const auto want = serial_weights(layout, roles.workers(), choose);
  std::uint64_t sent = 0;
  for (int m = 0; m < roles.workers(); ++m) sent += bytes_of(shards, m, choose);
  std::atomic<std::uint64_t> received = 0;
  run_ranks(roles.ranks(), [&](Endpoint& endpoint) {
    Exchange exchange(endpoint, layout, shards, roles, initial, kAddSum,
                      {.timeout_s = 20, .push_codec = push_codec, .threshold = kTheta});
    if (const auto worker = roles.worker_of(endpoint.rank())) {
      exchange.start();
      Client& client = exchange.client();
      std::vector<float> w(layout.floats());
      for (Clock t = 0; t < kSteps; ++t) {
        const auto g = gradients(layout, *worker, t);
        const auto codec = choose(*worker, t).named;
        for (Key k = 0; k < layout.keys(); ++k) {
          client.wait_until_sent(k);
          const auto from = layout.slice(k, std::span(g));
          std::copy(from.begin(), from.end(), layout.slice(k, client.gradient()).begin());
          Ticket ticket;
          if (t % 2 == 0) {
            ticket = client.push_and_pull(k, t, t, t + 1, codec);
          } else {
            client.push(k, t, t, codec);
            ticket = client.pull(k, t + 1);
          }
          client.wait(ticket, layout.slice(k, std::span(w)));
        }
      }
      CHECK(same_bits(w, want));
      CHECK(client.totals().bytes_pushed == bytes_of(shards, *worker, choose));
      exchange.finish();
    } else {
      exchange.serve();
    }
    if (exchange.server() != nullptr) received += exchange.server()->totals().bytes_received;
  });
  CHECK(received == sent);
}

}  // namespace

TEST_CASE("2-bit pushes: among full ones they give what a serial loop gives, in as many bytes") {
  // Every third push is exact, and neither sends nor changes the residual.
  const Choose named_two_bit = [](int, Clock t) -> Choice {
    if (t % 3 == 2) return {std::nullopt, Codec::kFloat32};
    return {Codec::kTwoBit, Codec::kTwoBit};
  };
  check_exchange(Roles::dedicated(5, 2), Codec::kFloat32, named_two_bit);
  check_exchange(Roles::colocated(2), Codec::kFloat32, named_two_bit);
}

TEST_CASE("2-bit pushes: as the exchange's codec, with exact pushes where they are asked for") {
  const Choose named_float32 = [](int, Clock t) -> Choice {
    if (t % 3 == 2) return {Codec::kFloat32, Codec::kFloat32};
    return {std::nullopt, Codec::kTwoBit};
  };
  check_exchange(Roles::dedicated(5, 2), Codec::kTwoBit, named_float32);
}

TEST_CASE("2-bit pushes: beside halves, each worker with another codec in a step") {
  const Choose by_turns = [](int worker, Clock t) -> Choice {
    switch ((static_cast<Clock>(worker) + t) % 3) {
      case 0:
        return {std::nullopt, Codec::kBfloat16};
      case 1:
        return {Codec::kFloat32, Codec::kFloat32};
      default:
        return {Codec::kTwoBit, Codec::kTwoBit};
    }
  };
  check_exchange(Roles::dedicated(5, 2), Codec::kBfloat16, by_turns);
}

TEST_CASE("2-bit pushes: a server is told of a gradient that is no finite number, and of whose") {
  const ParameterLayout layout = odd_keys();
  const Roles roles = Roles::dedicated(2, 1);
  const ShardMap shards(layout, 1, 10000);
  const std::vector<float> initial(layout.floats());
  InProcessHub hub(2);
  const auto server_end = hub.endpoint(0);
  const auto worker_end = hub.endpoint(1);
  Server server(*server_end, layout, shards, roles, 0, initial, kAddSum, {});
  Client client(*worker_end, layout, shards, roles, {.threshold = kTheta});
  layout.slice(2, client.gradient())[20] = std::numeric_limits<float>::infinity();

  client.push(2, 0, 0, Codec::kTwoBit);

  CHECK_THROWS_WITH_AS(server.handle(receive_one(*server_end)),
                       "step 1: gradient of odd from worker 0: got nan, want finite numbers",
                       Error);
}

TEST_CASE("2-bit pushes: need a threshold, and other codecs are those of the settings") {
  const ParameterLayout layout = odd_keys();
  const Roles roles = Roles::dedicated(2, 1);
  const ShardMap shards(layout, 1, 10000);
  InProcessHub hub(2);
  const auto endpoint = hub.endpoint(1);
  const auto client_of = [&](const ExchangeSettings& settings) {
    return std::make_unique<Client>(*endpoint, layout, shards, roles, settings);
  };
  const char* none = "push of slice 1: got the 2-bit codec and no threshold, want one above 0";
  CHECK_THROWS_WITH_AS(client_of({})->push(1, 0, 0, Codec::kTwoBit), none, Error);
  CHECK_THROWS_WITH_AS(client_of({.push_codec = Codec::kTwoBit})->push(1, 0, 0), none, Error);
  CHECK_THROWS_WITH_AS(client_of({})->push(1, 0, 0, Codec::kFloat16),
                       "push of slice 1: got codec float16, want float32 or that of the settings",
                       Error);
  for (const float threshold :
       {-1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    CHECK_THROWS_AS(client_of({.threshold = threshold}), Error);
  }
}
