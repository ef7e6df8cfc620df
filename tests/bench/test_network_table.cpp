#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "h5/error_text.hpp"
#include "odsgd/bench/network_table.hpp"
#include "odsgd/nn/model.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

const LayerSize& layer_of(const NetworkTable& table, const std::string& name) {
  for (const LayerSize& layer : table.layers) {
    if (layer.name == name) return layer;
  }
  FAIL("no layer " << name);
  return table.layers.front();
}

struct Published {
  const char* name;
  std::size_t floats;
  std::size_t arrays;
  double forward_gmac;  // multiply-adds of one image
};

// Parameters, arrays and multiply-adds as torchvision's documentation of the models gives them;
// LeNet's by hand: 20*25*24^2 + 50*20*25*8^2 + 800*500 + 500*10.
constexpr Published kPublished[] = {{"alexnet", 61'100'840, 16, 0.714},
                                    {"vgg16", 138'357'544, 32, 15.47},
                                    {"resnet50", 25'557'032, 161, 4.09},
                                    {"lenet", 431'080, 8, 0.002293}};

}  // namespace

TEST_CASE("networks: parameters, arrays and operations are the published ones") {
  for (const Published& want : kPublished) {
    CAPTURE(want.name);
    const NetworkTable table = find_network_table(want.name);

    CHECK(table.name == want.name);
    CHECK(table.floats() == want.floats);
    CHECK(table.arrays() == want.arrays);
    CHECK(table.forward_flops() == doctest::Approx(2e9 * want.forward_gmac).epsilon(0.02));
  }
}

TEST_CASE("networks: single layers have the sizes that the papers give") {
  const NetworkTable alexnet = find_network_table("alexnet");
  CHECK(alexnet.layers.size() == 8);
  CHECK(layer_of(alexnet, "fc6").arrays[0].floats == 256 * 6 * 6 * 4096);
  CHECK(layer_of(alexnet, "conv1").forward_flops == 2.0 * 64 * 3 * 11 * 11 * 55 * 55);

  const NetworkTable vgg = find_network_table("vgg16");
  CHECK(vgg.layers.size() == 16);
  CHECK(layer_of(vgg, "conv5_3").forward_flops == 2.0 * 512 * 512 * 9 * 14 * 14);
  CHECK(layer_of(vgg, "fc6").arrays[0].floats == 512 * 7 * 7 * 4096);

  const NetworkTable resnet = find_network_table("resnet50");
  CHECK(resnet.layers.size() == 54);
  // The only shortcut with stride 1, and a 3x3 convolution that takes 28x28 to 14x14.
  CHECK(layer_of(resnet, "layer1.0.downsample").forward_flops == 2.0 * 64 * 256 * 56 * 56);
  CHECK(layer_of(resnet, "layer3.0.conv2").forward_flops == 2.0 * 256 * 256 * 9 * 14 * 14);
  CHECK(layer_of(resnet, "fc").arrays[0].floats == 2048 * 1000);
}

TEST_CASE("networks: layers come in forward order, a shortcut behind its branch") {
  const NetworkTable table = find_network_table("resnet50");
  std::vector<std::string> first;
  for (std::size_t i = 0; i < 6; ++i) first.push_back(table.layers[i].name);

  CHECK(first == std::vector<std::string>{"conv1", "layer1.0.conv1", "layer1.0.conv2",
                                          "layer1.0.conv3", "layer1.0.downsample",
                                          "layer1.1.conv1"});
  CHECK(table.layers.back().name == "fc");
}

TEST_CASE("networks: weights and gammas decay, biases and betas do not") {
  for (const Published& network : kPublished) {
    std::set<std::string> decaying;
    std::set<std::string> others;
    for (const LayerSize& layer : find_network_table(network.name).layers) {
      for (const ArraySize& array : layer.arrays) {
        const std::string kind = array.name.substr(array.name.rfind('_'));
        CHECK(array.name == layer.name + kind);
        (array.decays ? decaying : others).insert(kind);
      }
    }
    const bool is_resnet = std::string(network.name) == "resnet50";
    using Kinds = std::set<std::string>;
    CHECK(decaying == (is_resnet ? Kinds{"_weight", "_gamma"} : Kinds{"_weight"}));
    CHECK(others == (is_resnet ? Kinds{"_bias", "_beta"} : Kinds{"_bias"}));
  }
}

TEST_CASE("networks: lenet is the model lenet, key by key, and does its operations") {
  const NetworkTable table = find_network_table("lenet");
  const ModelSpec& model = find_model("lenet");
  const ParameterLayout got = layout_of(table);
  const ParameterLayout want = layout_of(model, {1, 28, 28}, 10);

  REQUIRE(got.keys() == want.keys());
  for (Key key = 0; key < want.keys(); ++key) {
    CHECK(got[key].name == want[key].name);
    CHECK(got[key].offset == want[key].offset);
    CHECK(got[key].count == want[key].count);
    CHECK(got[key].decays == want[key].decays);
  }
  double flops = 0;
  for (const LayerDescription& layer : describe(model, {1, 28, 28}, 10))
    flops += layer.forward_flops;
  CHECK(table.forward_flops() == flops);
}

TEST_CASE("networks: a layout has one key an array, in order") {
  const ParameterLayout layout = layout_of(find_network_table("resnet50"));

  CHECK(layout.keys() == 161);
  CHECK(layout.floats() == 25'557'032);
  CHECK(layout[0].name == "conv1_weight");
  CHECK(layout[1].name == "conv1_gamma");
  CHECK(layout[1].offset == 64 * 3 * 7 * 7);
  CHECK(layout[160].name == "fc_bias");
}

TEST_CASE("networks: scaling divides every array, rounds up, and leaves the operations") {
  const NetworkTable whole = find_network_table("lenet");
  const NetworkTable tenth = find_network_table("lenet", 10);

  CHECK(tenth.name == "lenet/10");
  CHECK(tenth.forward_flops() == whole.forward_flops());
  // 500, 20, 25000, 50, 400000, 500, 5000, 10
  CHECK(tenth.floats() == 50 + 2 + 2500 + 5 + 40000 + 50 + 500 + 1);
  CHECK(scaled(whole, 16).layers[0].arrays[1].floats == 2);  // 20 / 16
  CHECK(scaled(whole, 1e9).floats() == 8);                   // at least one float each
  CHECK(scaled(whole, 1).name == "lenet");
}

TEST_CASE("networks: a flat table is one array of so many floats") {
  const NetworkTable table = find_network_table("flat:25000000", 2.5);

  CHECK(table.name == "flat:25000000/2.5");
  CHECK(table.arrays() == 1);
  CHECK(table.floats() == 10'000'000);
  CHECK(table.forward_flops() == 50e6);
  CHECK(flat_table(3).name == "flat:3");
}

TEST_CASE("networks: a name, a size or a scale that there is not is an error that says what is") {
  const auto error = [](const std::string& name, double scale) {
    return error_text([&] { find_network_table(name, scale); });
  };
  CHECK(error("alexnett", 1) ==
        "network: got 'alexnett', want one of: alexnet, vgg16, resnet50, lenet, flat:FLOATS");
  CHECK(error("flat:", 1) == "network flat:: got '', want a number of floats");
  CHECK(error("flat:1e6", 1) == "network flat:: got '1e6', want a number of floats");
  CHECK(error("flat:-1", 1) == "network flat:: got '-1', want a number of floats");
  CHECK(error("flat:0", 1) == "network flat:: got 0 floats, want 1 to 2147483647");
  CHECK(error("flat:2147483648", 1) ==
        "network flat:: got 2147483648 floats, want 1 to 2147483647");
  for (const double scale : {0.5, 0.0, -2.0, std::nan(""), HUGE_VAL})
    CHECK(says(error("lenet", scale), "want a number of 1 or more"));
}
