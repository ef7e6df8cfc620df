#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>

#include "mpi_check.hpp"
#include "mpi_endpoint.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {
namespace {

std::optional<int> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

const char* name_of_level(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  ODSGD_MPI(MPI_Get_library_version(text.data(), &length));
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

/// Of MPI_COMM_WORLD, in this host's shared memory.
int ranks_on_this_host() {
  MPI_Comm host = MPI_COMM_NULL;
  ODSGD_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
  int size = 0;
  ODSGD_MPI(MPI_Comm_size(host, &size));
  ODSGD_MPI(MPI_Comm_free(&host));
  return size;
}

}  // namespace

Launch launch_from_environment() {
  // Open MPI's mpirun; MPICH's hydra; srun, with whatever PMI.
  constexpr std::array<std::array<const char*, 2>, 3> kNames{
      {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
       {"PMI_RANK", "PMI_SIZE"},
       {"SLURM_PROCID", "SLURM_NTASKS"}}};
  for (const auto& [rank_name, size_name] : kNames) {
    const auto rank = number_in_environment(rank_name);
    const auto size = number_in_environment(size_name);
    // A batch script has SLURM_PROCID=0 too; only a step started by srun has SLURM_STEP_ID with a
    // number.
    if (std::strcmp(rank_name, "SLURM_PROCID") == 0 && !number_in_environment("SLURM_STEP_ID"))
      continue;
    if (rank && size) return {true, *rank, *size};
  }
  return {};
}

MpiSession::MpiSession() {
  const Launch launch = launch_from_environment();
  setenv("OMPI_MCA_btl_tcp_flags", "send,inplace", 0);
  int provided = 0;
  ODSGD_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided));
  ODSGD_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  ODSGD_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  ODSGD_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size_));
  library_ = library_version();
  thread_level_ = name_of_level(provided);
  ODSGD_REQUIRE(provided >= MPI_THREAD_SERIALIZED,
                "MPI: got thread level {}, want MPI_THREAD_SERIALIZED or more ({})", thread_level_,
                library_);
  ODSGD_REQUIRE(size_ > 1 || launch.size <= 1,
                "MPI: got a world of 1 rank, want {} (the launcher and MPI do not speak the same "
                "PMI; with Slurm try srun --mpi=pmix)",
                launch.size);
  is_on_one_host_ = ranks_on_this_host() == size_;
}

MpiSession::~MpiSession() {
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

std::unique_ptr<Endpoint> MpiSession::endpoint(const MpiLimits& limits) const {
  return make_mpi_endpoint(limits);
}

void MpiSession::abort(int status) const noexcept {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

}  // namespace odsgd
