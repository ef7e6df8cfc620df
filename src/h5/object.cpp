#include "odsgd/h5/object.hpp"

#include <algorithm>

#include "library.hpp"

namespace odsgd::h5 {

std::string Location::text() const { return path == "/" ? file : file + ": " + path; }

bool Object::has_attribute(const std::string& name) const {
  const Library library;
  return library.check(H5Aexists(handle_.get(), name.c_str()), location_,
                       "cannot look for an attribute") > 0;
}

std::vector<std::string> Object::attribute_names() const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  const Library library;
  library.check(H5Aiterate2(handle_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &names),
                location_, "cannot list the attributes");
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace odsgd::h5
