#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mpi_requests.hpp"
#include "mpi_wire.hpp"
#include "odsgd/base/fifo.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// What arrives at one endpoint. Envelopes are received into buffers posted beforehand; a body's
/// receive is posted once its envelope is there. Threads: the one that receives.
class MpiInbox {
 public:
  /// Where the body of a message lands: the memory, and the payload that it will be; nothing to put
  /// it off, which it may only when it is asked whether it may wait.
  using Place = std::function<std::optional<Draft>(int source, const Envelope& envelope,
                                                   std::size_t bytes, bool may_wait)>;

  MpiInbox(int ranks, const MpiLimits& limits, Place place);

  void start(MPI_Comm comm, MpiRequests& requests);  ///< posts the receives of envelopes

  void envelope_ended(std::size_t slot) { slots_[slot].has_arrived = true; }
  void body_ended(std::size_t arrival);

  /// Goes on with the envelopes that have arrived.
  void open_envelopes(MPI_Comm comm, MpiRequests& requests);

  /// Posts the receives of the bodies whose envelopes are open, one after the other for each
  /// source, until one is put off.
  void receive_bodies(MPI_Comm comm, MpiRequests& requests);

  /// The first complete message with no incomplete one of the same source before it.
  std::optional<Message> take_complete();

 private:
  struct Slot {
    bool has_arrived = false;
    std::unique_ptr<Wire> wire = std::make_unique<Wire>();
  };
  struct Arrival {
    Message message;
    std::size_t operations = 0;  // its body's, or 1 as long as that has no receive
  };
  /// A body that has no receive yet.
  struct Body {
    std::size_t arrival = 0;
    std::size_t bytes = 0;
  };

  void post(std::size_t slot, MPI_Comm comm, MpiRequests& requests);
  void open(const Wire& wire);
  bool receive_body(int source, const Body& body, MPI_Comm comm, MpiRequests& requests);
  std::size_t free_arrival();

  MpiLimits limits_;
  Place place_;
  std::vector<Slot> slots_;  // a ring: MPI fills them in the order of posting
  std::size_t head_ = 0;
  std::vector<Arrival> arrivals_;
  std::vector<std::size_t> free_;
  std::vector<std::size_t> order_;  // of arrivals_
  std::vector<Fifo<Body>> bodies_;  // by source
  std::size_t put_off_ = 0;         // how many these are
  double moved_s_ = 0;              // when a body's receive was posted or ended last
  std::vector<bool> blocked_;       // by source; scratch of take_complete()
};

}  // namespace odsgd
