#include "text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <type_traits>
#include <variant>

namespace odsgd {

std::string percent(double share, int digits) {
  return std::isnan(share) ? "-" : fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string mebibytes(double bytes) { return fmt::format("{:.1f} MiB", bytes / (1024 * 1024)); }

std::string attribute_text(const h5::Attribute& value) {
  return std::visit(
      []<class T>(const T& v) {
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
          return fmt::format("{}", v);
        } else {
          return fmt::format("{}", fmt::join(v, ", "));
        }
      },
      value);
}

}  // namespace odsgd
