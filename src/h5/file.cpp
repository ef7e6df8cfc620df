#include "odsgd/h5/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "library.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd::h5 {
namespace {

/// Access without file locks (readers of a live file must get in), and closing closes all objects.
Handle file_access(const Library& library, const Location& where) {
  constexpr std::string_view kWhat = "cannot set up file access";
  Handle list = library.own(H5Pcreate(H5P_FILE_ACCESS), where, kWhat);
  library.check(H5Pset_file_locking(list.get(), false, true), where, kWhat);
  library.check(H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG), where, kWhat);
  return list;
}

/// The first bytes of a file, with what is not printable as dots.
std::string first_bytes(std::ifstream& in) {
  std::string head(24, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  for (char& c : head) {
    if (c < ' ' || c > '~') c = '.';
  }
  return head;
}

/// Says what is wrong with a file in words, before HDF5 says it in its own.
void require_hdf5(const std::string& path) {
  std::error_code none;
  ODSGD_REQUIRE(!std::filesystem::is_directory(path, none), "{}: is a directory, want a file",
                path);
  const bool is_special =
      std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none);
  ODSGD_REQUIRE(!is_special, "{}: is not a regular file", path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  ODSGD_REQUIRE(in.is_open(), "{}: cannot open: {}", path, std::strerror(errno));
  if (H5Fis_hdf5(path.c_str()) > 0) return;
  const std::string head = first_bytes(in);
  ODSGD_REQUIRE(!head.empty(), "{}: is empty, want an HDF5 file", path);
  fail("{}: is not an HDF5 file (it begins with \"{}\")", path, head);
}

}  // namespace

File::File(Handle file, Handle root, Location location)
    : Group(std::move(root), std::move(location)), file_(std::move(file)) {}

File File::create(const std::string& path) {
  const Library library;
  const Location where{path, "/"};
  std::error_code none;
  ODSGD_REQUIRE(!std::filesystem::exists(std::filesystem::symlink_status(path, none)),
                "{}: exists already, want a new file (it is never overwritten)", path);
  const Handle access = file_access(library, where);
  const Handle creation = library.own(H5Pcreate(H5P_FILE_CREATE), where, "cannot create");
  library.check(H5Pset_obj_track_times(creation.get(), false), where, "cannot create");
  Handle file = library.own(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.get(), access.get()),
                            where, "cannot create");
  Handle root =
      library.own(H5Gopen2(file.get(), "/", H5P_DEFAULT), where, "cannot open the root group");
  return {std::move(file), std::move(root), where};
}

File File::open_read(const std::string& path) {
  const Library library;
  const Location where{path, "/"};
  require_hdf5(path);
  const Handle access = file_access(library, where);
  Handle file = library.own(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), where,
                            "cannot open the HDF5 file");
  Handle root =
      library.own(H5Gopen2(file.get(), "/", H5P_DEFAULT), where, "cannot open the root group");
  return {std::move(file), std::move(root), where};
}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    handle_.reset();
    file_.reset();
    Handle file = std::move(other.file_);
    Group::operator=(std::move(other));
    file_ = std::move(file);
  }
  return *this;
}

File::~File() {
  handle_.reset();
  file_.reset();
}

void File::flush() {
  const Library library;
  library.check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), location_, "cannot write to the file");
}

void File::reserve(std::uint64_t bytes) {
  const Library library;
  void* descriptor = nullptr;
  library.check(H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &descriptor), location_,
                "cannot find out the file's descriptor");
  hsize_t size = 0;
  library.check(H5Fget_filesize(file_.get(), &size), location_, "cannot find out the file's size");
  has_reserved_ = true;
  const int failed = fallocate(*static_cast<int*>(descriptor), FALLOC_FL_KEEP_SIZE,
                               static_cast<off_t>(size), static_cast<off_t>(bytes));
  ODSGD_REQUIRE(failed == 0 || errno != ENOSPC, "{}: cannot grow by {} bytes: {}", location_.file,
                bytes, std::strerror(errno));
}

void File::give_back_space() const {
  std::error_code none;
  const auto size = std::filesystem::file_size(location_.file, none);
  if (!none) std::filesystem::resize_file(location_.file, size, none);
}

void File::close() {
  if (!file_) return;
  flush();
  const Library library;
  handle_.reset();
  library.check(H5Fclose(file_.release()), location_, "cannot close the file");
  if (has_reserved_) give_back_space();
}

std::string library_version() {
  const Library library;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace odsgd::h5
