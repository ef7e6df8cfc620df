#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/types.hpp"

namespace odsgd {

/// Contiguous floats of one key on one server: what one message carries, and what has a clock of
/// its own.
struct Slice {
  Key key = 0;
  int server = 0;
  std::size_t offset = 0;  ///< of its first float among all parameters
  std::size_t count = 0;   ///< in floats
};

/// Which server holds which slice; a function of its arguments, so all ranks make the same one.
///
/// Big keys are split evenly over all servers, small ones go whole to the server with the fewest
/// floats so far, in order of falling size; then whatever is longer than a message is cut into
/// equal parts. Slices are numbered by key.
class ShardMap {
 public:
  /// Keys of at least this many floats are split over the servers: below, a message costs more than
  /// its bytes.
  static constexpr std::size_t kSplitFloats = 4096;

  /// With `keeps_keys_whole` nothing is split or cut. Throws Error when servers or message_floats
  /// is 0, or there are no parameters.
  ShardMap(const ParameterLayout& layout, int servers, std::size_t message_floats,
           bool keeps_keys_whole = false);

  std::span<const Slice> slices() const { return slices_; }
  const Slice& operator[](std::uint32_t slice) const { return slices_.at(slice); }
  std::uint32_t first_slice(Key key) const { return first_.at(key); }
  std::uint32_t last_slice(Key key) const { return first_.at(key + 1); }  ///< one past the last
  std::size_t floats_of_server(int server) const;
  int servers() const { return servers_; }
  std::size_t message_floats() const {
    return message_floats_;
  }  ///< of the longest slice there may be

 private:
  int servers_;
  std::size_t message_floats_;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> first_;  // per key, and one past the end
};

}  // namespace odsgd
