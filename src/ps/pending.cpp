#include "odsgd/ps/pending.hpp"

#include <fmt/format.h>

#include <utility>

namespace odsgd {
namespace {

constexpr std::size_t kShown = 3;

}  // namespace

void PendingList::add(std::string what) {
  if (what == last_) return;
  if (count_ < kShown) shown_ += (count_ == 0 ? "" : ", ") + what;
  ++count_;
  last_ = std::move(what);
}

std::string PendingList::text() const {
  if (count_ == 0) return "nothing";
  return count_ <= kShown ? shown_ : fmt::format("{} and {} more", shown_, count_ - kShown);
}

}  // namespace odsgd
