#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "odsgd/h5/element.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {

/// An array in a file, row-major; a row is one index of its first dimension.
///
/// Reading asks for a type T that holds every stored value: the same kind (integer or float), at
/// least as wide. Writing converts to the stored type. Throws Error when types or sizes do not fit;
/// the text names what is stored and what was asked for.
class Dataset : public Object {
 public:
  Shape shape() const;              ///< asks the file: an extendible data set may have grown
  std::uint64_t rows() const;       ///< shape()[0]; throws for a single value
  std::string stored_type() const;  ///< for messages: "64-bit float", "string", ...
  bool fits(Type type) const;       ///< read<T>() would accept T of this type

  /// Throws Error unless the data set has this shape. 0 stands for any length.
  void require_shape(const Shape& want) const;

  /// Everything.
  template <Element T>
  std::vector<T> read() const {
    std::vector<T> all(static_cast<std::size_t>(count_of(shape())));
    read(std::span<T>(all));
    return all;
  }
  template <Element T>
  void read(std::span<T> into) const {
    read_all(type_of<T>(), into.data(), into.size());
  }
  template <Element T>
  void write(std::span<const T> from) {
    write_all(type_of<T>(), from.data(), from.size());
  }

  /// A slab of whole rows from `first` on; the span's size says how many rows.
  template <Element T>
  void read_rows(std::uint64_t first, std::span<T> into) const {
    read_slab(type_of<T>(), first, into.data(), into.size());
  }
  template <Element T>
  void write_rows(std::uint64_t first, std::span<const T> from) {
    write_slab(type_of<T>(), first, from.data(), from.size());
  }

  /// Adds whole rows behind the last one of an extendible data set.
  template <Element T>
  void append(std::span<const T> rows) {
    append_slab(type_of<T>(), rows.data(), rows.size());
  }

 private:
  friend class Group;
  using Object::Object;

  void read_all(Type type, void* into, std::size_t count) const;
  void write_all(Type type, const void* from, std::size_t count);
  void read_slab(Type type, std::uint64_t first, void* into, std::size_t count) const;
  void write_slab(Type type, std::uint64_t first, const void* from, std::size_t count);
  void append_slab(Type type, const void* from, std::size_t count);
};

}  // namespace odsgd::h5
