#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace odsgd {

class Dataset;

/// What is in a data set, for people and for scripts.
std::string data_to_text(const Dataset& data);
nlohmann::json data_to_json(const Dataset& data);

}  // namespace odsgd
