#pragma once

#include <string>

#include "odsgd/base/error.hpp"

namespace odsgd::test {

/// The text of the Error that `call` throws; "no error" when it throws none.
template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Whether `text` holds `part`.
inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace odsgd::test
