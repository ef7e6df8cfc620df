#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {
namespace {

std::string_view kind(const Attribute& value) {
  static constexpr std::array<std::string_view, 8> kKinds{
      "a truth value", "an integer",         "an unsigned integer", "a number",
      "a string",      "a list of integers", "a list of numbers",   "a list of strings"};
  static_assert(kKinds.size() == std::variant_size_v<Attribute>);
  return kKinds[value.index()];
}

template <class T>
T convert(const Attribute& value, const Location& where, const std::string& name) {
  if (const T* same = std::get_if<T>(&value)) return *same;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> ||
                std::is_same_v<T, std::uint64_t>) {
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto* natural = std::get_if<std::uint64_t>(&value);
    if (number != nullptr && (std::is_same_v<T, double> || std::in_range<std::uint64_t>(*number))) {
      return static_cast<T>(*number);
    }
    if (natural != nullptr &&
        (std::is_same_v<T, double> || std::in_range<std::int64_t>(*natural))) {
      return static_cast<T>(*natural);
    }
  }
  if constexpr (std::is_same_v<T, std::vector<double>>) {
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      return {list->begin(), list->end()};
    }
  }
  fail("{}: attribute '{}' is {}, want {}", where.text(), name, kind(value), kind(Attribute(T{})));
}

}  // namespace

template <>
bool Object::attribute_as<bool>(const std::string& name) const {
  return convert<bool>(attribute(name), location_, name);
}
template <>
std::int64_t Object::attribute_as<std::int64_t>(const std::string& name) const {
  return convert<std::int64_t>(attribute(name), location_, name);
}
template <>
std::uint64_t Object::attribute_as<std::uint64_t>(const std::string& name) const {
  return convert<std::uint64_t>(attribute(name), location_, name);
}
template <>
double Object::attribute_as<double>(const std::string& name) const {
  return convert<double>(attribute(name), location_, name);
}
template <>
std::string Object::attribute_as<std::string>(const std::string& name) const {
  return convert<std::string>(attribute(name), location_, name);
}
template <>
std::vector<std::int64_t> Object::attribute_as(const std::string& name) const {
  return convert<std::vector<std::int64_t>>(attribute(name), location_, name);
}
template <>
std::vector<double> Object::attribute_as(const std::string& name) const {
  return convert<std::vector<double>>(attribute(name), location_, name);
}
template <>
std::vector<std::string> Object::attribute_as(const std::string& name) const {
  return convert<std::vector<std::string>>(attribute(name), location_, name);
}

}  // namespace odsgd::h5
