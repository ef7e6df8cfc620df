#include <doctest/doctest.h>

#include "nn/made_up_data.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/nn/model.hpp"

using namespace odsgd;

TEST_CASE("lenet on MNIST has 8 learnable arrays and 431,080 parameters") {
  const ParameterLayout layout = layout_of(find_model("lenet"), {1, 28, 28}, 10);

  REQUIRE(layout.keys() == 8);
  CHECK(layout.floats() == 431080);
  const std::vector<std::pair<std::string, std::vector<int>>> want = {
      {"conv1_weight", {20, 1, 5, 5}},  {"conv1_bias", {20}},
      {"conv2_weight", {50, 20, 5, 5}}, {"conv2_bias", {50}},
      {"fc1_weight", {500, 800}},       {"fc1_bias", {500}},
      {"fc2_weight", {10, 500}},        {"fc2_bias", {10}}};
  for (Key key = 0; key < layout.keys(); ++key) {
    CHECK(layout[key].name == want[key].first);
    CHECK(layout[key].shape == want[key].second);
    CHECK(layout[key].decays == (key % 2 == 0));
  }
}

TEST_CASE("a model takes its size from the image and the classes") {
  // conv1 20*3*25+20, conv2 50*20*25+50, fc1 500*(50*5*5)+500, fc2 100*500+100
  CHECK(layout_of(find_model("lenet"), {3, 32, 32}, 100).floats() == 1520 + 25050 + 625500 + 50100);
  // fc1 128*784+128, fc2 64*128+64, fc3 10*64+10
  CHECK(layout_of(find_model("mlp"), {1, 28, 28}, 10).floats() == 100480 + 8256 + 650);
}

TEST_CASE("every model listed is found under its name") {
  const std::vector<std::string> names = model_names();

  CHECK(names == std::vector<std::string>{"lenet", "mlp"});
  for (const std::string& name : names) CHECK(find_model(name).name == name);
}

TEST_CASE("an unknown model is an error that lists the known ones") {
  CHECK_THROWS_WITH_AS(find_model("lennet"), "model: got 'lennet', want one of: lenet, mlp", Error);
}

TEST_CASE("an image that is too small is an error that names the layer") {
  CHECK_THROWS_WITH_AS(
      layout_of(find_model("lenet"), {1, 10, 10}, 10),
      "model lenet: layer conv2: input 3x3 is smaller than kernel 5x5 (input image 1x10x10)",
      Error);
  CHECK_THROWS_WITH_AS(
      layout_of(find_model("lenet"), {1, 16, 11}, 10),
      "model lenet: layer conv2: input 6x3 is smaller than kernel 5x5 (input image 1x16x11)",
      Error);
}

TEST_CASE("nonsense in the image, the classes or the layers is an error") {
  CHECK_THROWS_AS(layout_of(find_model("mlp"), {0, 28, 28}, 10), Error);
  CHECK_THROWS_WITH_AS(layout_of(find_model("mlp"), {1, 28, 28}, 1),
                       "model mlp: got 1 classes, want 2 or more", Error);

  ModelSpec model = tiny_model();
  std::get<Convolution>(model.layers[0]).stride = 0;
  CHECK_THROWS_WITH_AS(layout_of(model, kTinyInput, kTinyClasses),
                       "model tiny: layer a: got stride = 0, want 1 or more", Error);

  model = tiny_model();
  model.layers.pop_back();
  CHECK_THROWS_WITH_AS(layout_of(model, kTinyInput, kTinyClasses),
                       "model tiny: got 6 outputs, want 4, one a class", Error);

  model = tiny_model();
  model.requires_input = InputShape{3, 32, 32};
  CHECK_THROWS_WITH_AS(layout_of(model, kTinyInput, kTinyClasses),
                       "model tiny: got input image 3x9x8, want 3x32x32", Error);
}

TEST_CASE("the description of lenet adds up") {
  const std::vector<LayerDescription> rows = describe(find_model("lenet"), {1, 28, 28}, 10);

  REQUIRE(rows.size() == 9);
  CHECK(rows[0].layer == "conv1");
  CHECK(rows[0].output == "20x24x24");
  CHECK(rows[1].layer == "max pool 2x2 stride 2");
  CHECK(rows[1].output == "20x12x12");
  CHECK(rows[8].output == "10");
  std::size_t parameters = 0;
  double flops = 0;
  for (const LayerDescription& row : rows) {
    parameters += row.parameters;
    flops += row.forward_flops;
  }
  CHECK(parameters == 431080);
  // 2 * (500 * 24 * 24 + 25000 * 8 * 8 + 400000 + 5000)
  CHECK(flops == 4586000.0);
}
