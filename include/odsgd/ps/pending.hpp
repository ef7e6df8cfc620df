#pragma once

#include <cstddef>
#include <string>

namespace odsgd {

/// What a rank still waits for, as an error tells it: the first few in full, and how many more.
class PendingList {
 public:
  /// One more, unless it reads as the one before: the slices of a key are told once.
  void add(std::string what);

  /// `push of a at step 4, pull of b at clock 5 and 7 more`, or `nothing`.
  std::string text() const;

 private:
  std::string shown_;
  std::string last_;
  std::size_t count_ = 0;
};

}  // namespace odsgd
