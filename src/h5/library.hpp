#pragma once

#include <hdf5.h>

#include <concepts>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "odsgd/h5/element.hpp"
#include "odsgd/h5/handle.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {

static_assert(std::same_as<hid_t, std::int64_t>, "Handle keeps HDF5 identifiers as int64");
static_assert(H5_VERSION_GE(1, 10, 7), "H5Pset_file_locking needs HDF5 1.10.7 or newer");

/// The right to call HDF5: holds the process's lock and keeps the library from printing its errors.
///
/// Debian's HDF5 is not thread-safe, and ranks can be threads. A thread may hold it several times.
class Library {
 public:
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Passes the result of a call through, or throws "FILE: /path: what: HDF5's innermost message"
  /// when it is negative.
  template <class Result>
  Result check(Result result, const Location& where, std::string_view what) const {
    if (static_cast<long long>(result) < 0) fail(where, what);
    return result;
  }

  /// Same for a call that returns an identifier, which the Handle then owns.
  Handle own(hid_t id, const Location& where, std::string_view what) const {
    return Handle(check(id, where, what));
  }

  [[noreturn]] void fail(const Location& where, std::string_view what) const;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

hid_t memory_type(Type type);  ///< the library's own identifier, not to be closed
hid_t stored_type(Type type);  ///< little-endian

/// "32-bit float", "64-bit unsigned integer", "string", ...
std::string describe_type(hid_t type);

/// Lengths of the dimensions of a data space; a null space has shape (0).
Shape shape_of(const Library& library, hid_t space, const Location& where);

}  // namespace odsgd::h5
