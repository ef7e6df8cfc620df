#pragma once

#include <mpi.h>

#include <array>
#include <string_view>

#include "odsgd/base/error.hpp"

namespace odsgd {

inline void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  fail("{} failed: {}", call, std::string_view(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace odsgd

#define ODSGD_MPI(call) ::odsgd::check_mpi((call), #call)
