#pragma once

#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/protocol.hpp"

namespace odsgd {

/// How one rank takes part in the exchange; the same on all ranks.
struct ExchangeSettings {
  double timeout_s = 300;  ///< a rank that is silent for so long is an error: see Heartbeats
  Codec push_codec = Codec::kFloat32;  ///< of pushes that name no other
  float threshold = 0;                 ///< theta of Codec::kTwoBit; 0: nothing is pushed with it
  Priority priority = Priority::kLayer;
  int server_threads = 1;  ///< that update weights, per server
};

}  // namespace odsgd
