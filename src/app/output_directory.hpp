#pragma once

#include <string>
#include <vector>

namespace odsgd {

/// Throws Error unless a directory of this path can be created: it must not exist, and its parent
/// must be writable.
void check_output_directory(const std::string& path);

/// Throws Error, which begins with the option's name, unless files can be written into this
/// directory: when it is not there yet, where its first parent that exists is.
void require_writable(const std::string& option, const std::string& path);

/// Creates it, with its parents. Throws Error when it exists by now or cannot be created.
void create_output_directory(const std::string& path);

/// Removes a directory just created that has come to nothing, with these files in it; parents stay,
/// and so does the directory when it holds anything else. Never throws.
void discard_output_directory(const std::string& path, const std::vector<std::string>& files);

/// Writes a new text file: whole, or Error and no file.
void write_text(const std::string& path, const std::string& text);

}  // namespace odsgd
