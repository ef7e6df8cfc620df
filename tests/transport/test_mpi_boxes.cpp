// What two ranks' boxes do with the bodies between them, where the order of events must be chosen.
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"
#include "support/mpi_world.hpp"
#include "transport/bytes.hpp"
#include "transport/mpi_inbox.hpp"
#include "transport/mpi_outbox.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr std::size_t kLong = 10'000;  // has a body of its own
constexpr MpiWindow kWindow{.announced = 100'000, .received = 100'000};
constexpr std::size_t kPart = 4'000;

MPI_Comm own_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

/// The boxes of one rank.
class Boxes {
 public:
  explicit Boxes(MpiInbox::Landing landing)
      : outbox_(rank(), windows_, kPart), inbox_(windows_, kPart, std::move(landing)) {
    inbox_.start(comm, requests_);
  }
  ~Boxes() {
    requests_.cancel_envelopes();
    if (std::uncaught_exceptions() == 0) MPI_Barrier(comm);
    MPI_Comm_free(&comm);
  }
  Boxes(const Boxes&) = delete;
  Boxes& operator=(const Boxes&) = delete;

  static int rank() { return mpi_world().rank(); }

  void post(int to, int number, std::size_t bytes, int urgency = 0) {
    sent_.emplace_back(bytes, static_cast<std::byte>(number));
    outbox_.queue(to, envelope_of(number), Payload(sent_.back()), urgency);
  }

  /// Looks once; the number of the message that is complete, if any.
  std::optional<int> look() {
    outbox_.start(comm, requests_);
    for (const MpiRequests::Done& done : requests_.test()) {
      if (done.kind == MpiRequests::Kind::kSend) outbox_.ended(done);
      if (done.kind == MpiRequests::Kind::kEnvelope) inbox_.envelope_ended(done);
      if (done.kind == MpiRequests::Kind::kBody) inbox_.body_ended(done);
    }
    inbox_.open_envelopes(comm, requests_);
    inbox_.receive_bodies(comm, requests_);
    const auto message = inbox_.take_complete();
    if (!message) return std::nullopt;
    return number_in(message->envelope);
  }

  int receive() {
    for (const double end_s = now_s() + 30; now_s() < end_s;) {
      if (const auto number = look()) return *number;
    }
    FAIL("no message within 30 s");
    return -1;
  }
  void send_all() {
    for (const double end_s = now_s() + 30; outbox_.unsent() > 0;) {
      REQUIRE(now_s() < end_s);
      look();
    }
  }

  MPI_Comm comm = own_communicator();

 private:
  std::vector<MpiWindow> windows_{4, kWindow};
  MpiRequests requests_;
  MpiOutbox outbox_;
  MpiInbox inbox_;
  std::deque<std::vector<std::byte>> sent_;
};

BufferPool& buffers() {
  static BufferPool pool;
  return pool;
}

/// A message whose body is not what its head says, by plain MPI.
struct Forged {
  std::size_t announced;
  std::size_t behind;              // the head
  std::vector<std::size_t> parts;  // of a body of its own
  std::string error;

  void send(MPI_Comm comm, int to) const {
    Wire wire{};
    const WireHead head{envelope_of(1), announced, Boxes::rank(), 0, kFirstBodyTag};
    std::memcpy(wire.data(), &head, sizeof head);
    MPI_Send(wire.data(), static_cast<int>(sizeof head + behind), MPI_BYTE, to, kEnvelopeTag, comm);
    const std::vector<std::byte> bytes(kPart);
    for (const std::size_t part : parts) {
      MPI_Send(bytes.data(), static_cast<int>(part), MPI_BYTE, to, kFirstBodyTag, comm);
    }
  }
};

std::string error_of(Boxes& boxes) {
  try {
    boxes.receive();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("boxes: a body that is put off lets later ones of its rank land, and is received first") {
  bool has_landed = false;
  Boxes boxes([&](int, const Envelope& envelope, std::size_t bytes, bool) -> std::optional<Draft> {
    if (number_in(envelope) == 1 && !has_landed) return std::nullopt;
    if (number_in(envelope) == 2) has_landed = true;
    return buffers().take(bytes);
  });
  if (Boxes::rank() == 1) {
    boxes.post(0, 1, kLong);
    boxes.post(0, 2, kLong);
    boxes.send_all();
  }
  if (Boxes::rank() == 0) {
    CHECK(boxes.receive() == 1);
    CHECK(boxes.receive() == 2);
  }
}

TEST_CASE("boxes: the bodies to each rank have tags of their own") {
  Boxes boxes([](int, const Envelope&, std::size_t bytes, bool) { return buffers().take(bytes); });
  MPI_Comm plain = own_communicator();
  if (Boxes::rank() == 0) {
    MpiRequests requests;
    MpiOutbox outbox(0, std::vector<MpiWindow>(4, kWindow), kPart);
    const std::vector<std::byte> body(kLong);
    for (const int to : {1, 1, 2}) outbox.queue(to, {}, Payload(body), 0);
    while (outbox.unsent() > 0) {
      outbox.start(plain, requests);
      for (const MpiRequests::Done& done : requests.test()) outbox.ended(done);
    }
  } else if (Boxes::rank() < 3) {
    std::vector<int> tags;
    for (int message = Boxes::rank(); message < 3; ++message) {  // two to rank 1, one to rank 2
      Wire wire{};
      MPI_Recv(wire.data(), static_cast<int>(wire.size()), MPI_BYTE, 0, kEnvelopeTag, plain,
               MPI_STATUS_IGNORE);
      WireHead head{};
      std::memcpy(&head, wire.data(), sizeof head);
      tags.push_back(head.tag);
      std::vector<std::byte> body(kLong);
      for (std::size_t at = 0; at < kLong; at += kPart) {
        MPI_Recv(body.data() + at, static_cast<int>(std::min(kPart, kLong - at)), MPI_BYTE, 0,
                 head.tag, plain, MPI_STATUS_IGNORE);
      }
    }
    const std::vector<int> want{kFirstBodyTag, kFirstBodyTag + 1};
    CHECK(tags == std::vector<int>(want.begin(), want.begin() + (3 - Boxes::rank())));
  }
  MPI_Comm_free(&plain);
}

TEST_CASE("boxes: bodies that are not what their heads say are errors that name the rank") {
  const std::vector<Forged> messages{
      {kLong, 0, {4'000, 3'000, 2'000}, "message from rank 1: got 9000 bytes, want 10000"},
      {100, 60, {}, "message from rank 1: got 60 bytes behind its head, want 100"},
      {kLong, 8, {}, "message from rank 1: got 8 bytes behind its head, want 0"},
  };
  for (const Forged& forged : messages) {
    CAPTURE(forged.error);
    Boxes boxes(
        [](int, const Envelope&, std::size_t bytes, bool) { return buffers().take(bytes); });
    if (Boxes::rank() == 1) forged.send(boxes.comm, 0);
    if (Boxes::rank() == 0) CHECK(error_of(boxes) == forged.error);
  }
}
