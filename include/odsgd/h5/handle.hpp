#pragma once

#include <cstdint>

namespace odsgd::h5 {

/// Owns one identifier of the HDF5 library (its hid_t) and gives it back when destroyed, unless
/// what was written through it cannot be stored: then it stays open.
///
/// Move only. Threads: any; closing takes the library's lock. Never throws.
class Handle {
 public:
  Handle() = default;
  explicit Handle(std::int64_t id) : id_(id) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  std::int64_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  void reset() noexcept;
  std::int64_t release() noexcept;  ///< hands the identifier to the caller, who closes it

 private:
  std::int64_t id_ = -1;
};

}  // namespace odsgd::h5
