#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "odsgd/h5/attribute.hpp"
#include "odsgd/h5/handle.hpp"

namespace odsgd::h5 {

/// Where an object lies; the subject of every error text.
struct Location {
  std::string file;  ///< as the caller named it
  std::string path;  ///< absolute inside the file, e.g. "/train/images"

  std::string text() const;  ///< "mnist.h5: /train/images"
};

/// What files, groups and data sets have in common: a place and attributes.
///
/// Threads: any; one lock around the library lets one call in at a time. Throws Error with the
/// place, what failed and HDF5's innermost message.
class Object {
 public:
  const Location& location() const { return location_; }

  bool has_attribute(const std::string& name) const;
  std::vector<std::string> attribute_names() const;  ///< sorted by name

  /// Writes the attribute; one of the same name is replaced.
  void set_attribute(const std::string& name, const Attribute& value);

  /// Throws Error when there is none, or when it holds neither numbers nor strings.
  Attribute attribute(const std::string& name) const;

  /// The attribute as one of the types of Attribute. Integers also come as double, and as the other
  /// integer type when the value fits. Throws Error when it holds something else.
  template <class T>
  T attribute_as(const std::string& name) const;

 protected:
  Object(Handle handle, Location location)
      : handle_(std::move(handle)), location_(std::move(location)) {}

  Handle handle_;
  Location location_;
};

template <>
bool Object::attribute_as<bool>(const std::string& name) const;
template <>
std::int64_t Object::attribute_as<std::int64_t>(const std::string& name) const;
template <>
std::uint64_t Object::attribute_as<std::uint64_t>(const std::string& name) const;
template <>
double Object::attribute_as<double>(const std::string& name) const;
template <>
std::string Object::attribute_as<std::string>(const std::string& name) const;
template <>
std::vector<std::int64_t> Object::attribute_as<std::vector<std::int64_t>>(
    const std::string& name) const;
template <>
std::vector<double> Object::attribute_as<std::vector<double>>(const std::string& name) const;
template <>
std::vector<std::string> Object::attribute_as<std::vector<std::string>>(
    const std::string& name) const;

}  // namespace odsgd::h5
