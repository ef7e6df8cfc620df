#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mpi_requests.hpp"
#include "mpi_wire.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// What arrives at one endpoint. Envelopes are received into buffers posted beforehand; a body's
/// receive is posted once its envelope is there and its turn has come: the most urgent first.
/// Threads: the one that receives.
class MpiInbox {
 public:
  /// Where the body of a message lands: the memory, and the payload that it will be; nothing to put
  /// it off, which it may only when it is asked whether it may wait.
  using Landing = std::function<std::optional<Draft>(int source, const Envelope& envelope,
                                                     std::size_t bytes, bool may_wait)>;

  MpiInbox(std::span<const MpiWindow> windows, std::size_t part_bytes, Landing landing);

  void start(MPI_Comm comm, MpiRequests& requests);  ///< posts the receives of envelopes

  /// An operation has ended. Throws Error when it failed, or got other bytes than were announced.
  void envelope_ended(const MpiRequests::Done& done);
  void body_ended(const MpiRequests::Done& done);

  /// Goes on with the envelopes that have arrived.
  void open_envelopes(MPI_Comm comm, MpiRequests& requests);

  /// Posts receives of announced bodies, as far as the limit on each source allows.
  void receive_bodies(MPI_Comm comm, MpiRequests& requests);

  /// A complete message that overtakes none of its source with the same or a lower urgency.
  std::optional<Message> take_complete();

 private:
  struct Slot {
    bool has_arrived = false;
    std::size_t bytes = 0;
    std::unique_ptr<Wire> wire = std::make_unique<Wire>();
  };
  struct Arrival {
    Message message;
    std::size_t bytes = 0;
    int urgency = 0;
    int tag = 0;
    bool is_announced = false;   // the body has no receive yet,
    bool is_put_off = false;     // as it may not land at the moment
    std::size_t operations = 0;  // of the receive under way
    std::size_t received = 0;    // bytes, by those that have ended

    bool is_complete() const { return !is_announced && operations == 0; }
  };
  /// What has come from one rank.
  struct Source {
    std::vector<std::size_t> arrivals;  // in the order of their envelopes
    std::size_t announced = 0;          // how many of them are
    std::size_t bytes_under_way = 0;
    std::size_t most_bytes = 0;  // to be under way
  };

  void post(std::size_t slot, MPI_Comm comm, MpiRequests& requests);
  void open(const Slot& slot);
  void check_tag(const Source& source, const Arrival& announced) const;
  std::optional<std::size_t> next_body(const Source& source) const;
  void receive_from(Source& source, MPI_Comm comm, MpiRequests& requests);
  bool receive_body(std::size_t index, MPI_Comm comm, MpiRequests& requests);
  std::optional<std::size_t> first_complete(const Source& source) const;
  std::size_t free_arrival();

  std::size_t part_bytes_;
  Landing landing_;
  std::vector<Slot> slots_;  // a ring: MPI fills them in the order of posting
  std::size_t head_ = 0;
  std::vector<Arrival> arrivals_;
  std::vector<std::size_t> free_;
  std::vector<Source> sources_;
  std::size_t waiting_ = 0;    // arrivals of all sources
  std::size_t announced_ = 0;  // bodies of all sources
  std::size_t turn_ = 0;       // the source that take_complete() asks first
  double moved_s_ = 0;         // when a body's receive was posted or ended last
};

}  // namespace odsgd
