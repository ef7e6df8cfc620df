#include "odsgd/h5/dataset.hpp"

#include "library.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd::h5 {
namespace {

/// Every value of the stored type has its exact counterpart in the wanted one.
bool holds_all(hid_t stored, Type want_type) {
  const hid_t want = memory_type(want_type);
  const std::size_t stored_bytes = H5Tget_size(stored);
  const std::size_t want_bytes = H5Tget_size(want);
  if (H5Tget_class(stored) != H5Tget_class(want)) return false;
  if (H5Tget_class(want) == H5T_FLOAT) return stored_bytes <= want_bytes;
  if (H5Tget_class(want) != H5T_INTEGER) return false;
  const bool stored_signed = H5Tget_sign(stored) != H5T_SGN_NONE;
  const bool want_signed = H5Tget_sign(want) != H5T_SGN_NONE;
  if (stored_signed == want_signed) return stored_bytes <= want_bytes;
  return want_signed && stored_bytes < want_bytes;
}

/// What one transfer needs: the data set's shape and the size of a row.
struct Rows {
  Shape shape;
  std::uint64_t row = 1;  ///< elements

  Rows(Shape of, const Location& where) : shape(std::move(of)) {
    ODSGD_REQUIRE(!shape.empty(), "{}: is a single value, want rows", where.text());
    for (std::size_t i = 1; i < shape.size(); ++i) row *= shape[i];
  }

  std::uint64_t whole_rows(std::size_t count, const Location& where) const {
    ODSGD_REQUIRE(row > 0 ? count % row == 0 : count == 0,
                  "{}: got {} elements, want whole rows of {}", where.text(), count, row);
    return row > 0 ? count / row : 0;
  }
};

struct Selection {
  Handle file;
  Handle memory;
};

Selection select_rows(const Library& library, hid_t dataset, const Location& where, Rows rows,
                      std::uint64_t first, std::uint64_t count) {
  ODSGD_REQUIRE(first <= rows.shape[0] && count <= rows.shape[0] - first,
                "{}: got rows {} to {}, want rows below {}", where.text(), first, first + count - 1,
                rows.shape[0]);
  constexpr std::string_view kWhat = "cannot select rows";
  std::vector<hsize_t> start(rows.shape.size(), 0);
  start[0] = first;
  std::vector<hsize_t> lengths(rows.shape.begin(), rows.shape.end());
  lengths[0] = count;
  Selection selection{library.own(H5Dget_space(dataset), where, kWhat), {}};
  library.check(H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, start.data(), nullptr,
                                    lengths.data(), nullptr),
                where, kWhat);
  const hsize_t elements = count * rows.row;
  selection.memory = library.own(H5Screate_simple(1, &elements, nullptr), where, kWhat);
  return selection;
}

void require_fit(const Dataset& dataset, Type type) {
  ODSGD_REQUIRE(dataset.fits(type), "{}: holds {} values, want {}", dataset.location().text(),
                dataset.stored_type(), to_string(type));
}

}  // namespace

Shape Dataset::shape() const {
  const Library library;
  const Handle space =
      library.own(H5Dget_space(handle_.get()), location_, "cannot get the data space");
  return shape_of(library, space.get(), location_);
}

std::uint64_t Dataset::rows() const { return Rows(shape(), location_).shape[0]; }

std::string Dataset::stored_type() const {
  const Library library;
  const Handle type = library.own(H5Dget_type(handle_.get()), location_, "cannot get the type");
  return describe_type(type.get());
}

bool Dataset::fits(Type type) const {
  const Library library;
  const Handle stored = library.own(H5Dget_type(handle_.get()), location_, "cannot get the type");
  return holds_all(stored.get(), type);
}

void Dataset::require_shape(const Shape& want) const {
  const Shape got = shape();
  bool same = got.size() == want.size();
  for (std::size_t i = 0; same && i < want.size(); ++i) same = want[i] == 0 || want[i] == got[i];
  ODSGD_REQUIRE(same, "{}: has shape {}, want {}", location_.text(), to_string(got),
                to_string(want));
}

void Dataset::read_all(Type type, void* into, std::size_t count) const {
  const Library library;
  require_fit(*this, type);
  const Shape stored = shape();
  ODSGD_REQUIRE(count == count_of(stored), "{}: has shape {}, want room for it, got {} elements",
                location_.text(), to_string(stored), count);
  if (count == 0) return;
  library.check(H5Dread(handle_.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, into),
                location_, "cannot read");
}

void Dataset::write_all(Type type, const void* from, std::size_t count) {
  const Library library;
  require_fit(*this, type);
  const Shape stored = shape();
  ODSGD_REQUIRE(count == count_of(stored), "{}: has shape {}, got {} elements to write",
                location_.text(), to_string(stored), count);
  if (count == 0) return;
  library.check(H5Dwrite(handle_.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, from),
                location_, "cannot write");
}

void Dataset::read_slab(Type type, std::uint64_t first, void* into, std::size_t count) const {
  const Library library;
  require_fit(*this, type);
  const Rows rows(shape(), location_);
  const std::uint64_t slab = rows.whole_rows(count, location_);
  if (slab == 0) return;
  const Selection selection = select_rows(library, handle_.get(), location_, rows, first, slab);
  library.check(H5Dread(handle_.get(), memory_type(type), selection.memory.get(),
                        selection.file.get(), H5P_DEFAULT, into),
                location_, "cannot read rows");
}

void Dataset::write_slab(Type type, std::uint64_t first, const void* from, std::size_t count) {
  const Library library;
  require_fit(*this, type);
  const Rows rows(shape(), location_);
  const std::uint64_t slab = rows.whole_rows(count, location_);
  if (slab == 0) return;
  const Selection selection = select_rows(library, handle_.get(), location_, rows, first, slab);
  library.check(H5Dwrite(handle_.get(), memory_type(type), selection.memory.get(),
                         selection.file.get(), H5P_DEFAULT, from),
                location_, "cannot write rows");
}

void Dataset::append_slab(Type type, const void* from, std::size_t count) {
  const Library library;
  require_fit(*this, type);
  const Rows rows(shape(), location_);
  const std::uint64_t first = rows.shape[0];
  std::vector<hsize_t> lengths(rows.shape.begin(), rows.shape.end());
  lengths[0] += rows.whole_rows(count, location_);
  library.check(H5Dset_extent(handle_.get(), lengths.data()), location_, "cannot add rows");
  write_slab(type, first, from, count);
}

}  // namespace odsgd::h5
