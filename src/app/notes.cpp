#include "notes.hpp"

#include <utility>
#include <vector>

namespace odsgd {
namespace {

struct StalenessPair {
  Clock value = 0;
  std::uint64_t count = 0;
};

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

Message make_server_note(BufferPool& buffers, const ServerReport& report,
                         const StalenessCounts& staleness) {
  std::vector<std::byte> content(sizeof report + staleness.size() * sizeof(StalenessPair));
  std::memcpy(content.data(), &report, sizeof report);
  std::byte* at = content.data() + sizeof report;
  for (const auto& [value, count] : staleness) {
    const StalenessPair pair{value, count};
    std::memcpy(at, &pair, sizeof pair);
    at += sizeof pair;
  }
  return make_note(buffers, Topic::kServer, content);
}

StalenessCounts read_staleness(const Message& note) {
  const auto content = note.body.bytes();
  StalenessCounts staleness;
  for (std::size_t at = sizeof(ServerReport); at + sizeof(StalenessPair) <= content.size();
       at += sizeof(StalenessPair)) {
    StalenessPair pair;
    std::memcpy(&pair, content.data() + at, sizeof pair);
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
