#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "odsgd/record/run_result.hpp"

namespace odsgd {

/// A number of a RunResult under its name, in attributes and in JSON.
struct ResultField {
  std::string_view name;
  std::variant<std::int64_t RunResult::*, double RunResult::*> member;
  bool is_measured;  ///< depends on times
};

inline std::vector<ResultField> result_fields() {
  using R = RunResult;
  return {{"steps", &R::steps, false},
          {"samples", &R::samples, false},
          {"train_seconds", &R::train_seconds, true},
          {"images_per_s", &R::images_per_s, true},
          {"test_loss", &R::test_loss, false},
          {"test_top1", &R::test_top1, false},
          {"test_top5", &R::test_top5, false},
          {"hidden_share_min", &R::hidden_share_min, true},
          {"hidden_share_mean", &R::hidden_share_mean, true},
          {"hidden_share_max", &R::hidden_share_max, true},
          {"peak_memory_bytes", &R::peak_memory_bytes, true}};
}

}  // namespace odsgd
