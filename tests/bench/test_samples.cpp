#include <doctest/doctest.h>

#include "h5/error_text.hpp"
#include "odsgd/bench/samples.hpp"

using namespace odsgd;
using namespace odsgd::test;

TEST_CASE("samples: the median is the middle one, whatever the order of measuring") {
  const Samples odd{{5, 1, 9}};
  CHECK(odd.median() == 5);
  CHECK(odd.min() == 1);
  CHECK(odd.max() == 9);

  CHECK(Samples{{4, 100, 1, 2}}.median() == 3);
  CHECK(Samples{{7}}.median() == 7);
}

TEST_CASE("samples: none is an error") {
  CHECK(error_text([] { (void)Samples{}.median(); }) ==
        "samples: got no values, want at least one");
}
