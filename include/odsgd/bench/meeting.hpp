#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// The ranks of a benchmark come together, on an endpoint that is used for nothing else. Whoever
/// waits sleeps between two looks, so that it does not disturb what the others measure. Threads:
/// one a rank.
class Meeting {
 public:
  Meeting(Endpoint& endpoint, int leader, double timeout_s)
      : endpoint_(endpoint), leader_(leader), timeout_s_(timeout_s) {}

  bool leads() const { return endpoint_.rank() == leader_; }

  /// Every rank says something; the leader gets it all, by rank, the others nothing.
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> gather(const T& mine) {
    std::vector<T> all;
    for (const auto& bytes : gather_bytes(std::as_bytes(std::span(&mine, 1)))) {
      T& value = all.emplace_back();
      ODSGD_REQUIRE(bytes.size() == sizeof(T), "meeting: got {} bytes, want {}", bytes.size(),
                    sizeof(T));
      std::memcpy(&value, bytes.data(), sizeof(T));
    }
    return all;
  }

  /// The leader says something to the others, who wait for it; all return the leader's.
  template <class T>
  requires std::is_trivially_copyable_v<T> T share(T value) {
    share_bytes(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  /// The others wait here until the leader comes here too.
  void proceed() { share_bytes({}); }

 private:
  std::vector<std::vector<std::byte>> gather_bytes(std::span<const std::byte> mine);
  void share_bytes(std::span<std::byte> bytes);
  void post(int rank, std::span<const std::byte> bytes);
  Message receive(int source);
  void flush();

  Endpoint& endpoint_;
  int leader_;
  double timeout_s_;
  std::vector<Message> kept_;  // in order of arrival
};

}  // namespace odsgd
