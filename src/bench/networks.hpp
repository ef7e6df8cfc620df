#pragma once

#include "odsgd/bench/network_table.hpp"

/// The networks whose sizes the benchmarks know; network_table.cpp lists them.
namespace odsgd::networks {

NetworkTable alexnet();
NetworkTable vgg16();
NetworkTable resnet50();
NetworkTable lenet();

}  // namespace odsgd::networks
