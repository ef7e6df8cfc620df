#include <doctest/doctest.h>

#include "check_in.hpp"
#include "h5/error_text.hpp"
#include "notes.hpp"
#include "odsgd/base/host.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Hello hello(const std::string& error = "", const std::string& options = "lr = 1\nseed = 2\n") {
  return {.error = error,
          .is_usage_error = false,
          .options = options,
          .name = "",
          .host = "n17",
          .cpus_allowed = 3};
}

/// All ranks check in; what came of it, by rank.
std::vector<CheckIn> check_in_all(std::vector<Hello> hellos) {
  for (std::size_t r = 0; r < hellos.size(); ++r) hellos[r].name = fmt::format("rank {} (x)", r);
  std::vector<CheckIn> results(hellos.size());
  run_ranks(static_cast<int>(hellos.size()), [&](Endpoint& endpoint) {
    const auto rank = static_cast<std::size_t>(endpoint.rank());
    results[rank] = check_in(endpoint, hellos[rank], 20);
  });
  return results;
}

/// The error lines, of which every rank must have the same.
std::vector<std::string> errors_of(const std::vector<Hello>& hellos) {
  const auto results = check_in_all(hellos);
  for (const CheckIn& result : results) CHECK(result.errors == results[0].errors);
  return results[0].errors;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("check-in: ranks that agree begin, and all know of all") {
  const auto results = check_in_all({hello(), hello(), hello()});

  for (const CheckIn& result : results) {
    CHECK(result.errors.empty());
    CHECK_FALSE(result.is_usage_error);
    CHECK(result.early.empty());
    REQUIRE(result.ranks.size() == 3);
    for (const Hello& rank : result.ranks) {
      CHECK(rank.host == "n17");
      CHECK(rank.cpus_allowed == 3);
      CHECK(rank.options == hello().options);
    }
  }
}

TEST_CASE("check-in: a run has one number on all its ranks, and another has another") {
  const auto results = check_in_all({hello(), hello(), hello()});
  const auto others = check_in_all({hello(), hello()});

  CHECK(results[0].run_id.size() == 16);
  for (const CheckIn& result : results) CHECK(result.run_id == results[0].run_id);
  CHECK(others[0].run_id != results[0].run_id);
}

TEST_CASE("check-in: an error that all ranks have is one line") {
  CHECK(errors_of({hello("no data"), hello("no data"), hello("no data")}) == Lines{"no data"});
}

TEST_CASE("check-in: an error that some ranks have names the first of them and counts the others") {
  CHECK(errors_of({hello(), hello("no data"), hello()}) == Lines{"rank 1 (x) on n17: no data"});
  CHECK(errors_of({hello(), hello("no data"), hello("no data")}) ==
        Lines{"rank 1 (x) and 1 more on n17: no data"});
  CHECK(errors_of({hello("a"), hello("b"), hello("a")}) ==
        Lines{"rank 0 (x) and 1 more on n17: a", "rank 1 (x) on n17: b"});
}

TEST_CASE("check-in: options that differ from rank 0's are named with both values") {
  const std::string hint = " as on rank 0 (all ranks must be started with the same options)";

  CHECK(errors_of({hello(), hello("", "lr = 1\nseed = 3\n"), hello("", "lr = 1\nseed = 3\n")}) ==
        Lines{"rank 1 (x) and 1 more on n17: options: got seed = 3, want seed = 2" + hint});
  CHECK(errors_of({hello(), hello("", "lr = 1\n")}) ==
        Lines{"rank 1 (x) on n17: options: got nothing, want seed = 2" + hint});
  CHECK(errors_of({hello(), hello("", "lr = 1\nseed = 2\nworkers = 4\n")}) ==
        Lines{"rank 1 (x) on n17: options: got workers = 4, want nothing" + hint});
}

TEST_CASE("check-in: a rank that could not read its options is not compared with others") {
  CHECK(errors_of({hello("bad option", ""), hello(), hello()}) ==
        Lines{"rank 0 (x) on n17: bad option"});
}

TEST_CASE("check-in: one usage error makes it a usage error, on all ranks") {
  Hello bad = hello("--lr: got -1");
  bad.is_usage_error = true;

  for (const CheckIn& result : check_in_all({hello(), bad})) CHECK(result.is_usage_error);
}

TEST_CASE("check-in: text that is no UTF-8 does not break it") {
  CHECK(check_in_all({hello("", "data = \"\xFF\""), hello("", "data = \"\xFF\"")})
            .at(1)
            .errors.empty());
}

TEST_CASE("check-in: a rank that never comes is named after the time limit") {
  const double begin_s = now_s();
  const auto text_on = [](int absent) {
    return error_text([&] {
      run_ranks(3, [&](Endpoint& endpoint) {
        if (endpoint.rank() != absent) check_in(endpoint, hello(), endpoint.rank() == 0 ? 0.2 : 5);
      });
    });
  };

  CHECK(says(text_on(2), "start: nothing heard from rank 2 for 0.2 s"));
  CHECK(says(text_on(1), "start: nothing heard from rank 1 for 0.2 s"));
  CHECK(now_s() - begin_s < 5);
  CHECK(says(error_text([] {
               run_ranks(2, [](Endpoint& endpoint) {
                 if (endpoint.rank() == 1) check_in(endpoint, hello(), 0.2);
               });
             }),
             "start: nothing heard from rank 0 for 0.2 s"));
}

TEST_CASE("check-in: messages of ranks that began earlier are kept for later, in order") {
  std::vector<Message> early;
  run_ranks(3, [&](Endpoint& endpoint) {
    // Rank 2 begins, and writes to rank 1 before rank 1 can know the verdict.
    if (endpoint.rank() == 2) {
      for (const double loss : {1.0, 2.0}) {
        post_note(endpoint, 1,
                  make_note(endpoint.buffers(), Topic::kInterval,
                            IntervalReport{.last_step = 1, .loss_sum = loss}));
      }
    }
    CheckIn result = check_in(endpoint, hello(), 20);
    if (endpoint.rank() == 1) early = std::move(result.early);
  });

  // How many rank 1 receives before the verdict is a matter of time; rank 2 posts them before its
  // hello, so they come before rank 0 can send the verdict.
  REQUIRE(early.size() == 2);
  CHECK(read_note<IntervalReport>(early[0]).loss_sum == 1.0);
  CHECK(read_note<IntervalReport>(early[1]).loss_sum == 2.0);
}
