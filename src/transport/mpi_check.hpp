#pragma once

#include <mpi.h>

#include <array>
#include <string>

#include "odsgd/base/error.hpp"

namespace odsgd {

inline std::string mpi_error_text(int status) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

inline void check_mpi(int status, const char* call) {
  if (status != MPI_SUCCESS) fail("{} failed: {}", call, mpi_error_text(status));
}

}  // namespace odsgd

#define ODSGD_MPI(call) ::odsgd::check_mpi((call), #call)
