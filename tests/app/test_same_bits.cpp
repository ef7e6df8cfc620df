#include <doctest/doctest.h>

#include "app/program.hpp"
#include "app/run_difference.hpp"
#include "app/serial_training.hpp"
#include "app/tiny_data.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/checkpoint/weights.hpp"
#include "odsgd/record/run_summary.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kWorkers = 4;

/// An update rule, as options and as the serial training knows it.
struct Rule {
  std::string name;
  Words options;
  bool is_od_sgd;
  AlgorithmSettings settings;
  std::string layout;  ///< the only one it is tried with; empty: all
};

const AlgorithmSettings kCommon{.lr = 0.04F, .momentum = 0.8F, .weight_decay = 0.01F};

AlgorithmSettings local(LocalRule rule, Clock warmup_steps) {
  AlgorithmSettings settings = kCommon;
  settings.local_rule = rule;
  settings.local_lr = 0.03F;
  settings.local_momentum = 0.7F;
  settings.warmup_steps = warmup_steps;
  return settings;
}

/// The rule that holds most state is for all layouts, the others for those with most disorder.
std::vector<Rule> rules() {
  const Words od_sgd{"--local-lr", "0.03", "--local-momentum", "0.7", "--local-rule"};
  const std::string dedicated = "3-servers-late";
  const std::string colocated = "colocated-late";
  return {{"ssgd", {"--algorithm", "ssgd"}, false, kCommon, dedicated},
          {"none", od_sgd + Words{"none"}, true, local(LocalRule::kNone, 0), colocated},
          {"sgd", od_sgd + Words{"sgd"}, true, local(LocalRule::kSgd, 0), dedicated},
          {"mc", od_sgd + Words{"mc"}, true, local(LocalRule::kMc, 0), colocated},
          {"sgd-warmup", od_sgd + Words{"sgd", "--warmup-steps", "5"}, true,
           local(LocalRule::kSgd, 5), colocated},
          {"mc-warmup", od_sgd + Words{"mc", "--warmup-steps", "20"}, true,
           local(LocalRule::kMc, 20), ""}};
}

/// Runs in one directory on one data set; a run's output directory is its name.
class Runs {
 public:
  Runs() { write_tiny_data(data()); }

  std::string data() const { return directory_.file("tiny.h5"); }
  std::string log(const std::string& name) const { return directory_.file(name + "/run.h5"); }

  Words options(const std::string& name, const Words& more) const {
    return Words{"--data",
                 "tiny.h5",
                 "--output",
                 name,
                 "--epochs",
                 "2",
                 "--batch-per-worker",
                 "8",
                 "--log-every",
                 "5",
                 "--lr",
                 "0.04",
                 "--momentum",
                 "0.8",
                 "--weight-decay",
                 "0.01"} +
           more;
  }

  std::string in_process(const std::string& name, const Words& more, int workers = kWorkers) const {
    return finish(name, train_in_process(workers, options(name, more)));
  }
  std::string over_mpi(const std::string& name, int ranks, const Words& more) const {
    return finish(name, train_over_mpi(ranks, options(name, more)));
  }

 private:
  std::string finish(const std::string& name, const Words& command) const {
    const Outcome outcome = run(command, directory_.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.err.empty());
    return log(name);
  }

  TemporaryDirectory directory_;
};

/// How ranks and messages are laid out; never to be seen in a result.
struct Layout {
  std::string name;
  int servers;  ///< dedicated; 0: colocated
  int message_kib;
  bool is_late;  ///< messages are delayed at random

  int ranks() const { return kWorkers + servers; }
  Words with(const Words& more) const {
    return Words{"--servers",         servers == 0 ? "colocated" : std::to_string(servers),
                 "--message-kib",     std::to_string(message_kib),
                 "--inject-delay-us", is_late ? "300" : "0"} +
           more;
  }
};

std::vector<Layout> layouts() {
  return {{"1-server-smallest-messages", 1, 1, false},
          {"2-servers", 2, 100, false},
          {"3-servers", 3, 512, false},
          {"3-servers-late", 3, 64, true},
          {"colocated", 0, 512, false},
          {"colocated-late", 0, 40, true}};
}

}  // namespace

