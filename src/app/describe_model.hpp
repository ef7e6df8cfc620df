#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace odsgd {

struct DatasetInfo;

/// The layers of a built-in model on images of this data set, for people and for scripts. Throws
/// Error when there is no such model or the images do not fit it.
std::string model_to_text(const std::string& name, const DatasetInfo& data);
nlohmann::json model_to_json(const std::string& name, const DatasetInfo& data);

}  // namespace odsgd
