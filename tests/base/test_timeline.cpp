#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/base/timeline.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

Timeline::Span span_of_step(Clock step) {
  return {.begin_s = static_cast<double>(step),
          .end_s = static_cast<double>(step) + 0.5,
          .step = step,
          .key = static_cast<Key>(step % 7),
          .label = static_cast<Timeline::Label>(step % 3),
          .lane = Lane::kPull};
}

}  // namespace

TEST_CASE("timeline: spans come back as they were added, over the end of a block too") {
  Timeline timeline;
  constexpr Clock kCount = 10'000;  // blocks hold 4,096
  for (Clock step = 0; step < kCount; ++step) timeline.add(span_of_step(step));

  const std::vector<Timeline::Span> spans = timeline.spans();

  REQUIRE(spans.size() == kCount);
  bool all_right = true;
  for (Clock step = 0; step < kCount; ++step)
    all_right = all_right && spans[step] == span_of_step(step);
  CHECK(all_right);
  CHECK(timeline.size() == kCount);
  CHECK(timeline.dropped() == 0);
}

TEST_CASE("timeline: beyond the capacity the first spans are kept and the others counted") {
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{4096}, std::size_t{5000}}) {
    CAPTURE(capacity);
    Timeline timeline(capacity);
    for (Clock step = 0; step < capacity + 3; ++step) timeline.add(span_of_step(step));

    CHECK(timeline.size() == capacity);
    CHECK(timeline.dropped() == 3);
    CHECK(timeline.spans().back() == span_of_step(capacity - 1));
  }
  CHECK(says(error_text([] { Timeline timeline(0); }), "timeline: got a capacity of 0 spans"));
}

TEST_CASE("timeline: a label is registered once and keeps its number") {
  Timeline timeline;

  CHECK(timeline.label("forward conv1") == 0);
  CHECK(timeline.label("forward conv2") == 1);
  CHECK(timeline.label("forward conv1") == 0);
  CHECK(timeline.labels() == std::vector<std::string>{"forward conv1", "forward conv2"});
}

TEST_CASE("timeline: nothing is lost when threads add at once") {
  Timeline timeline;
  constexpr Clock kEach = 20'000;
  constexpr Clock kThreads = 4;
  std::vector<std::thread> threads;
  for (Clock t = 0; t < kThreads; ++t) {
    threads.emplace_back([&timeline, t] {
      for (Clock i = 0; i < kEach; ++i) timeline.add(span_of_step(t * kEach + i));
    });
  }
  for (std::thread& thread : threads) thread.join();

  std::vector<int> seen(kThreads * kEach);
  bool all_whole = true;
  for (const Timeline::Span& span : timeline.spans()) {
    all_whole = all_whole && span == span_of_step(span.step);
    ++seen.at(span.step);
  }

  CHECK(all_whole);
  CHECK(seen == std::vector<int>(kThreads * kEach, 1));
}

TEST_CASE("timeline span: adds its own life with what it was told") {
  Tracer tracer{.timeline = std::make_shared<Timeline>(), .step = 12};
  Timeline& timeline = *tracer.timeline;
  timeline.label("wait");
  const Timeline::Label label = label_in(&tracer, "backward conv1");
  const double before_s = now_s();
  {
    const TimelineSpan outer(&tracer, Lane::kWait, label, 3);
    tracer.step = 13;
    const TimelineSpan inner(&tracer, Lane::kCompute, label);
    CHECK(timeline.size() == 0);
  }
  const double after_s = now_s();

  const std::vector<Timeline::Span> spans = timeline.spans();

  REQUIRE(spans.size() == 2);  // the inner one ends first
  CHECK(spans[0].lane == Lane::kCompute);
  CHECK(spans[0].step == 13);
  CHECK(spans[0].key == kNoKey);
  CHECK(spans[1].lane == Lane::kWait);
  CHECK(spans[1].step == 12);
  CHECK(spans[1].key == 3);
  CHECK(spans[1].label == label);
  CHECK(before_s <= spans[1].begin_s);
  CHECK(spans[1].begin_s <= spans[0].begin_s);
  CHECK(spans[0].begin_s <= spans[0].end_s);
  CHECK(spans[0].end_s <= spans[1].end_s);
  CHECK(spans[1].end_s <= after_s);
}

TEST_CASE("timeline span: without a tracer it does nothing") {
  const TimelineSpan span(nullptr, Lane::kPush, label_in(nullptr, "push"), 2);
}

TEST_CASE("every lane has a name of its own") {
  CHECK(lane_name(Lane::kCompute) == "compute");
  CHECK(lane_name(Lane::kWait) == "wait");
  CHECK(lane_name(Lane::kUpdate) == "update");
  CHECK(lane_name(Lane::kPush) == "push");
  CHECK(lane_name(Lane::kPull) == "pull");
  CHECK(lane_name(Lane::kServer) == "server");
  CHECK(lane_name(Lane::kEvaluate) == "evaluate");
  CHECK(static_cast<std::size_t>(Lane::kEvaluate) + 1 == kLanes);
}
