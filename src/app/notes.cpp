#include "notes.hpp"

#include <utility>
#include <vector>

namespace odsgd {
namespace {

struct StalenessPair {
  Clock value = 0;
  std::uint64_t count = 0;
};

/// A note of a value and any number of items behind it.
template <class Head, class Item>
Message make_list_note(BufferPool& buffers, Topic topic, const Head& head,
                       std::span<const Item> items) {
  std::vector<std::byte> content(sizeof head + items.size_bytes());
  std::memcpy(content.data(), &head, sizeof head);
  if (!items.empty()) std::memcpy(content.data() + sizeof head, items.data(), items.size_bytes());
  return make_note(buffers, topic, content);
}

template <class Head, class Item>
std::vector<Item> read_list(const Message& note) {
  const auto content = note.body.bytes();
  ODSGD_REQUIRE(content.size() >= sizeof(Head), "note from rank {}: got {} bytes, want {}",
                note.source, content.size(), sizeof(Head));
  std::vector<Item> items((content.size() - sizeof(Head)) / sizeof(Item));
  if (!items.empty()) {
    std::memcpy(items.data(), content.data() + sizeof(Head), items.size() * sizeof(Item));
  }
  return items;
}

}  // namespace

Message make_note(BufferPool& buffers, Topic topic, std::span<const std::byte> content) {
  const Header header{.kind = MessageKind::kNote, .slice = static_cast<std::uint32_t>(topic)};
  const Draft draft = buffers.take(content.size());
  if (!content.empty()) std::memcpy(draft.bytes.data(), content.data(), content.size());
  return {-1, envelope_of(header), draft.payload};
}

void post_note(Endpoint& endpoint, int rank, Message note) {
  endpoint.post(rank, note.envelope, std::move(note.body), kNoteUrgency);
}

Topic topic_of(const Message& note) { return static_cast<Topic>(header_of(note).slice); }

std::string text_of(const Message& note) {
  const auto content = note.body.bytes();
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

Message make_interval_note(BufferPool& buffers, const IntervalReport& report,
                           std::span<const StepReport> steps) {
  return make_list_note(buffers, Topic::kInterval, report, steps);
}

std::vector<StepReport> read_steps(const Message& note) {
  return read_list<IntervalReport, StepReport>(note);
}

Message make_server_note(BufferPool& buffers, const ServerReport& report,
                         const StalenessCounts& staleness) {
  std::vector<StalenessPair> pairs;
  for (const auto& [value, count] : staleness) pairs.push_back({value, count});
  return make_list_note(buffers, Topic::kServer, report, std::span<const StalenessPair>(pairs));
}

StalenessCounts read_staleness(const Message& note) {
  StalenessCounts staleness;
  for (const StalenessPair& pair : read_list<ServerReport, StalenessPair>(note)) {
    staleness[pair.value] = pair.count;
  }
  return staleness;
}

void NoteBox::put(const Message& note) {
  const std::lock_guard lock(mutex_);
  notes_.push_back(note);
  arrived_.notify_all();
}

void NoteBox::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
  arrived_.notify_all();
}

std::optional<Message> NoteBox::take() {
  const std::lock_guard lock(mutex_);
  if (notes_.empty()) return std::nullopt;
  std::optional<Message> first(std::move(notes_.front()));
  notes_.pop_front();
  return first;
}

Message NoteBox::wait() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return error_ || !notes_.empty(); });
  if (error_) std::rethrow_exception(error_);
  Message first = std::move(notes_.front());
  notes_.pop_front();
  return first;
}

}  // namespace odsgd
