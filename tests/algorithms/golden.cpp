#include "algorithms/golden.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/same_bits.hpp"

namespace odsgd::test {
namespace {

constexpr float kLr = 0.1F;
constexpr float kMomentum = 0.5F;

Setup ssgd() {
  Setup setup{.algorithm = "ssgd", .steps = 8};
  setup.settings = {.lr = kLr, .momentum = kMomentum, .weight_decay = 0};
  return setup;
}

Setup od_sgd(LocalRule rule, float local_momentum = 0, float weight_decay = 0) {
  Setup setup{.algorithm = "od-sgd", .steps = 8};
  setup.settings = {.lr = kLr,
                    .momentum = kMomentum,
                    .weight_decay = weight_decay,
                    .local_rule = rule,
                    .local_lr = kLr,
                    .local_momentum = local_momentum,
                    .warmup_steps = 2};
  return setup;
}

Setup delay_compensated(LocalRule rule, DcReference reference, float mean_square_decay = 0.95F) {
  Setup setup = od_sgd(rule);
  setup.settings.lambda = 2;
  setup.settings.dc_reference = reference;
  setup.settings.mean_square_decay = mean_square_decay;
  return setup;
}

Setup ssd_sgd(Clock delay_steps) {
  Setup setup = od_sgd(LocalRule::kSgd);
  setup.algorithm = "ssd-sgd";
  setup.settings.delay_steps = delay_steps;
  return setup;
}

}  // namespace

Quadratic golden_problem() { return uniform_quadratic(mixed_layout(), 2, {1, 3}, {0, 1}); }

std::vector<GoldenRow> golden_rows() {
  return {
      {"ssgd",
       ssgd(),
       {2, 1.75, 1.425, 1.1275, 0.903250000, 0.760475000, 0.686992500},
       0.668212325,
       {0.686992500, 0.686992500}},
      {"none",
       od_sgd(LocalRule::kNone),
       {2, 1.75, 1.425, 1.1275, 0.843750000, 0.626375000, 0.498937500},
       0.490659375,
       {0.626375000, 0.626375000}},
      {"sgd, local momentum 0",
       od_sgd(LocalRule::kSgd),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.685550000, 0.576042500},
       0.535066750,
       {0.608542500, 0.727992500}},
      {"sgd, local momentum 0.5",
       od_sgd(LocalRule::kSgd, 0.5F),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.698675000, 0.608967500},
       0.584372875,
       {0.534655000, 0.723905000}},
      {"sgd, local momentum 0, weight decay 0.01",
       od_sgd(LocalRule::kSgd, 0, 0.01F),
       {2, 1.748, 1.420652, 1.121426948, 0.862879325, 0.678253970, 0.569280460},
       0.530397760,
       {0.601299961, 0.721886314}},
      {"mc",
       od_sgd(LocalRule::kMc),
       {2, 1.75, 1.425, 1.1275, 0.902500000, 0.755925000, 0.676192500},
       0.643052125,
       {0.612305000, 0.740080000}},
      {"dc-c, reference prev-global",
       delay_compensated(LocalRule::kDcC, DcReference::kPrevGlobal),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.673547437, 0.557051360},
       0.511296873,
       {0.617885601, 0.727437069}},
      {"dc-c, reference compute",
       delay_compensated(LocalRule::kDcC, DcReference::kCompute),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.678938113, 0.565385192},
       0.519249198,
       {0.614757919, 0.730196421}},
      {"dc-a, decay 0.95",
       delay_compensated(LocalRule::kDcA, DcReference::kPrevGlobal),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.653194241, 0.520888762},
       0.465975679,
       {0.630493866, 0.717846328}},
      {"dc-a, decay 0",
       delay_compensated(LocalRule::kDcA, DcReference::kPrevGlobal, 0),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.673769001, 0.556255528},
       0.507579993,
       {0.624082390, 0.733627587}},
      {"ssd-sgd, a pull every 3 steps",
       ssd_sgd(3),
       {2, 1.75, 1.425, 1.1275, 0.870000000, 0.652300000, 0.469642500},
       0.396012000,
       {0.548417500, 0.608567500}},
  };
}

std::vector<Variant> variants() {
  using std::chrono::microseconds;
  return {
      {2, 65536, {}},
      {3, 65536, {microseconds(300), 1}},
      {kColocated, 65536, {}},
      {kColocated, 500, {microseconds(200), 2}},
      {1, 7, {}},
      {2, 1000, {microseconds(500), 3}},
      {3, 1, {}},
      {1, 4104, {microseconds(400), 4}},
      {kReplicated, 65536, {}},
      {kReplicated, 500, {microseconds(200), 5}},
      {kReplicated, 70, {microseconds(300), 6}},
  };
}

Setup with_variant(Setup setup, const Variant& variant) {
  setup.servers = variant.servers;
  setup.message_floats = variant.message_floats;
  setup.delays = variant.delays;
  return setup;
}

std::string describe(const Variant& variant) {
  return fmt::format(
      "{} servers (0: colocated, -1: none), messages of {} floats, delays up to {} us",
      variant.servers, variant.message_floats, variant.delays.longest.count());
}

void check_same(const Trace& a, const Trace& b) {
  REQUIRE(a.global.size() == b.global.size());
  for (std::size_t t = 0; t < a.global.size(); ++t) {
    CAPTURE(t);
    CHECK(same_bits(a.global[t], b.global[t]));
  }
  REQUIRE(a.local.size() == b.local.size());
  for (std::size_t m = 0; m < a.local.size(); ++m) {
    REQUIRE(a.local[m].size() == b.local[m].size());
    for (std::size_t t = 0; t < a.local[m].size(); ++t) {
      CAPTURE(m);
      CAPTURE(t);
      CHECK(same_bits(a.local[m][t], b.local[m][t]));
    }
  }
}

}  // namespace odsgd::test
