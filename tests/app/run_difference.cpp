#include "app/run_difference.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <variant>

#include "odsgd/base/error.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_log.hpp"

namespace odsgd::test {
namespace {

/// Every attribute and data set of a file by its path, as text and bytes that stand for its value.
using Contents = std::map<std::string, std::string>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string bytes_of(const h5::Dataset& dataset) {
  if (dataset.fits(h5::Type::kInt64)) return bytes_of(dataset.read<std::int64_t>());
  if (dataset.fits(h5::Type::kUint64)) return bytes_of(dataset.read<std::uint64_t>());
  return bytes_of(dataset.read<double>());  // a wider float: the same bits or others, as before
}

std::string bytes_of(const h5::Attribute& value) {
  const auto bytes = [](const auto& v) -> std::string {
    using T = std::decay_t<decltype(v)>;
    if constexpr (std::is_same_v<T, std::string>) {
      return v;
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      std::string all;
      for (const std::string& one : v) all += one + '\n';
      return all;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return {reinterpret_cast<const char*>(&v), sizeof v};
    } else {
      return bytes_of(v);
    }
  };
  return fmt::format("{} ", value.index()) + std::visit(bytes, value);
}

void add_attributes(const h5::Object& object, const std::string& path, Contents& contents) {
  for (const std::string& name : object.attribute_names())
    contents[path + "/@" + name] = bytes_of(object.attribute(name));
}

std::optional<h5::Group> group_at(const h5::Group& parent, const std::string& name) {
  try {
    return parent.group(name);
  } catch (const Error&) {
    return std::nullopt;  // a data set
  }
}

void add_group(const h5::Group& group, const std::string& path, Contents& contents) {
  add_attributes(group, path, contents);
  for (const std::string& name : group.names()) {
    const std::string below = path + "/" + name;
    if (const auto inner = group_at(group, name)) {
      contents[below] = "group";
      add_group(*inner, below, contents);
      continue;
    }
    const h5::Dataset dataset = group.dataset(name);
    contents[below] = dataset.stored_type() + h5::to_string(dataset.shape()) + bytes_of(dataset);
    add_attributes(dataset, below, contents);
  }
}

bool lies_under(const std::string& path, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    return path == place || path.starts_with(place + "/");
  });
}

}  // namespace

std::string differences(const std::string& file, const std::string& other,
                        const std::vector<std::string>& within,
                        const std::vector<std::string>& without) {
  Contents a;
  Contents b;
  add_group(h5::File::open_read(file), "", a);
  add_group(h5::File::open_read(other), "", b);
  Contents all = a;
  all.insert(b.begin(), b.end());
  std::string different;
  std::size_t compared = 0;
  for (const auto& [path, content] : all) {
    if (!within.empty() && !lies_under(path, within)) continue;
    if (lies_under(path, without)) continue;
    ++compared;
    const auto in_a = a.find(path);
    const auto in_b = b.find(path);
    if (in_a == a.end() || in_b == b.end() || in_a->second != in_b->second)
      different += (different.empty() ? "" : " ") + path;
  }
  ODSGD_REQUIRE(compared > 0, "{}: nothing to compare with {}", file, other);
  return different;
}

std::string training_differences(const std::string& file, const std::string& other) {
  return differences(file, other, {"/weights", "/train", "/eval"}, measured_paths());
}

std::string run_differences(const std::string& file, const std::string& other) {
  return differences(file, other, {}, measured_paths());
}

}  // namespace odsgd::test
