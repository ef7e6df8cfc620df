#pragma once

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

  /// Closes the file and reports what could not be written, e.g. on a full disk. A second call does
  /// nothing.
  void close();

 private:
  File(Handle file, Handle root, Location location);

  Handle file_;
};

/// The version of the HDF5 library in use, e.g. "1.10.8".
std::string library_version();

}  // namespace odsgd::h5
