#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "library.hpp"
#include "odsgd/h5/object.hpp"

namespace odsgd::h5 {
namespace {

/// An attribute ready for H5Acreate and H5Awrite.
struct Prepared {
  Handle made_type;  // owned when the type is not one of the library's own
  hid_t stored = H5I_INVALID_HID;
  hid_t memory = H5I_INVALID_HID;
  hsize_t count = 1;
  const void* values = nullptr;
  std::vector<const char*> texts;
};

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;

/// Fills a Prepared that points into the attribute's value.
class Preparer {
 public:
  Preparer(const Library& library, const Location& where) : library_(library), where_(where) {}

  Prepared operator()(bool value) const {
    static constexpr std::array<signed char, 2> kTruth{0, 1};
    Prepared p;
    p.made_type = library_.own(H5Tenum_create(H5T_STD_I8LE), where_, "cannot make a truth type");
    const hid_t type = p.made_type.get();
    library_.check(H5Tenum_insert(type, "FALSE", &kTruth[0]), where_, "cannot make a truth type");
    library_.check(H5Tenum_insert(type, "TRUE", &kTruth[1]), where_, "cannot make a truth type");
    p.stored = p.memory = type;
    p.values = &kTruth[value ? 1 : 0];
    return p;
  }

  Prepared operator()(const std::string& value) const { return strings(&value, 1); }

  Prepared operator()(const std::vector<std::string>& list) const {
    return strings(list.data(), list.size());
  }

  template <class T>
  Prepared operator()(const T& value) const {
    Prepared p;
    if constexpr (kIsList<T>) {
      p.stored = stored_type(type_of<typename T::value_type>());
      p.memory = memory_type(type_of<typename T::value_type>());
      p.values = value.data();
      p.count = value.size();
    } else {
      p.stored = stored_type(type_of<T>());
      p.memory = memory_type(type_of<T>());
      p.values = &value;
    }
    return p;
  }

 private:
  Prepared strings(const std::string* first, std::size_t count) const {
    Prepared p;
    p.made_type = library_.own(H5Tcopy(H5T_C_S1), where_, "cannot make a string type");
    p.stored = p.memory = p.made_type.get();
    library_.check(H5Tset_size(p.stored, H5T_VARIABLE), where_, "cannot make a string type");
    library_.check(H5Tset_cset(p.stored, H5T_CSET_UTF8), where_, "cannot make a string type");
    for (std::size_t i = 0; i < count; ++i) p.texts.push_back(first[i].c_str());
    p.values = p.texts.data();
    p.count = count;
    return p;
  }

  const Library& library_;
  const Location& where_;
};

}  // namespace

void Object::set_attribute(const std::string& name, const Attribute& value) {
  const Library library;
  const std::string what = "cannot write attribute '" + name + "'";
  const Prepared p = std::visit(Preparer(library, location_), value);
  const bool is_list =
      std::visit([]<class T>(const T&) { return kIsList<std::remove_cvref_t<T>>; }, value);
  const Handle space = library.own(
      is_list ? H5Screate_simple(1, &p.count, nullptr) : H5Screate(H5S_SCALAR), location_, what);
  if (has_attribute(name)) {
    library.check(H5Adelete(handle_.get(), name.c_str()), location_, what);
  }
  const Handle names_as_utf8 = library.own(H5Pcreate(H5P_ATTRIBUTE_CREATE), location_, what);
  library.check(H5Pset_char_encoding(names_as_utf8.get(), H5T_CSET_UTF8), location_, what);
  const Handle attribute = library.own(H5Acreate2(handle_.get(), name.c_str(), p.stored,
                                                  space.get(), names_as_utf8.get(), H5P_DEFAULT),
                                       location_, what);
  if (p.count > 0) library.check(H5Awrite(attribute.get(), p.memory, p.values), location_, what);
}

}  // namespace odsgd::h5
