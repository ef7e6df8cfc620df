#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "app/run_difference.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

using Change = std::function<void(h5::File&)>;

/// Where a file differs from the same one with a change.
std::string difference_by(const Change& change, const std::vector<std::string>& within = {},
                          const std::vector<std::string>& without = {}) {
  const TemporaryDirectory place;
  for (const char* name : {"a.h5", "b.h5"}) {
    h5::File file = h5::File::create(place.file(name));
    file.set_attribute("status", std::string("finished"));
    file.write<float>("weights/w", {2}, std::vector<float>{1, 2});
    file.write<std::int64_t>("train/step", {2}, std::vector<std::int64_t>{1, 2});
    if (std::string(name) == "b.h5") change(file);
    file.close();
  }
  return differences(place.file("a.h5"), place.file("b.h5"), within, without);
}

void change_weight(h5::File& file) {
  const float next = 1.0000001F;
  file.dataset("weights/w").write_rows<float>(0, std::span(&next, 1));
}

}  // namespace

TEST_CASE("run difference: none between equal files") {
  CHECK(difference_by([](h5::File&) {}) == "");
}

TEST_CASE("run difference: a bit of a value, an attribute, and what is more") {
  CHECK(difference_by(change_weight) == "/weights/w");
  CHECK(difference_by([](h5::File& f) { f.set_attribute("status", std::string("failed")); }) ==
        "/@status");
  CHECK(difference_by([](h5::File& f) { f.create_group("more"); }) == "/more");
  CHECK(difference_by([](h5::File& f) {
          f.dataset("weights/w").set_attribute("units", std::string("1"));
        }) == "/weights/w/@units");
}

TEST_CASE("run difference: only within what is asked for, and without what is left out") {
  CHECK(difference_by(change_weight, {"/train"}) == "");
  CHECK(difference_by(change_weight, {"/weights"}) == "/weights/w");
  CHECK(difference_by(change_weight, {}, {"/weights"}) == "");
  CHECK(difference_by(change_weight, {}, {"/weight"}) == "/weights/w");
  CHECK(says(error_text([] { difference_by(change_weight, {"/none"}); }), "nothing to compare"));
}
