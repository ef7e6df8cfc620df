#pragma once

#include <cstdint>
#include <string>

#include "odsgd/h5/group.hpp"

namespace odsgd::h5 {

/// An open file, which is also its root group.
///
/// Default file format, no locks on files: readers may look at a file while it is written, and see
/// what was flushed last. Destroying a File closes it, ignoring errors; whoever wrote it calls
/// close(). Groups and data sets of a closed file must not be used any more.
class File : public Group {
 public:
  /// Creates a new file for writing. Throws Error when it exists or cannot be created.
  static File create(const std::string& path);

  /// Opens a file for reading. Throws Error when it is missing, unreadable, truncated or not HDF5.
  static File open_read(const std::string& path);

  File(File&& other) noexcept = default;
  File& operator=(File&& other) noexcept;
  ~File();

  /// Hands all written data to the operating system: it survives the death of this process.
  void flush();

  /// Makes sure that the file can grow by so many bytes: of a disk that fills up in the middle of a
  /// flush HDF5 may leave a file that nobody can read. The space is taken from the disk at once,
  /// and what is not needed given back on closing. Where the file system cannot do that, nothing
  /// happens. Throws Error when the disk is too full; the file is as before then.
  void reserve(std::uint64_t bytes);

  /// Closes the file and reports what could not be written, e.g. on a full disk. A second call does
  /// nothing.
  void close();

 private:
  File(Handle file, Handle root, Location location);

  void give_back_space() const;

  Handle file_;
  bool has_reserved_ = false;
};

/// The version of the HDF5 library in use, e.g. "1.10.8".
std::string library_version();

}  // namespace odsgd::h5
