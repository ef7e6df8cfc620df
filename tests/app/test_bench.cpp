#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd::test;

namespace {

const Words kLimits = {"bench", "limits", "--floats", "4096", "--repetitions", "3"};

}  // namespace

TEST_CASE("bench limits: prints each limit for one thread and for all, with every repetition") {
  const TemporaryDirectory directory;

  const Outcome outcome =
      run(odsgd_command(kLimits + Words{"--threads", "2", "--json"}), directory.path());

  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  const auto rows = nlohmann::json::parse(outcome.out)["rows"];
  const Words kernels = {"memcpy (b = a)", "triad (a = b + s c)", "sum (a += b)", "2-bit encode",
                         "2-bit decode and add"};
  Words names;
  for (const std::string& kernel : kernels) {
    names.push_back(kernel + ", 1 thread");
    names.push_back(kernel + ", 2 threads");
  }
  REQUIRE(rows.size() == names.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i]["name"] == names[i]);
    CHECK(rows[i]["unit"] == "GB/s");
    CHECK(rows[i]["samples"].size() == 3);
    CHECK(rows[i]["min"].get<double>() > 0);
    CHECK(rows[i]["max"].get<double>() < 1e5);
  }
  CHECK(rows[0]["limit"].is_null());
  CHECK(rows[1]["limit"]["name"] == names[0]);
  CHECK(rows[3]["limit"]["name"] == names[2]);
  CHECK(rows[6]["limit"]["name"] == names[0]);  // the codec beside memcpy and a sum,
  CHECK(rows[7]["limit"]["name"] == names[1]);  // on as many threads
  CHECK(rows[8]["limit"]["name"] == names[4]);
  CHECK(rows[9]["limit"]["name"] == names[5]);
}

TEST_CASE("bench limits: one thread is measured once, and shown as text") {
  const TemporaryDirectory directory;

  const Outcome outcome = run(odsgd_command(kLimits + Words{"--threads", "1"}), directory.path());

  CHECK(outcome.exit_code == 0);
  CHECK(says(outcome.out, "\n  memcpy (b = a), 1 thread "));
  CHECK(says(outcome.out, "\n  triad (a = b + s c), 1 thread "));
  CHECK(says(outcome.out, "\n  2-bit encode, 1 thread "));
  CHECK_FALSE(says(outcome.out, "threads"));
}

TEST_CASE("bench limits: arrays that do not fit into memory are one line of error") {
  if (ODSGD_IS_SANITIZED != 0) return;  // a sanitizer itself takes more than the limit
  const TemporaryDirectory directory;
  const std::string limited =
      "ulimit -v 2000000; exec " + std::string(ODSGD_PROGRAM) + " bench limits --floats 4000000000";

  const Outcome outcome = run({"bash", "-c", limited}, directory.path());

  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out == "");
  CHECK(error_lines(outcome.err).size() == 1);
  CHECK(says(outcome.err, "memory"));
}

TEST_CASE("bench: help and measuring happen once under mpirun; a mistake is told once") {
  const TemporaryDirectory directory;
  for (const Words& words : {Words{"bench", "--help"}, Words{"bench", "limits", "--help"}}) {
    const Outcome alone = run(odsgd_command(words), directory.path());
    const Outcome ranks = run(mpirun(3, odsgd_command(words)), directory.path());

    CHECK(alone.exit_code == 0);
    CHECK(says(alone.out, "Usage: odsgd bench"));
    CHECK(ranks.exit_code == 0);
    CHECK(ranks.out == alone.out);
  }
  const Outcome measured =
      run(mpirun(3, odsgd_command(kLimits + Words{"--json"})), directory.path());
  CHECK(measured.exit_code == 0);
  CHECK(nlohmann::json::accept(measured.out));  // one object, not three

  const Outcome mistake = run(mpirun(3, odsgd_command({"bench", "sp"})), directory.path());
  CHECK(mistake.exit_code == 2);
  CHECK(error_lines(mistake.err).size() == 1);
  CHECK(says(mistake.err, "bench: got sp, want one of: limits"));
}
