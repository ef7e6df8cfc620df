#include "error_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>

namespace odsgd {

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "memory: the system gives no more (use fewer ranks per host or a smaller "
           "--batch-per-worker; ulimit -v shows whether there is a limit)";
  }
  const auto* refused = dynamic_cast<const std::system_error*>(&error);
  if (refused != nullptr && refused->code() == std::errc::resource_unavailable_try_again) {
    return fmt::format(
        "threads: the system starts no more: {} (use fewer ranks per host; ulimit -a shows the "
        "limits)",
        refused->what());
  }
  return error.what();
}

void print_error(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::fprintf(stderr, "odsgd: %s\n", text.c_str());
}

}  // namespace odsgd
