#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace odsgd {

/// The one exception type of the project.
///
/// The text is `subject: got X, want Y (hint)`; main() adds the program, rank and host. It is
/// thrown where the fault is seen and caught once, at the top of a rank.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws an Error with a text in {fmt}'s syntax.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace odsgd

/// Throws an Error with the given {fmt} text unless the condition holds; the text is built only
/// then.
#define ODSGD_REQUIRE(condition, ...)             \
  do {                                            \
    if (!(condition)) ::odsgd::fail(__VA_ARGS__); \
  } while (false)
