#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

#include "odsgd/base/error.hpp"
#include "ps/messages.hpp"
#include "ps/server_bench.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Single pushes, added as they come; the base that the worker was sent is written to `seen`.
class AddSingle final : public ServerRule {
 public:
  explicit AddSingle(std::vector<float>* seen) : seen_(seen) {}
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    std::vector<float> g(updated.size());
    decode(pushes.front().codec, pushes.front().body.bytes(), 0, g);
    for (std::size_t i = 0; i < updated.size(); ++i) updated[i] = slice.weights[i] + g[i];
    if (seen_ == nullptr) return;
    const auto base = odsgd::floats_of(pushes.front().base, updated.size());
    seen_->assign(base.begin(), base.end());
  }

 private:
  std::vector<float>* seen_;
};

ServerHalf add_single(std::vector<float>* seen = nullptr) {
  return {.takes_rounds = false, .keeps_bases = seen != nullptr, .make_rule = [=](std::size_t) {
            return std::make_unique<AddSingle>(seen);
          }};
}

}  // namespace

TEST_CASE("server: with single pushes a pull waits for the slowest worker's steps") {
  Bench bench({}, add_single());
  bench.server->handle(pull_from(3, 0, 1));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 1}));
  bench.server->handle(push_from(3, 0, 1, 0, {1, 1}));
  CHECK(bench.sent_to(3).empty());

  bench.server->handle(push_from(2, 0, 0, 0, {1, 1}));

  const auto sent = bench.sent_to(3);
  REQUIRE(sent.size() == 1);
  CHECK(header_of(sent[0]).clock == 3);
  CHECK(floats_in(sent[0]) == std::vector<float>{13, 23});
}

TEST_CASE("server: single pushes come step by step") {
  Bench bench({}, add_single());
  CHECK_THROWS_WITH_AS(bench.server->handle(push_from(2, 0, 1, 0, {1, 1})),
                       "push of first from worker 0: got step 1, want 0", Error);
}

TEST_CASE("server: a rule that wants it sees the weights that the worker was sent last") {
  std::vector<float> seen;
  Bench bench({}, add_single(&seen));
  bench.server->handle(pull_from(2, 0, 0));
  bench.server->handle(pull_from(3, 0, 0));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 2}));
  CHECK(seen == std::vector<float>{10, 20});
  bench.server->handle(pull_from(3, 0, 0));

  bench.server->handle(push_from(2, 0, 0, 0, {1, 1}));
  CHECK(seen == std::vector<float>{10, 20});

  bench.server->handle(push_from(3, 0, 1, 1, {1, 1}));
  CHECK(seen == std::vector<float>{11, 22});
  CHECK_THROWS_WITH_AS(bench.server->handle(push_from(3, 0, 2, 0, {1, 1})),
                       "push of first from worker 1: it was taken with clock 0, want 1, sent last",
                       Error);
}

TEST_CASE("server: a half may let workers run ahead of the round by several steps") {
  ServerHalf half = kAddLast;
  half.most_ahead = 3;
  Bench bench({}, half);
  for (Clock t = 0; t < 4; ++t) bench.server->handle(push_from(3, 0, t, 0, {1, 0}));
  CHECK_THROWS_WITH_AS(bench.server->handle(push_from(3, 0, 4, 0, {1, 0})),
                       "push of first from worker 1: got step 4, want one push of step 0 to 3",
                       Error);
  for (Clock t = 0; t < 4; ++t) bench.server->handle(push_from(2, 0, t, 0, {0, 0}));
  bench.server->handle(pull_from(2, 0, 4));
  const auto sent = bench.sent_to(2);
  REQUIRE(sent.size() == 1);
  CHECK(floats_in(sent[0]) == std::vector<float>{14, 20});
}

TEST_CASE("server: the first numbers that are not finite are told, with where they came from") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float most = std::numeric_limits<float>::max();
  Bench bench;
  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  CHECK_THROWS_WITH_AS(bench.server->handle(push_from(3, 0, 0, 0, {0, nan})),
                       "step 1: gradient of first from worker 1: got nan, want finite numbers",
                       Error);

  Bench other;
  std::vector<Divergence> found;
  other.server->on_divergence([&](const Divergence& divergence) { found.push_back(divergence); });
  for (Clock t = 0; t < 3; ++t) {
    other.server->handle(push_from(2, 2, t, 0, {0}));
    other.server->handle(push_from(3, 2, t, 0, {most}));
  }
  REQUIRE(found.size() == 1);
  CHECK(found[0].step == 1);  // the second time the sum of finite numbers is infinite
  CHECK(found[0].key == 2);
  CHECK(found[0].worker == -1);
  CHECK(found[0].value == std::numeric_limits<float>::infinity());
}
