#include "library.hpp"

#include "odsgd/base/error.hpp"

namespace odsgd::h5 {
namespace {

// The lock of a library that is one per process. Never destroyed: files may be closed very late.
std::recursive_mutex& library_mutex() {
  static std::recursive_mutex& mutex = *new std::recursive_mutex;
  return mutex;
}

/// Of a failed system call HDF5 tells time, descriptor and addresses too; the reason is enough.
std::string shorten(const std::string& message) {
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t at = message.find(kBefore);
  if (at == std::string::npos) return message;
  const std::size_t begin = at + kBefore.size();
  return message.substr(begin, message.find('\'', begin) - begin);
}

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* data) {
  auto& message = *static_cast<std::string*>(data);
  if (error->desc != nullptr && *error->desc != '\0') message = error->desc;
  return 0;
}

std::string innermost_message() {
  std::string message;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &message);
  H5Eclear2(H5E_DEFAULT);
  return message.empty() ? "HDF5 gives no reason" : shorten(message);
}

}  // namespace

Library::Library() : lock_(library_mutex()) {
  // Handles close what they opened. HDF5 must not try once more at exit with a file on a full disk:
  // that crashes. Too late, and without effect, when other code has used HDF5 before.
  static const herr_t without_exit_handler = H5dont_atexit();
  static_cast<void>(without_exit_handler);
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Library::~Library() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

void Library::fail(const Location& where, std::string_view what) const {
  odsgd::fail("{}: {}: {}", where.text(), what, innermost_message());
}

}  // namespace odsgd::h5
