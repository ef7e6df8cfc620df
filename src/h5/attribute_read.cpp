#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "library.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {
namespace {

/// An open attribute and what is needed to read it.
struct Source {
  const Library& library;
  const Location& where;
  std::string what;
  Handle attribute;
  Handle type;
  Handle space;
  bool is_list = false;
  std::size_t count = 1;

  void read(hid_t memory, void* into) const {
    if (count > 0) library.check(H5Aread(attribute.get(), memory, into), where, what);
  }
};

template <class T>
Attribute read_numbers(const Source& source, hid_t memory) {
  std::vector<T> values(source.count);
  source.read(memory, values.data());
  if constexpr (std::is_constructible_v<Attribute, std::vector<T>>) {
    if (source.is_list) return values;
  }
  return values.at(0);
}

Attribute read_enumeration(const Source& source) {
  std::vector<std::int64_t> values(source.count);
  const Handle base =
      source.library.own(H5Tget_super(source.type.get()), source.where, source.what);
  std::vector<unsigned char> raw(source.count * H5Tget_size(source.type.get()) +
                                 source.count * sizeof(std::int64_t));
  source.read(source.type.get(), raw.data());
  source.library.check(
      H5Tconvert(base.get(), H5T_NATIVE_INT64, source.count, raw.data(), nullptr, H5P_DEFAULT),
      source.where, source.what);
  std::memcpy(values.data(), raw.data(), source.count * sizeof(std::int64_t));
  if (source.is_list) return values;
  if (H5Tget_member_index(source.type.get(), "TRUE") >= 0) return values.at(0) != 0;
  return values.at(0);
}

std::vector<std::string> read_variable_strings(const Source& source) {
  std::vector<char*> texts(source.count, nullptr);
  source.read(source.type.get(), texts.data());
  std::vector<std::string> strings;
  strings.reserve(source.count);
  for (const char* text : texts) strings.emplace_back(text == nullptr ? "" : text);
  if (source.count > 0) {
    H5Dvlen_reclaim(source.type.get(), source.space.get(), H5P_DEFAULT, texts.data());
  }
  return strings;
}

std::vector<std::string> read_fixed_strings(const Source& source) {
  const std::size_t length = H5Tget_size(source.type.get());
  std::string raw(source.count * length, '\0');
  source.read(source.type.get(), raw.data());
  const bool pads_with_spaces = H5Tget_strpad(source.type.get()) == H5T_STR_SPACEPAD;
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < source.count; ++i) {
    std::string text = raw.substr(i * length, length);
    text.resize(strnlen(text.data(), length));
    if (pads_with_spaces) text.resize(text.find_last_not_of(' ') + 1);
    strings.push_back(std::move(text));
  }
  return strings;
}

Attribute read_strings(const Source& source) {
  auto strings = H5Tis_variable_str(source.type.get()) > 0 ? read_variable_strings(source)
                                                           : read_fixed_strings(source);
  if (!source.is_list) return std::move(strings.at(0));
  return strings;
}

}  // namespace

Attribute Object::attribute(const std::string& name) const {
  const Library library;
  ODSGD_REQUIRE(has_attribute(name), "{}: has no attribute '{}'", location_.text(), name);
  Source source{.library = library,
                .where = location_,
                .what = "cannot read attribute '" + name + "'",
                .attribute = {},
                .type = {},
                .space = {}};
  const std::string& what = source.what;
  source.attribute =
      library.own(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), location_, what);
  source.type = library.own(H5Aget_type(source.attribute.get()), location_, what);
  source.space = library.own(H5Aget_space(source.attribute.get()), location_, what);
  source.is_list = H5Sget_simple_extent_type(source.space.get()) != H5S_SCALAR;
  source.count =
      static_cast<std::size_t>(count_of(shape_of(library, source.space.get(), location_)));

  const hid_t type = source.type.get();
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      if (!source.is_list && H5Tget_size(type) == 8 && H5Tget_sign(type) == H5T_SGN_NONE) {
        return read_numbers<std::uint64_t>(source, H5T_NATIVE_UINT64);
      }
      return read_numbers<std::int64_t>(source, H5T_NATIVE_INT64);
    case H5T_FLOAT:
      return read_numbers<double>(source, H5T_NATIVE_DOUBLE);
    case H5T_ENUM:
      return read_enumeration(source);
    case H5T_STRING:
      return read_strings(source);
    default:
      odsgd::fail("{}: attribute '{}' is {}, want numbers or strings", location_.text(), name,
                  describe_type(type));
  }
}

}  // namespace odsgd::h5
