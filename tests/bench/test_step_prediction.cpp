#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/bench/step_prediction.hpp"
#include "odsgd/bench/timing_model.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-9); }

constexpr double kWhole = 1e30;  // message_bytes: nothing is cut

/// One byte a second each way, one worker and one server.
LinkModel unit_link(double message_bytes = kWhole) {
  return {.worker_bytes_per_s = 1, .server_bytes_per_s = 1, .message_bytes = message_bytes};
}

/// Numbers from 0 to 1 that are the same in every run.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed, 0) {}
  double next() { return random_.uniform(i_++); }

 private:
  Random random_;
  std::uint64_t i_ = 0;
};

/// One layer of any sizes, on any link without latency.
struct OneLayer {
  explicit OneLayer(std::uint64_t seed) {
    Numbers n(seed);
    layer = {.forward_s = n.next(), .backward_s = n.next(), .update_s = n.next() / 4};
    layer.push_bytes = 1000 * n.next();
    layer.pull_bytes = 1000 * n.next();
    link.workers = 1 + static_cast<int>(8 * n.next());
    link.servers = 1 + static_cast<int>(4 * n.next());
    link.worker_bytes_per_s = link.server_bytes_per_s = 500 + 2000 * n.next();
    link.aggregate_bytes_per_s = 500 + 5000 * n.next();
    link.message_bytes = kWhole;
  }

  StepCosts costs() const {
    const double b = link.worker_bytes_per_s;
    return {.compute_s = layer.forward_s + layer.backward_s,
            .local_update_s = layer.update_s,
            .push_s = transfer_s(layer.push_bytes, b, link.workers, link.servers) + link.latency_s,
            .server_s = layer.push_bytes * link.workers / link.servers / link.aggregate_bytes_per_s,
            .pull_s = transfer_s(layer.pull_bytes, b, link.workers, link.servers) + link.latency_s};
  }

  double step_s(Schedule schedule) const {
    return predict_step({&layer, 1}, link, schedule).step_s;
  }

  LayerLoad layer;
  LinkModel link;
};

/// Layers of any sizes, and the costs of their exchanges on unit_link() with a server of rate 2.
struct Layers {
  explicit Layers(std::uint64_t seed, bool pushes_only) {
    Numbers n(seed);
    loads.resize(1 + static_cast<std::size_t>(9 * n.next()));
    for (LayerLoad& load : loads) {
      load = {.forward_s = n.next(), .backward_s = n.next(), .push_bytes = n.next()};
      load.pull_bytes = pushes_only ? 0 : n.next();
      forward_s += load.forward_s;
    }
    costs.resize(loads.size());
    double ready_s = 0;
    for (std::size_t l = loads.size(); l-- > 0;) {
      ready_s += loads[l].backward_s;
      costs[l] = {.ready_s = ready_s,
                  .push_s = loads[l].push_bytes,
                  .server_s = pushes_only ? 0 : loads[l].push_bytes / 2,
                  .pull_s = loads[l].pull_bytes};
    }
    if (!pushes_only) link.aggregate_bytes_per_s = 2;
  }

  std::vector<LayerLoad> loads;
  std::vector<LayerCosts> costs;
  LinkModel link = unit_link();
  double forward_s = 0;
};

constexpr std::uint64_t kCases = 50;

}  // namespace

TEST_CASE("prediction: one layer takes what the formulas say, whatever bounds it") {
  int hidden = 0;
  int half = 0;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    CAPTURE(seed);
    OneLayer one(seed);
    const double compute_s = one.costs().compute_s + one.costs().local_update_s;

    CHECK(one.step_s(Schedule::kSsgd) == near(ssgd_step_s(one.costs())));
    CHECK(one.step_s(Schedule::kOdSgdOneBuffer) == near(od_sgd_step_s(one.costs())));
    const double separate_s = od_sgd_separate_buffers_step_s(one.costs());
    CHECK(one.step_s(Schedule::kOdSgd) == near(separate_s));
    hidden += static_cast<int>(od_sgd_step_s(one.costs()) == compute_s);
    half += static_cast<int>(separate_s == (compute_s + one.costs().exchange_s()) / 2);

    one.link.latency_s = 0.25;
    CHECK(one.step_s(Schedule::kSsgd) == near(ssgd_step_s(one.costs())));
    CHECK(one.step_s(Schedule::kOdSgdOneBuffer) == near(od_sgd_step_s(one.costs())));
  }
  CHECK(hidden > 5);  // the cases are of all kinds
  CHECK(hidden < static_cast<int>(kCases) - 5);
  CHECK(half > 5);
}