TEST_CASE("train: weights have the bits of a serial training, and losses its values") {
  const Runs runs;
  for (const Rule& rule : rules()) {
    CAPTURE(rule.name);
    const SerialResult want = train_serially({.data = runs.data(),
                                              .model = "lenet",
                                              .is_od_sgd = rule.is_od_sgd,
                                              .settings = rule.settings,
                                              .workers = kWorkers});

    const std::string log = runs.in_process(rule.name, rule.options);

    std::vector<float> weights(want.layout.floats());
    CHECK(read_weights(log, want.layout, weights) == 32);
    CHECK(same_bits(weights, want.weights));
    const RunRows rows = read_run(log).rows;
    REQUIRE(rows.eval.size() == 2);
    double first_epoch_loss = 0;
    for (const TrainRow& row : rows.train) {
      if (row.step <= 16) first_epoch_loss += row.loss * (row.step == 16 ? 1 : 5) / 16;
    }
    CHECK(first_epoch_loss == doctest::Approx(want.epochs[0].train_loss).epsilon(1e-6));
    for (std::size_t e = 0; e < 2; ++e) {
      CHECK(rows.eval[e].loss == doctest::Approx(want.epochs[e].test_loss).epsilon(1e-6));
      CHECK(rows.eval[e].top1 == doctest::Approx(want.epochs[e].test_top1).epsilon(1e-12));
      CHECK(rows.eval[e].top5 == doctest::Approx(want.epochs[e].test_top5).epsilon(1e-12));
      CHECK(rows.eval[e].samples == kTinyTestCount);
    }
  }
}

TEST_CASE("train: the same bits in-process and under mpirun, for every layout of ranks") {
  const Runs runs;
  for (const Rule& rule : rules()) {
    const std::string want = runs.in_process(rule.name, rule.options);
    for (const Layout& layout : layouts()) {
      if (!rule.layout.empty() && rule.layout != layout.name) continue;
      CAPTURE(rule.name);
      CAPTURE(layout.name);
      const std::string name = rule.name + "-" + layout.name;
      const Words options = layout.with(rule.options);

      const std::string threads = runs.in_process(name, options);
      const std::string ranks = runs.over_mpi(name + "-mpi", layout.ranks(), options);

      CHECK(training_differences(threads, want) == "");
      CHECK(training_differences(ranks, want) == "");
    }
  }
}

TEST_CASE("train: the same bits without servers, of 2 workers under mpirun and of any as threads") {
  const Runs runs;
  const Words serverless{"--exchange", "allreduce", "--message-kib", "100"};
  for (const Rule& rule : rules()) {
    if (rule.layout == "colocated-late") continue;
    CAPTURE(rule.name);
    const std::string want_2 = runs.in_process(rule.name + "-2", rule.options, 2);
    const std::string want_4 = runs.in_process(rule.name + "-4", rule.options);

    const std::string threads_2 =
        runs.in_process(rule.name + "-2-threads", serverless + rule.options, 2);
    const std::string threads_4 = runs.in_process(
        rule.name + "-4-late", serverless + Words{"--inject-delay-us", "300"} + rule.options);
    const std::string ranks_2 = runs.over_mpi(rule.name + "-2-mpi", 2, serverless + rule.options);

    CHECK(training_differences(threads_2, want_2) == "");
    CHECK(training_differences(threads_4, want_4) == "");
    CHECK(training_differences(ranks_2, want_2) == "");
  }
}

TEST_CASE("train: without servers, one rank alone under mpirun trains as with a server") {
  const Runs runs;
  const std::string want = runs.in_process("want", {}, 1);

  const std::string alone = runs.over_mpi("alone", 1, {"--exchange", "allreduce"});

  CHECK(training_differences(alone, want) == "");
}

TEST_CASE("train: another seed gives other weights, and another rule too") {
  const Runs runs;
  const std::string log = runs.in_process("one", {});

  const std::string other_seed = runs.in_process("other-seed", {"--seed", "2"});
  const std::string other_rule = runs.in_process("other-rule", {"--local-rule", "sgd"});

  CHECK(differences(log, other_seed, {"/weights/fc2_weight"}, {}) == "/weights/fc2_weight");
  CHECK(differences(log, other_rule, {"/weights/fc2_weight"}, {}) == "/weights/fc2_weight");
}
