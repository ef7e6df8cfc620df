#include "odsgd/h5/element.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library.hpp"

namespace odsgd::h5 {

std::string_view to_string(Type type) {
  switch (type) {
    case Type::kUint8:
      return "8-bit unsigned integer";
    case Type::kInt32:
      return "32-bit integer";
    case Type::kInt64:
      return "64-bit integer";
    case Type::kUint64:
      return "64-bit unsigned integer";
    case Type::kFloat:
      return "32-bit float";
    case Type::kDouble:
      return "64-bit float";
  }
  return "unknown";
}

std::uint64_t count_of(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t length : shape) count *= length;
  return count;
}

std::string to_string(const Shape& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

hid_t memory_type(Type type) {
  switch (type) {
    case Type::kUint8:
      return H5T_NATIVE_UINT8;
    case Type::kInt32:
      return H5T_NATIVE_INT32;
    case Type::kInt64:
      return H5T_NATIVE_INT64;
    case Type::kUint64:
      return H5T_NATIVE_UINT64;
    case Type::kFloat:
      return H5T_NATIVE_FLOAT;
    case Type::kDouble:
      return H5T_NATIVE_DOUBLE;
  }
  return H5I_INVALID_HID;
}

hid_t stored_type(Type type) {
  switch (type) {
    case Type::kUint8:
      return H5T_STD_U8LE;
    case Type::kInt32:
      return H5T_STD_I32LE;
    case Type::kInt64:
      return H5T_STD_I64LE;
    case Type::kUint64:
      return H5T_STD_U64LE;
    case Type::kFloat:
      return H5T_IEEE_F32LE;
    case Type::kDouble:
      return H5T_IEEE_F64LE;
  }
  return H5I_INVALID_HID;
}

std::string describe_type(hid_t type) {
  const std::size_t bits = 8 * H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return fmt::format("{}-bit {}integer", bits,
                         H5Tget_sign(type) == H5T_SGN_NONE ? "unsigned " : "");
    case H5T_FLOAT:
      return fmt::format("{}-bit float", bits);
    case H5T_STRING:
      return "string";
    case H5T_ENUM:
      return "enumeration";
    case H5T_COMPOUND:
      return "compound";
    default:
      return "neither number nor string";
  }
}

Shape shape_of(const Library& library, hid_t space, const Location& where) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
  const int rank = library.check(H5Sget_simple_extent_ndims(space), where, "cannot get the rank");
  std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
  library.check(H5Sget_simple_extent_dims(space, lengths.data(), nullptr), where,
                "cannot get the shape");
  return {lengths.begin(), lengths.end()};
}

}  // namespace odsgd::h5