TEST_CASE("prediction: the slower of a worker's and a server's link sets the pace") {
  const LayerLoad layer{.forward_s = 1, .push_bytes = 12, .pull_bytes = 6};
  LinkModel link{.workers = 4, .servers = 2, .worker_bytes_per_s = 3, .server_bytes_per_s = 4};

  // A server's link: 4 / 2 of the bytes at 4 a second; a worker's: all at 3.
  CHECK(predict_step({&layer, 1}, link, Schedule::kSsgd).step_s == near(1 + 12 * 0.5 + 6 * 0.5));
  link.worker_bytes_per_s = 1;
  CHECK(predict_step({&layer, 1}, link, Schedule::kSsgd).step_s == near(1 + 12 + 6));
}

TEST_CASE("prediction: SSGD layer by layer is the formula's F + e_1 when only pushes take time") {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    CAPTURE(seed);
    const Layers layers(seed, true);

    CHECK(predict_step(layers.loads, layers.link, Schedule::kSsgd).step_s ==
          near(layerwise_ssgd_step_s(layers.forward_s, layers.costs)));
  }
}

TEST_CASE("prediction: SSGD layer by layer is the formula of three queues when all take time") {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    CAPTURE(seed);
    const Layers layers(seed, false);

    CHECK(predict_step(layers.loads, layers.link, Schedule::kSsgd).step_s ==
          near(pipelined_ssgd_step_s(layers.forward_s, layers.costs)));
  }
}

TEST_CASE("prediction: a layer that is cut into messages passes the queues in a pipeline") {
  const LayerLoad layer{.forward_s = 1, .backward_s = 2, .push_bytes = 8, .pull_bytes = 8};
  LinkModel link = unit_link(2);  // 4 messages of 2 s
  link.aggregate_bytes_per_s = 2;

  const StepPrediction p = predict_step({&layer, 1}, link, Schedule::kSsgd);

  // The last message: pushed after 8 s, updated 1 s later, pulled 2 s after that.
  CHECK(p.step_s == near(3 + 8 + 1 + 2));
  CHECK(p.compute_s == 3);
  CHECK(p.wait_s == near(11));
  CHECK(p.push_s == 8);
  CHECK(p.server_s == 4);
  CHECK(p.pull_s == 8);
}

TEST_CASE("prediction: with two servers a message is half of what passes at a time") {
  const LayerLoad layer{.push_bytes = 8, .pull_bytes = 8};
  LinkModel link = unit_link(2);
  link.servers = 2;  // 2 times 2 messages

  CHECK(predict_step({&layer, 1}, link, Schedule::kSsgd).step_s == near(8 + 4));
}

TEST_CASE("prediction: the first layer's messages overtake when they have priority") {
  const std::vector<LayerLoad> layers = {{.forward_s = 1, .backward_s = 0.5, .push_bytes = 1},
                                         {.forward_s = 1, .backward_s = 1, .push_bytes = 4}};
  const auto step_s = [&](SendOrder order) {
    return predict_step(layers, unit_link(1), Schedule::kSsgd, order).step_s;
  };

  // From the begin of backward: layer 2's messages end at 2, 3, 4, 5, layer 1's at 6; forward 2 s.
  CHECK(step_s(SendOrder::kFirstReady) == near(8));
  // Layer 1 is ready at 1.5 and sent from 2 to 3, layer 2's others until 6; its forward 1 s.
  CHECK(step_s(SendOrder::kFirstLayer) == near(7));
}

