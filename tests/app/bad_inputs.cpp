#include "app/bad_inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "app/tiny_data.hpp"

namespace odsgd::test {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

using Write = std::function<void(h5::File&)>;

/// A data file whose training part is made by `train`.
void write_data(const std::string& path, const Write& train) {
  h5::File file = h5::File::create(path);
  write_attributes(file);
  train(file);
  write_images(file, "test", kTinyTestCount, kTinySide);
  write_labels(file, "test", kTinyTestCount);
  file.close();
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

void write_bad_inputs(const std::string& directory) {
  const auto at = [&](const std::string& name) { return directory + "/" + name; };
  constexpr std::size_t kPixels = kTinySide * kTinySide;
  write_tiny_data(at("tiny.h5"));
  write_tiny_data(at("small-images.h5"), 12);
  write_data(at("no-labels.h5"),
             [](h5::File& file) { write_images(file, "train", kTinyTrainCount, kTinySide); });
  write_data(at("other-label-count.h5"), [](h5::File& file) {
    write_images(file, "train", kTinyTrainCount, kTinySide);
    write_labels(file, "train", kTinyTrainCount - 1);
  });
  write_data(at("label-10.h5"), [](h5::File& file) {
    write_images(file, "train", kTinyTrainCount, kTinySide);
    write_labels(file, "train", kTinyTrainCount, 10);
  });
  write_data(at("flat-images.h5"), [](h5::File& file) {
    file.write<std::uint8_t>("train/images", {kTinyTrainCount, kPixels},
                             std::vector<std::uint8_t>(kTinyTrainCount * kPixels));
    write_labels(file, "train", kTinyTrainCount);
  });
  write_data(at("float-images.h5"), [](h5::File& file) {
    file.write<float>("train/images", {kTinyTrainCount, 1, kTinySide, kTinySide},
                      std::vector<float>(kTinyTrainCount * kPixels));
    write_labels(file, "train", kTinyTrainCount);
  });
  std::filesystem::copy(at("tiny.h5"), at("truncated.h5"));
  std::filesystem::resize_file(at("truncated.h5"), 200000);
  write_text(at("web-page.h5"), "<html>404 not found</html>\n");
  write_text(at("empty.h5"), "");
  std::filesystem::create_directory(at("directory.h5"));
  std::filesystem::create_directory(at("exists"));
  write_text(at("exists/notes.txt"), "keep me");
  write_text(at("file"), "keep me");
  write_text(at("unknown-key.toml"), "# made for tests\nlearning-rate = 0.1\n");
  write_text(at("wrong-type.toml"), "log-every = 5\nepochs = \"many\"\n");
  write_text(at("no-toml.toml"), "[train]\n");
}

Words BadCommand::options() const {
  Words all;
  for (const Words& needed :
       {Words{"--data", "tiny.h5"}, Words{"--output", "out"}, Words{"--batch-per-worker", "8"}}) {
    if (std::find(fault.begin(), fault.end(), needed[0]) == fault.end()) all = all + needed;
  }
  return all + fault;
}

std::vector<BadCommand> bad_commands() {
  return {
      {{"--data", "missing.h5"}, "missing.h5: cannot open", kFailed},
      {{"--data", "two\nlines.h5"}, "two lines.h5: cannot open", kFailed},
      {{"--data", "web-page.h5"}, "web-page.h5: is not an HDF5 file", kFailed},
      {{"--data", "empty.h5"}, "empty.h5: is empty", kFailed},
      {{"--data", "truncated.h5"}, "truncated.h5: cannot open", kFailed},
      {{"--data", "directory.h5"}, "directory.h5: is a directory, want a file", kFailed},
      {{"--data", "no-labels.h5"}, "no-labels.h5: /train/labels", kFailed},
      {{"--data", "other-label-count.h5"}, "other-label-count.h5: /train/labels", kFailed},
      {{"--data", "flat-images.h5"}, "flat-images.h5: /train/images", kFailed},
      {{"--data", "small-images.h5"}, "model lenet: layer conv2", kFailed},
      {{"--data", ""}, "--data: got nothing, want a file", kWrongUsage},
      {{"--model", "vgg"}, "--model: got vgg, want one of lenet, mlp", kWrongUsage},
      {{"--algorithm", "x"},
       "--algorithm: got x, want one of ssgd, asgd, dc-asgd, ssp, od-sgd",
       kWrongUsage},
      {{"--local-rule", "x"},
       "--local-rule: got x, want one of none, sgd, dc-c, dc-a, dc-norm, mc, glu",
       kWrongUsage},
      {{"--algorithm", "dc-asgd", "--optimizer", "nesterov"},
       "--optimizer: got nesterov, want sgd with dc-asgd, which has a step of its own",
       kWrongUsage},
      {{"--lr-schedule", "step"}, "--lr-steps: got nothing, want epochs", kWrongUsage},
      {{"--lr-schedule", "step", "--lr-steps", "2,1"},
       "--lr-steps: got 2,1, want ascending numbers of epochs",
       kWrongUsage},
      {{"--clip-norm", "0"}, "--clip-norm: got 0, want a number above 0", kWrongUsage},
      {{"--delay-steps", "0"}, "--delay-steps: got 0, want a whole number from 1", kWrongUsage},
      {{"--device", "abacus"}, "--device: got abacus, want one of cpu", kWrongUsage},
      {{"--device", "synthetic"}, "--compute-ms: got nothing, want the millisec", kWrongUsage},
      {{"--device", "synthetic", "--compute-ms", "0"},
       "--compute-ms: got 0, want a number above 0",
       kWrongUsage},
      {{"--device", "synthetic", "--compute-ms", "1", "--compute-jitter", "101"},
       "--compute-jitter: got 101, want a number from 0 to 100",
       kWrongUsage},
      {{"--compute-ms", "5"},
       "--compute-ms: got 5 with device cpu, want it with device synthetic alone",
       kWrongUsage},
      {{"--compute-jitter", "0"}, "--compute-jitter: got 0 with device cpu, want it", kWrongUsage},
      {{"--nonsense", "1"}, "--nonsense: is no option (see odsgd train --help)", kWrongUsage},
      {{"extra"}, "extra: is one argument too many", kWrongUsage},
      {{"--lr", "0.1", "--lr", "0.2"}, "--lr: got several values, want one", kWrongUsage},
      {{"--lr"}, "--lr: got nothing, want a value", kWrongUsage},
      {{"--lr", "-1"}, "--lr: got -1, want a number above 0", kWrongUsage},
      {{"--lr", "nan"}, "--lr: got nan, want a number above 0", kWrongUsage},
      {{"--lr", "1e999"}, "--lr: got 1e999, want a number above 0", kWrongUsage},
      {{"--lr", "fast"}, "--lr: got fast, want a number above 0", kWrongUsage},
      {{"--momentum", "1"}, "--momentum: got 1, want a number from 0 to less", kWrongUsage},
      {{"--label-smoothing", "1"},
       "--label-smoothing: got 1, want a number from 0 to less",
       kWrongUsage},
      {{"--epochs", "0"}, "--epochs: got 0, want a whole number from 1", kWrongUsage},
      {{"--log-every", "1.5"}, "--log-every: got 1.5, want a whole number", kWrongUsage},
      {{"--seed", "9223372036854775808"}, "--seed: got 9223372036854775808, want", kWrongUsage},
      {{"--servers", "some"}, "--servers: got some, want a whole number from 1", kWrongUsage},
      {{"--batch-per-worker", "300"}, "--batch-per-worker: got 300", kFailed},
      {{"--config", "missing.toml"}, "--config: cannot read missing.toml", kWrongUsage},
      {{"--config", "unknown-key.toml"},
       "unknown-key.toml:2: learning-rate is no option of odsgd train",
       kWrongUsage},
      {{"--config", "wrong-type.toml"},
       "wrong-type.toml:2: --epochs: got many, want a whole number",
       kWrongUsage},
      {{"--config", "no-toml.toml"},
       "no-toml.toml:1: train: got a table, want a string",
       kWrongUsage},
      {{"--output", "exists"}, "--output exists: exists already", kFailed},
      {{"--output", "file"}, "--output file: exists already", kFailed},
      {{"--output", "file/out"}, "/file is not a directory", kFailed},
      {{"--output", "/proc/odsgd-out"}, "--output /proc/odsgd-out: cannot be created", kFailed},
      {{"--output", ""}, "--output: got nothing, want a directory to create", kWrongUsage},
  };
}

std::vector<BadCommand> bad_samples() {
  return {
      {{"--data", "float-images.h5"}, "float-images.h5: /train/images", kFailed},
      {{"--data", "label-10.h5"}, "label-10.h5: /train/labels", kFailed},
  };
}

}  // namespace odsgd::test
