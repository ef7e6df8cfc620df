#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace odsgd::h5 {

/// The element types that this project stores; little-endian in files.
enum class Type { kUint8, kInt32, kInt64, kUint64, kFloat, kDouble };

std::string_view to_string(Type type);  ///< e.g. "32-bit float"

template <class T>
concept Element = std::same_as<T, std::uint8_t> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t> || std::same_as<T, float> ||
    std::same_as<T, double>;

template <Element T>
constexpr Type type_of() {
  if constexpr (std::same_as<T, std::uint8_t>) return Type::kUint8;
  if constexpr (std::same_as<T, std::int32_t>) return Type::kInt32;
  if constexpr (std::same_as<T, std::int64_t>) return Type::kInt64;
  if constexpr (std::same_as<T, std::uint64_t>) return Type::kUint64;
  if constexpr (std::same_as<T, float>) return Type::kFloat;
  if constexpr (std::same_as<T, double>) return Type::kDouble;
}

/// Lengths of the dimensions, slowest first (row-major); empty for a single value.
using Shape = std::vector<std::uint64_t>;

std::uint64_t count_of(const Shape& shape);  ///< product of the lengths; 1 for a single value
std::string to_string(const Shape& shape);   ///< "(60000, 1, 28, 28)"

}  // namespace odsgd::h5