TEST_CASE("prediction: messages that are under way are not overtaken") {
  const std::vector<LayerLoad> layers = {{.forward_s = 1, .backward_s = 0.5, .push_bytes = 1},
                                         {.forward_s = 1, .backward_s = 1, .push_bytes = 4}};
  LinkModel link = unit_link(1);
  const auto step_s = [&](double window_bytes) {
    link.window_bytes = window_bytes;
    return predict_step(layers, link, Schedule::kSsgd, SendOrder::kFirstLayer).step_s;
  };

  // Layer 1 is ready at 1.5 and goes behind so many of layer 2's messages, which end at 2, 3, ...
  CHECK(step_s(1) == near(7));    // at 3; the last of layer 2 at 6, its forward 1
  CHECK(step_s(1.9) == near(7));  // no second message fits
  CHECK(step_s(3) == near(7));    // at 5: layer 1's forward until 6, then layer 2's
  CHECK(step_s(4) == near(8));    // at 6, behind them all
}

TEST_CASE("prediction: priority counts for pulls as well") {
  const std::vector<LayerLoad> layers = {{.forward_s = 1, .backward_s = 0.5, .pull_bytes = 1},
                                         {.forward_s = 1, .backward_s = 1, .pull_bytes = 4}};
  const auto step_s = [&](SendOrder order) {
    return predict_step(layers, unit_link(1), Schedule::kSsgd, order).step_s;
  };

  CHECK(step_s(SendOrder::kFirstReady) == near(8));
  CHECK(step_s(SendOrder::kFirstLayer) == near(7));
}

TEST_CASE("prediction: OD-SGD layer by layer hides the exchange, or is as fast as its queue") {
  std::vector<LayerLoad> layers = {
      {.forward_s = 1, .backward_s = 2, .update_s = 0.5, .push_bytes = 1},
      {.forward_s = 1, .backward_s = 2, .push_bytes = 3}};
  const auto od_sgd = [&] { return predict_step(layers, unit_link(), Schedule::kOdSgdOneBuffer); };

  CHECK(od_sgd().step_s == near(6.5));  // C + U_1 > 1 + 3
  CHECK(od_sgd().wait_s == near(0));
  CHECK(predict_step(layers, unit_link(), Schedule::kSsgd).step_s == near(2 + 2 + 3 + 1));

  layers[0].push_bytes = 5;
  layers[1].push_bytes = 4;
  CHECK(od_sgd().step_s == near(5 + 4));
  CHECK(od_sgd().wait_s == near(9 - 6.5));
}

TEST_CASE("prediction: a local step after each layer's gradient delays the next gradient") {
  const std::vector<LayerLoad> layers(
      3, {.forward_s = 1, .backward_s = 2, .update_s = 0.25, .push_bytes = 0.5, .pull_bytes = 0.5});
  CHECK(predict_step(layers, unit_link(), Schedule::kOdSgdOneBuffer).compute_s == 9.75);
  CHECK(predict_step(layers, unit_link(), Schedule::kOdSgdOneBuffer).step_s == near(9.75));
  CHECK(predict_step(layers, unit_link(), Schedule::kSsgd).compute_s == 9);
}

TEST_CASE("prediction: ASGD has the server to itself, until the server is busy all the time") {
  const LayerLoad layer{.forward_s = 8, .push_bytes = 2, .pull_bytes = 1};
  LinkModel link = unit_link();
  link.aggregate_bytes_per_s = 4;
  const auto step_s = [&](int workers) {
    link.workers = workers;
    return predict_step({&layer, 1}, link, Schedule::kAsgd).step_s;
  };

  CHECK(step_s(1) == near(8 + 2 + 0.5 + 1));
  CHECK(step_s(5) == near(8 + 2 + 0.5 + 1));
  CHECK(step_s(6) == near(6 * 2));  // pushes fill the server's link
  // As the formula: 10 workers, 1 / 2 s of the server each.
  const std::vector<StepCosts> workers(10,
                                       {.compute_s = 8, .push_s = 2, .server_s = 0.5, .pull_s = 1});
  const StepCosts server{.push_s = 2, .server_s = 0.5, .pull_s = 1};
  CHECK(step_s(10) == near(10 / asgd_updates_per_s(workers, server)));
}

