#include "odsgd/h5/handle.hpp"

#include <utility>

#include "library.hpp"

namespace odsgd::h5 {
namespace {

/// Whether all that was written through the identifier has reached the operating system.
bool is_written(hid_t id) {
  switch (H5Iget_type(id)) {
    case H5I_FILE:
      return H5Fflush(id, H5F_SCOPE_GLOBAL) >= 0;
    case H5I_DATASET:
      return H5Dflush(id) >= 0;
    default:
      return true;
  }
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = other.release();
  }
  return *this;
}

void Handle::reset() noexcept {
  if (id_ < 0) return;
  const std::int64_t id = release();
  const Library library;
  // Closing a file has closed what was in it: then the identifier is no longer valid.
  if (H5Iis_valid(id) <= 0) return;
  // A close that fails to write (full disk) frees the object and keeps its identifier, and HDF5
  // crashes when it meets that again. What cannot be written stays open instead.
  if (is_written(id)) H5Idec_ref(id);
}

std::int64_t Handle::release() noexcept { return std::exchange(id_, -1); }

}  // namespace odsgd::h5
