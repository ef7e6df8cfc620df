#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "odsgd/transport/mpi.hpp"

using namespace odsgd;

namespace {

/// Sets exactly these launcher variables, and restores the others afterwards.
class LauncherEnvironment {
 public:
  explicit LauncherEnvironment(const std::map<std::string, std::string>& variables) {
    for (const char* name : kNames) {
      const char* old = std::getenv(name);
      saved_[name] = old != nullptr ? std::optional<std::string>(old) : std::nullopt;
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~LauncherEnvironment() {
    for (const auto& [name, value] : saved_) {
      if (value) {
        setenv(name.c_str(), value->c_str(), 1);
      } else {
        unsetenv(name.c_str());
      }
    }
  }
  LauncherEnvironment(const LauncherEnvironment&) = delete;
  LauncherEnvironment& operator=(const LauncherEnvironment&) = delete;

 private:
  static constexpr std::array<const char*, 7> kNames{
      "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",     "PMI_SIZE",
      "SLURM_PROCID",         "SLURM_NTASKS",         "SLURM_STEP_ID"};
  std::map<std::string, std::optional<std::string>> saved_;
};

void check_launch(const std::map<std::string, std::string>& variables, const Launch& want) {
  const LauncherEnvironment environment(variables);
  const Launch got = launch_from_environment();
  CHECK(got.under_launcher == want.under_launcher);
  CHECK(got.rank == want.rank);
  CHECK(got.size == want.size);
}

}  // namespace

TEST_CASE("launch: without a launcher's variables the process is alone") {
  check_launch({}, {false, 0, 1});
}

TEST_CASE("launch: Open MPI's mpirun says rank and size, also inside a Slurm job") {
  check_launch({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "5"}}, {true, 3, 5});
  check_launch({{"OMPI_COMM_WORLD_RANK", "3"},
                {"OMPI_COMM_WORLD_SIZE", "5"},
                {"SLURM_PROCID", "1"},
                {"SLURM_NTASKS", "2"},
                {"SLURM_STEP_ID", "0"}},
               {true, 3, 5});
}

TEST_CASE("launch: one rank under mpirun is under a launcher") {
  check_launch({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}, {true, 0, 1});
}

TEST_CASE("launch: hydra's and srun's variables are understood") {
  check_launch({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}}, {true, 1, 4});
  check_launch({{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "3"}, {"SLURM_STEP_ID", "0"}},
               {true, 2, 3});
}

TEST_CASE("launch: a batch script's own Slurm variables are no launch") {
  check_launch({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}, {false, 0, 1});
  check_launch({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_ID", "4294967291"}},
               {false, 0, 1});
}

TEST_CASE("launch: variables that are no numbers, or that lack their pair, are ignored") {
  check_launch({{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "5"}}, {false, 0, 1});
  check_launch({{"PMI_RANK", "1"}}, {false, 0, 1});
  check_launch({{"PMI_RANK", ""}, {"PMI_SIZE", "4"}}, {false, 0, 1});
}
