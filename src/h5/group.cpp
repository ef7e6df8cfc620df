#include "odsgd/h5/group.hpp"

#include <algorithm>

#include "library.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd::h5 {
namespace {

/// UTF-8 names; missing groups on the way are created.
Handle link_creation(const Library& library, const Location& where, std::string_view what) {
  Handle list = library.own(H5Pcreate(H5P_LINK_CREATE), where, what);
  library.check(H5Pset_create_intermediate_group(list.get(), 1), where, what);
  library.check(H5Pset_char_encoding(list.get(), H5T_CSET_UTF8), where, what);
  return list;
}

/// Creation properties of a group or data set that carries no times.
Handle timeless(const Library& library, hid_t kind, const Location& where, std::string_view what) {
  Handle list = library.own(H5Pcreate(kind), where, what);
  library.check(H5Pset_obj_track_times(list.get(), false), where, what);
  return list;
}

}  // namespace

Location Group::at(const std::string& name) const {
  return {location_.file, location_.path == "/" ? "/" + name : location_.path + "/" + name};
}

bool Group::has(const std::string& name) const {
  const Library library;
  // H5Lexists wants every group on the way to exist.
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = name.find('/', slash + 1);
    const std::string part = name.substr(0, slash);
    const htri_t exists = H5Lexists(handle_.get(), part.c_str(), H5P_DEFAULT);
    if (exists <= 0) return false;
  }
  return true;
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  const Library library;
  library.check(H5Literate(handle_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &names),
                location_, "cannot list the members");
  std::sort(names.begin(), names.end());
  return names;
}

Group Group::group(const std::string& name) const {
  const Library library;
  const Location where = at(name);
  ODSGD_REQUIRE(has(name), "{}: there is no such group", where.text());
  return Group(library.own(H5Gopen2(handle_.get(), name.c_str(), H5P_DEFAULT), where,
                           "cannot open the group"),
               where);
}

Dataset Group::dataset(const std::string& name) const {
  const Library library;
  const Location where = at(name);
  ODSGD_REQUIRE(has(name), "{}: there is no such data set", where.text());
  return Dataset(library.own(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT), where,
                             "cannot open the data set"),
                 where);
}

Group Group::create_group(const std::string& name) {
  const Library library;
  const Location where = at(name);
  constexpr std::string_view kWhat = "cannot create the group";
  ODSGD_REQUIRE(!has(name), "{}: exists already", where.text());
  const Handle links = link_creation(library, where, kWhat);
  const Handle creation = timeless(library, H5P_GROUP_CREATE, where, kWhat);
  return Group(
      library.own(H5Gcreate2(handle_.get(), name.c_str(), links.get(), creation.get(), H5P_DEFAULT),
                  where, kWhat),
      where);
}

Dataset Group::create_dataset(const std::string& name, Type type, const Shape& shape) {
  const Library library;
  const Location where = at(name);
  constexpr std::string_view kWhat = "cannot create the data set";
  ODSGD_REQUIRE(!has(name), "{}: exists already", where.text());
  const std::vector<hsize_t> lengths(shape.begin(), shape.end());
  const Handle space = library.own(
      shape.empty() ? H5Screate(H5S_SCALAR)
                    : H5Screate_simple(static_cast<int>(shape.size()), lengths.data(), nullptr),
      where, kWhat);
  const Handle links = link_creation(library, where, kWhat);
  const Handle creation = timeless(library, H5P_DATASET_CREATE, where, kWhat);
  return Dataset(library.own(H5Dcreate2(handle_.get(), name.c_str(), stored_type(type), space.get(),
                                        links.get(), creation.get(), H5P_DEFAULT),
                             where, kWhat),
                 where);
}

Dataset Group::create_extendible(const std::string& name, Type type, const Shape& row,
                                 std::uint64_t chunk_rows) {
  const Library library;
  const Location where = at(name);
  constexpr std::string_view kWhat = "cannot create the data set";
  ODSGD_REQUIRE(!has(name), "{}: exists already", where.text());
  std::vector<hsize_t> lengths{0};
  lengths.insert(lengths.end(), row.begin(), row.end());
  std::vector<hsize_t> most = lengths;
  most[0] = H5S_UNLIMITED;
  std::vector<hsize_t> chunk = lengths;
  chunk[0] = chunk_rows;
  const int rank = static_cast<int>(lengths.size());
  const Handle space =
      library.own(H5Screate_simple(rank, lengths.data(), most.data()), where, kWhat);
  const Handle links = link_creation(library, where, kWhat);
  const Handle creation = timeless(library, H5P_DATASET_CREATE, where, kWhat);
  library.check(H5Pset_chunk(creation.get(), rank, chunk.data()), where, kWhat);
  return Dataset(library.own(H5Dcreate2(handle_.get(), name.c_str(), stored_type(type), space.get(),
                                        links.get(), creation.get(), H5P_DEFAULT),
                             where, kWhat),
                 where);
}

}  // namespace odsgd::h5
