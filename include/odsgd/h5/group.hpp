#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "odsgd/h5/dataset.hpp"
#include "odsgd/h5/element.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {

/// A folder of groups and data sets. Names may be paths ("train/images"); what is missing in
/// between is created. No object carries a time, so the same content gives the same bytes.
class Group : public Object {
 public:
  bool has(const std::string& name) const;
  std::vector<std::string> names() const;  ///< of its direct members, sorted

  Group group(const std::string& name) const;      ///< throws Error when missing
  Dataset dataset(const std::string& name) const;  ///< throws Error when missing

  /// Each throws Error when the name is taken.
  Group create_group(const std::string& name);

  /// A data set of fixed shape, stored in one piece. Write it whole or by rows.
  Dataset create_dataset(const std::string& name, Type type, const Shape& shape);

  /// A data set of 0 rows of shape `row` ({}: one number a row) to append to. It is stored in
  /// pieces of `chunk_rows` rows, each of which is written whole.
  Dataset create_extendible(const std::string& name, Type type, const Shape& row,
                            std::uint64_t chunk_rows);

  /// Creates a data set of fixed shape and fills it.
  template <Element T>
  Dataset write(const std::string& name, const Shape& shape, std::span<const T> from) {
    Dataset dataset = create_dataset(name, type_of<T>(), shape);
    dataset.write(from);
    return dataset;
  }

 protected:
  using Object::Object;

 private:
  Location at(const std::string& name) const;
};

}  // namespace odsgd::h5
