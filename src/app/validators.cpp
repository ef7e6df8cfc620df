#include "validators.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace odsgd {
namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string got(const std::string& text, const std::string& want) {
  return fmt::format("got {}, want {}", text.empty() ? "nothing" : text, want);
}

/// Numbers end as floats: what is 0, 1 or infinite there does not fit either.
CLI::Validator number(const std::string& want, const std::function<bool(double)>& fits) {
  return {[=](std::string& text) {
            const auto value = parse<double>(text);
            if (value && std::isfinite(static_cast<float>(*value)) && fits(*value))
              return std::string();
            return got(text, want);
          },
          ""};
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return {[=](std::string& text) {
            const auto value = parse<std::int64_t>(text);
            if (value && *value >= least && *value <= most) return std::string();
            return got(text, fmt::format("a whole number from {} to {}", least, most));
          },
          ""};
}

CLI::Validator at_least(double least) {
  return number(fmt::format("{} or more", least), [=](double x) { return x >= least; });
}

CLI::Validator positive() {
  return number("a number above 0", [](double x) { return static_cast<float>(x) > 0; });
}

CLI::Validator positive_up_to(double most) {
  return number(fmt::format("a number above 0, up to {}", most),
                [=](double x) { return x > 0 && x <= most; });
}

CLI::Validator from_to(double least, double most) {
  return number(fmt::format("a number from {} to {}", least, most),
                [=](double x) { return x >= least && x <= most; });
}

CLI::Validator below_one() {
  return number("a number from 0 to less than 1",
                [](double x) { return x >= 0 && static_cast<float>(x) < 1; });
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[=](std::string& text) {
            if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
            return got(text, fmt::format("one of {}", fmt::join(names, ", ")));
          },
          fmt::format("{{{}}}", fmt::join(names, ","))};
}

CLI::Validator whole_number_or(int most, const std::string& word) {
  return {[=](std::string& text) {
            const int value = parse<int>(text).value_or(0);
            if (text == word || (value >= 1 && value <= most)) return std::string();
            return got(text, fmt::format("a whole number from 1 to {}, or {}", most, word));
          },
          ""};
}

CLI::Validator not_empty(const std::string& want) {
  return {[=](std::string& text) { return text.empty() ? got(text, want) : std::string(); }, ""};
}

}  // namespace odsgd
