#pragma once

#include "odsgd/nn/model.hpp"

/// The built-in models, one file each; registry.cpp lists them.
namespace odsgd::models {

ModelSpec lenet();
ModelSpec mlp();

}  // namespace odsgd::models
