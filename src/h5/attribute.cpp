// The attribute half of Group.
#include <hdf5.h>

#include <algorithm>

#include "check.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/h5/group.hpp"
#include "types.hpp"

namespace odsgd::h5 {
namespace {

/// An attribute and its values; a scalar has one value and no extents.
template <class T>
void write_attribute(Id group, const std::string& of, const std::string& name,
                     const std::vector<T>& values, bool is_scalar, const std::string& where) {
  if (H5Aexists_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT) > 0) {
    check(H5Adelete_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT), where,
          "cannot be replaced");
  }
  const hsize_t count = values.size();
  const Handle space =
      is_scalar ? own(H5Screate(H5S_SCALAR), H5Sclose, where, "cannot be created")
                : own(H5Screate_simple(1, &count, nullptr), H5Sclose, where, "cannot be created");
  const auto create = [&](Id type) {
    return own(H5Acreate_by_name(group, of.c_str(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT),
               H5Aclose, where, "cannot be created");
  };
  if constexpr (std::is_same_v<T, std::string>) {
    const Handle type = string_type(where);
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    const Handle attribute = create(type.id());
    if (!values.empty())
      check(H5Awrite(attribute.id(), type.id(), texts.data()), where, "cannot be written");
  } else {
    const Handle attribute = create(file_type<T>());
    if (!values.empty()) {
      check(H5Awrite(attribute.id(), memory_type<T>(), values.data()), where, "cannot be written");
    }
  }
}

std::vector<std::string> read_strings(Id attribute, Id type, std::size_t count,
                                      const std::string& where) {
  std::vector<std::string> values(count);
  if (H5Tis_variable_str(type) > 0) {
    const Handle memory = string_type(where);
    std::vector<char*> texts(count, nullptr);
    check(H5Aread(attribute, memory.id(), texts.data()), where, "cannot be read");
    for (std::size_t i = 0; i < count; ++i) {
      if (texts[i] != nullptr) values[i] = texts[i];
      H5free_memory(texts[i]);
    }
    return values;
  }
  const std::size_t length = H5Tget_size(type);
  std::vector<char> bytes(count * length);
  check(H5Aread(attribute, type, bytes.data()), where, "cannot be read");
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = bytes.data() + i * length;
    values[i].assign(begin, std::find(begin, begin + length, '\0'));
  }
  return values;
}

template <class T>
std::vector<T> read_attribute(Id group, const std::string& of, const std::string& name,
                              const std::string& where) {
  ODSGD_REQUIRE(H5Aexists_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT) > 0,
                "{}: does not exist", where);
  const Handle attribute =
      own(H5Aopen_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
          where, "cannot be opened");
  const Handle type = own(H5Aget_type(attribute.id()), H5Tclose, where, "cannot read its type");
  const H5T_class_t got = H5Tget_class(type.id());
  ODSGD_REQUIRE(got == class_of<T>(), "{}: holds {}, want {}", where, name_of_class(got),
                name_of_class(class_of<T>()));
  const Handle space = own(H5Aget_space(attribute.id()), H5Sclose, where, "cannot read its shape");
  const auto count = static_cast<std::size_t>(
      check(H5Sget_simple_extent_npoints(space.id()), where, "cannot read its shape"));
  if constexpr (std::is_same_v<T, std::string>) {
    return read_strings(attribute.id(), type.id(), count, where);
  } else {
    std::vector<T> values(count);
    if (count > 0)
      check(H5Aread(attribute.id(), memory_type<T>(), values.data()), where, "cannot be read");
    return values;
  }
}

}  // namespace

template <class T>
void Group::set_attribute(const std::string& name, const T& value, const std::string& of) const {
  const Guard guard;
  write_attribute<T>(handle_.id(), of, name, {value}, true, where(of) + " attribute " + name);
}

template <class T>
void Group::set_attributes(const std::string& name, const std::vector<T>& values,
                           const std::string& of) const {
  const Guard guard;
  write_attribute<T>(handle_.id(), of, name, values, false, where(of) + " attribute " + name);
}

bool Group::has_attribute(const std::string& name, const std::string& of) const {
  const Guard guard;
  return H5Aexists_by_name(handle_.id(), of.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::attribute_names() const {
  const Guard guard;
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  check(H5Aiterate2(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), where(),
        "cannot list its attributes");
  return names;
}

template <class T>
T Group::attribute(const std::string& name, const std::string& of) const {
  const std::string full = where(of) + " attribute " + name;
  auto values = attributes<T>(name, of);
  ODSGD_REQUIRE(values.size() == 1, "{}: holds {} values, want 1", full, values.size());
  return values[0];
}

template <class T>
std::vector<T> Group::attributes(const std::string& name, const std::string& of) const {
  const Guard guard;
  return read_attribute<T>(handle_.id(), of, name, where(of) + " attribute " + name);
}

#define ODSGD_INSTANTIATE(T)                                                                     \
  template void Group::set_attribute<T>(const std::string&, const T&, const std::string&) const; \
  template void Group::set_attributes<T>(const std::string&, const std::vector<T>&,              \
                                         const std::string&) const;                              \
  template T Group::attribute<T>(const std::string&, const std::string&) const;                  \
  template std::vector<T> Group::attributes<T>(const std::string&, const std::string&) const;
ODSGD_INSTANTIATE(float)
ODSGD_INSTANTIATE(double)
ODSGD_INSTANTIATE(std::int32_t)
ODSGD_INSTANTIATE(std::int64_t)
ODSGD_INSTANTIATE(std::uint8_t)
ODSGD_INSTANTIATE(std::uint64_t)
ODSGD_INSTANTIATE(std::string)
#undef ODSGD_INSTANTIATE

}  // namespace odsgd::h5
