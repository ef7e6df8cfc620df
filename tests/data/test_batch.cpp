#include <doctest/doctest.h>

#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/data/batch_stream.hpp"
#include "small_file.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Dataset load(const SmallFile& file) {
  const TemporaryDirectory directory;
  file.write(directory.file("small.h5"));
  return Dataset::load(directory.file("small.h5"));
}

using Samples = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a batch holds (x / 255 - mean) / std per channel, samples in the order asked for") {
  const Dataset data = load({});  // mean 0.5 and 0.25, std 0.25 and 0.5
  Batch batch(data.info(), 2);

  fill_batch(data.info(), data.train(), Samples{4, 0}, batch);

  // Sample 4: 255 254 253 | 252 251 250, sample 0: 0 51 255 | 102 153 204.
  const std::vector<double> want{2,    1.984314, 1.968627, 1.476471, 1.468627, 1.460784,
                                 -2.0, -1.2,     2.0,      0.3,      0.7,      1.1};
  REQUIRE(batch.images.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CHECK(batch.images[i] == doctest::Approx(want[i]).epsilon(2e-6));
  }
  CHECK(batch.labels == std::vector<std::int32_t>{2, 2});
  CHECK(batch.count == 2);
}

TEST_CASE("samples come from the split that was asked for") {
  const Dataset data = load({});
  Batch batch(data.info(), 1);

  fill_batch(data.info(), data.test(), Samples{2}, batch);

  CHECK(batch.images[0] == doctest::Approx((113 / 255.0 - 0.5) / 0.25).epsilon(1e-5));
  CHECK(batch.images[5] == doctest::Approx((118 / 255.0 - 0.25) / 0.5).epsilon(1e-5));
  CHECK(batch.labels[0] == 0);
}

TEST_CASE("a batch filled in part keeps what is behind") {
  const Dataset data = load({});
  Batch batch(data.info(), 3);
  fill_batch(data.info(), data.train(), Samples{0, 1, 2}, batch);
  const std::vector<float> last(batch.images.data() + 12, batch.images.data() + 18);

  fill_batch(data.info(), data.train(), Samples{3, 3}, batch);

  CHECK(batch.count == 2);
  CHECK(batch.labels == std::vector<std::int32_t>{1, 1, 2});
  CHECK(std::vector<float>(batch.images.data() + 12, batch.images.data() + 18) == last);
}

TEST_CASE("more samples than a batch holds are an error") {
  const Dataset data = load({});
  Batch batch(data.info(), 2);

  CHECK(error_text([&] {
          fill_batch(data.info(), data.train(), Samples{0, 1, 2}, batch);
        }) == "batch: got 3 samples, want at most 2");
}
