#include <doctest/doctest.h>

#include "app/tiny_data.hpp"
#include "exchange_options.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "job.hpp"
#include "run_description.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

struct Host {
  std::string name;
  int cpus;
};

/// What a run with these options says at its start; one host a rank.
std::string text_of_start(TrainOptions options, const std::vector<Host>& hosts) {
  const TemporaryDirectory place;
  options.data = place.file("tiny.h5");
  write_tiny_data(options.data);
  const Roles roles = roles_of(options, static_cast<int>(hosts.size()));
  CheckIn check;
  for (const Host& host : hosts)
    check.ranks.push_back({.error = "",
                           .is_usage_error = false,
                           .options = "",
                           .name = "",
                           .host = host.name,
                           .cpus_allowed = host.cpus});
  return start_text(make_job(options, roles, false, true), check, {"mpi", "Some MPI 1.0", "LEVEL"},
                    "cpu: test");
}

TrainOptions small_batch() {
  TrainOptions options;
  options.batch_per_worker = 8;
  return options;
}

}  // namespace

TEST_CASE("start: who reads it sees ranks, hosts, batch, rates, device and transport") {
  const std::string text = text_of_start(small_batch(), {{"n1", 2}, {"n1", 2}, {"n2", 4}});

  INFO(text);
  for (const char* part :
       {"od-sgd trains lenet (431080 parameters in 8 arrays) on tiny", "530 training and 103 test",
        "8 per worker, 16 global; 33 steps an epoch", "lr 0.05, momentum 0.9", "rule mc, lr 0.05",
        "cpu: test", "1 dedicated", "mpi: Some MPI 1.0, LEVEL", "server 0, 2 cpus allowed",
        "worker 1, 4 cpus allowed"}) {
    CAPTURE(part);
    CHECK(says(text, part));
  }
  CHECK_FALSE(says(text, "note:"));
}

TEST_CASE("start: a host with more computing threads than processors is noted, others are not") {
  TrainOptions options = small_batch();
  const std::vector<Host> hosts{{"n1", 2}, {"n1", 2}, {"n1", 2}, {"n2", 1}};

  CHECK_FALSE(says(text_of_start(options, hosts), "note:"));  // n1 has a server and 2 workers
  options.servers = "colocated";
  CHECK(says(text_of_start(options, hosts), "note: 3 computing threads share 2 cpus on n1"));
  CHECK_FALSE(says(text_of_start(options, hosts), "on n2:"));
  options.threads = 2;
  CHECK(says(text_of_start(options, hosts), "note: 6 computing threads share 2 cpus on n1"));
  CHECK(says(text_of_start(options, hosts), "note: 2 computing threads share 1 cpus on n2"));
}

TEST_CASE("start: without servers every rank is a worker") {
  TrainOptions options = small_batch();
  options.exchange = "allreduce";

  const std::string text = text_of_start(options, {{"n1", 2}, {"n2", 2}});

  INFO(text);
  CHECK(says(text, "servers   none: every worker has all weights"));
  CHECK(says(text, "8 per worker, 16 global"));
  CHECK(says(text, "worker 0, 2 cpus allowed"));
  CHECK_FALSE(says(text, "server 0"));
}

TEST_CASE("start: delays that a test injects are said") {
  TrainOptions options = small_batch();
  options.inject_delay_us = 300;

  CHECK(says(text_of_start(options, {{"n1", 2}, {"n1", 2}}), "messages delayed by up to 300 us"));
}
