#include <doctest/doctest.h>

#include "h5/error_text.hpp"
#include "update_options.hpp"
#include "usage_error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr UpdateScale kScale{
    .workers = 4, .batch_per_worker = 64, .steps_per_epoch = 10, .epochs = 3};

UpdateOptions options_of(const std::string& algorithm, const std::string& preset = "default") {
  UpdateOptions o;
  o.algorithm = algorithm;
  o.preset = preset;
  return o;
}

AlgorithmSettings settings(const UpdateOptions& options) {
  return settings_of(with_defaults(options, kScale), kScale);
}

}  // namespace

TEST_CASE("update options: what is not given follows what is") {
  UpdateOptions o = options_of("od-sgd");
  o.lr = 0.3;
  o.momentum = 0.25;

  const UpdateOptions filled = with_defaults(o, kScale);

  CHECK(filled.local_lr == 0.3);
  CHECK(filled.local_momentum == 0.25);
  CHECK(filled.elastic_alpha == 0.9 / 4);
  CHECK(with_defaults(filled, kScale) == filled);
}

TEST_CASE(
    "update options: every default is filled in but for those that are off without a number") {
  for (const std::string preset : {"default", "paper"}) {
    UpdateOptions filled = with_defaults(options_of("od-sgd", preset), kScale);
    filled.lr_steps = "1";
    filled.clip_norm = filled.clip_value = 1;
    UpdateOptions all = filled;
    CHECK(list_update_options(all).size() == 38);
  }
}

TEST_CASE("update options: lambda's default is that of the rule that has one") {
  const auto lambda = [](const std::string& algorithm, const std::string& local_rule,
                         const std::string& lambda_rule = "adaptive") {
    UpdateOptions o = options_of(algorithm);
    o.local_rule = local_rule;
    o.lambda_rule = lambda_rule;
    return *with_defaults(o, kScale).lambda;
  };
  CHECK(lambda("od-sgd", "dc-c") == 0.04);
  CHECK(lambda("od-sgd", "dc-a") == 2);
  CHECK(lambda("od-sgd", "dc-norm") == 0.2);
  CHECK(lambda("dc-s3gd", "mc") == 0.2);
  CHECK(lambda("dc-asgd", "mc") == 2);
  CHECK(lambda("dc-asgd", "mc", "constant") == 0.04);
}

TEST_CASE(
    "update options: the preset paper is what the authors publish, and gives way to options") {
  const AlgorithmSettings od = settings(options_of("od-sgd", "paper"));
  CHECK(od.local_rule == LocalRule::kDcA);
  CHECK(od.dc_reference == DcReference::kPrevGlobal);
  CHECK(od.local_scale == LocalScale::kGlobal);
  CHECK(od.warmup_steps == 200);
  CHECK(od.local_lr.at(200) == 0.25F);
  CHECK(od.local_momentum == 0);
  CHECK(od.lambda == 2);
  CHECK(od.mean_square_decay == 0);
  CHECK(od.local_lr.first_step == 200);

  const AlgorithmSettings ssd = settings(options_of("ssd-sgd", "paper"));
  CHECK(ssd.local_rule == LocalRule::kGlu);
  CHECK(ssd.delay_steps == 5);
  CHECK(ssd.warmup_steps == 499);
  CHECK(ssd.local_lr.at(600) == 0.2F);

  const AlgorithmSettings cd = settings(options_of("cd-sgd", "paper"));
  CHECK(cd.threshold == 0.5F / 64);
  CHECK(cd.warmup_steps == 1000);
  CHECK(settings(options_of("dc-asgd", "paper")).momentum == 0);
  CHECK(settings(options_of("local-sgd", "paper")).outer_momentum == 0.9F);

  UpdateOptions own = options_of("od-sgd", "paper");
  own.local_rule = "sgd";
  own.warmup_steps = 7;
  CHECK(settings(own).local_rule == LocalRule::kSgd);
  CHECK(settings(own).warmup_steps == 7);
}

TEST_CASE("update options: epochs become steps, and the run's length is known") {
  UpdateOptions o = options_of("ssgd");
  o.lr = 1;
  o.lr_schedule = "step";
  o.lr_steps = "1,2.5";
  const LrSchedule lr = settings(o).lr;
  CHECK(lr.at(9) == 1);
  CHECK(lr.at(10) == 0.1F);
  CHECK(lr.at(24) == 0.1F);
  CHECK(lr.at(25) == 0.01F);
  CHECK(settings(o).total_steps == 30);
  CHECK(settings(o).workers == 4);

  o.local_lr = 2;
  o.local_lr_schedule = "constant";
  CHECK(settings(o).local_lr.at(29) == 2);
}

TEST_CASE("update options: linear scaling multiplies both rates by the batches' ratio") {
  UpdateOptions o = options_of("od-sgd");
  o.lr = 0.1;
  o.local_lr = 0.3;
  o.lr_scaling = "linear";
  o.lr_base_batch = 128;
  CHECK(settings(o).lr.at(0) == 0.2F);
  CHECK(settings(o).local_lr.at(0) == 0.6F);
}

TEST_CASE("update options: epochs that are none are refused by the option's name") {
  for (const char* text :
       {"a", "1,", ",1", "1,,2", "2,1", "1,1", "0,1", "-1", "1 2", "inf", "nan"}) {
    CAPTURE(text);
    CHECK(
        error_text([&] { epochs_of("--lr-steps", text); }) ==
        fmt::format("--lr-steps: got {}, want ascending numbers of epochs with commas between, as "
                    "80,120",
                    text));
  }
  CHECK(epochs_of("--lr-steps", "").empty());
  UpdateOptions o = options_of("ssgd");
  o.lr_schedule = "step";
  CHECK(error_text([&] { settings(o); }) ==
        "--lr-steps: got nothing, want epochs at which the rate falls, as 80,120 (--lr-schedule "
        "step)");
}
