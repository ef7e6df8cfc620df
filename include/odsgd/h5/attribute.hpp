#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace odsgd::h5 {

/// What an attribute holds: one value or a list.
///
/// Strings are stored with variable length as UTF-8, truth values as the enumeration FALSE/TRUE:
/// so h5py gives str and bool. Reading widens: any signed or short integer comes as int64, any
/// float as double, fixed-length strings without their padding.
using Attribute =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<std::string>>;

}  // namespace odsgd::h5
