#include <doctest/doctest.h>

#include <algorithm>

#include "odsgd/base/error.hpp"
#include "odsgd/compute/backend.hpp"

using namespace odsgd;

TEST_CASE("the cpu is always among the devices, and every device listed opens") {
  const std::vector<std::string> names = backend_names();

  REQUIRE(!names.empty());
  CHECK(names.front() == "cpu");
  CHECK(make_backend({.name = "cpu", .threads = 2})->description().substr(0, 5) == "cpu: ");
}

TEST_CASE("of the devices only the synthetic one pretends") {
  const std::vector<std::string> names = backend_names();

  CHECK(std::count(names.begin(), names.end(), "synthetic") == 1);
  for (const std::string& name : names) CHECK(is_pretend_device(name) == (name == "synthetic"));
  CHECK_FALSE(is_pretend_device("tpu"));
  CHECK(make_backend({.name = "synthetic", .compute_ms = 2.5})->description() ==
        "synthetic: pretends to compute, 2.5 ms a step");
}

TEST_CASE("an unknown device is an error that lists the known ones") {
  CHECK_THROWS_AS(make_backend({.name = "tpu"}), Error);
  CHECK_THROWS_WITH(make_backend({.name = "tpu"}),
                    doctest::Contains("got 'tpu', want one of: cpu"));
}

TEST_CASE("a device that this build lacks says so") {
  bool listed = false;
  for (const std::string& name : backend_names()) listed = listed || name == "cuda";
  if (listed) return;

  CHECK_THROWS_WITH_AS(make_backend({.name = "cuda"}), doctest::Contains("built without CUDA"),
                       Error);
}

TEST_CASE("no threads are an error") {
  CHECK_THROWS_WITH_AS(make_backend({.name = "cpu", .threads = 0}),
                       "device cpu: got 0 threads, want 1 or more", Error);
}
