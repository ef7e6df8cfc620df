#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace odsgd::prep {

struct MnistOptions {
  std::string input;   ///< directory with the four idx files
  std::string output;  ///< data file to write
  Existing existing = Existing::kKeep;
  std::string name = "mnist";
  std::vector<std::string> class_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
};

/// What was packed, to tell the user.
struct MnistSummary {
  std::size_t train_count = 0;
  std::size_t test_count = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  double mean = 0;  ///< of training pixels / 255
  double std = 0;
};

/// Packs a data set in the files of MNIST (also Fashion-MNIST, KMNIST, EMNIST) into a data file.
///
/// Looks for train-images-idx3-ubyte or train-images.idx3-ubyte, with or without .gz, likewise
/// train-labels (idx1), t10k-images and t10k-labels; the first that is there in this order is
/// taken. Throws Error when one is missing or damaged, or when they do not fit together; then
/// nothing is written.
MnistSummary pack_mnist(const MnistOptions& options);

}  // namespace odsgd::prep