TEST_CASE("prediction: layers without parameters compute and do not communicate") {
  const std::vector<LayerLoad> layers = {{.forward_s = 1, .backward_s = 1},
                                         {.forward_s = 1, .backward_s = 1, .push_bytes = 4},
                                         {.forward_s = 1, .backward_s = 1}};
  // The layer's gradient is ready 2 s into backward, its weights 4 s later; forward of the first
  // layer runs meanwhile, from 3 to 4.
  CHECK(predict_step(layers, unit_link(), Schedule::kSsgd).step_s == near(2 + 4 + 2));
  CHECK(predict_step({layers.data(), 1}, unit_link(), Schedule::kOdSgdOneBuffer).step_s == near(2));
}

TEST_CASE("prediction: with a heavy output end OD-SGD is faster than SSGD, but not twice") {
  const NetworkTable vgg = find_network_table("vgg16", 16);
  const LinkModel link{.workers = 4,
                       .servers = 1,
                       .worker_bytes_per_s = 119e6,
                       .server_bytes_per_s = 119e6,
                       .latency_s = 1e-3,
                       .aggregate_bytes_per_s = 6e9};
  // Computing takes as long as pushing does: where the gain without overlap would be greatest.
  const double exchange_s = transfer_s(4.0 * static_cast<double>(vgg.floats()), 119e6, 4, 1);
  const auto loads = layer_loads(vgg, exchange_s / 3, exchange_s * 2 / 3, 0);

  const StepPrediction ssgd = predict_step(loads, link, Schedule::kSsgd);
  const StepPrediction od_sgd = predict_step(loads, link, Schedule::kOdSgd);

  CHECK(od_sgd.step_s >= near(exchange_s));
  CHECK(od_sgd.step_s < 1.1 * exchange_s);
  CHECK(ssgd.step_s > 1.2 * od_sgd.step_s);
  CHECK(ssgd.step_s < 1.6 * od_sgd.step_s);
  CHECK(predict_step(loads, link, Schedule::kSsgd).step_s == ssgd.step_s);  // to the bit
}

TEST_CASE("prediction: a network's loads share its times by operations and by floats") {
  const NetworkTable lenet = find_network_table("lenet");

  const std::vector<LayerLoad> loads = layer_loads(lenet, 2, 4, 1);

  REQUIRE(loads.size() == 4);
  // conv2: 25,000 weights at 64 places of 2,293,000 multiply-adds; 25,050 of 431,080 floats.
  CHECK(loads[1].forward_s == near(2 * 1600.0 / 2293));
  CHECK(loads[1].backward_s == near(4 * 1600.0 / 2293));
  CHECK(loads[1].update_s == near(25050.0 / 431080));
  CHECK(loads[1].push_bytes == 100200);
  CHECK(loads[1].pull_bytes == 100200);
}

TEST_CASE("prediction: quantities out of range are errors by name") {
  const auto error = [](const LinkModel& link, const LayerLoad& layer) {
    return error_text([&] { predict_step({&layer, 1}, link, Schedule::kSsgd); });
  };
  LinkModel link = unit_link();
  link.worker_bytes_per_s = 0;
  CHECK(error(link, {}) == "prediction: got worker_bytes_per_s = 0, want more than 0");
  link = unit_link();
  link.workers = 0;
  CHECK(error(link, {}) == "prediction: got 0 workers and 1 servers, want 1 or more of each");
  link = unit_link();
  link.latency_s = std::nan("");
  CHECK(says(error(link, {}), "latency_s"));
  CHECK(error(unit_link(), {.push_bytes = -1}) ==
        "prediction: got push_bytes = -1, want a number of 0 or more");
  CHECK(error(unit_link(1e-3), {.push_bytes = 1001}) ==
        "prediction: got 1001000 messages a step, want at most 1000000 (message_bytes = 0.001)");
  CHECK(says(error_text([] { predict_step({}, unit_link(), Schedule::kSsgd); }), "got no layers"));
}
