#pragma once

#include <string>

namespace odsgd {

/// Throws Error unless a directory of this path can be created: it must not exist, and its parent
/// must be writable.
void check_output_directory(const std::string& path);

/// Creates it, with its parents. Throws Error when it exists by now or cannot be created.
void create_output_directory(const std::string& path);

/// Writes a new text file. Throws Error when it cannot be written whole.
void write_text(const std::string& path, const std::string& text);

}  // namespace odsgd
