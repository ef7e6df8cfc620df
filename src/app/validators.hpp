#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace odsgd {

// Checks of option values, in the words of the other errors: `got X, want Y`.

CLI::Validator whole_number(std::int64_t least, std::int64_t most);
CLI::Validator at_least(double least);
CLI::Validator positive();
CLI::Validator positive_up_to(double most);
CLI::Validator from_to(double least, double most);
CLI::Validator below_one();  ///< from 0
CLI::Validator one_of(const std::vector<std::string>& names);
CLI::Validator whole_number_or(int most, const std::string& word);  ///< from 1, or the word
CLI::Validator not_empty(const std::string& want);

}  // namespace odsgd
