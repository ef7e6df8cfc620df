#pragma once

#include <string>
#include <vector>

namespace odsgd::test {

/// The paths ("/train/loss", "/@steps" for an attribute) at which two HDF5 files differ in
/// structure, type, shape or any bit of their content, one after the other; empty when they are the
/// same. Only what
/// lies under the paths `within` is compared, and nothing that lies under `without`.
std::string differences(const std::string& file, const std::string& other,
                        const std::vector<std::string>& within,
                        const std::vector<std::string>& without);

/// What the synchronous algorithms promise to be the same bits however ranks are laid out: weights,
/// training and evaluation, less what is measured.
std::string training_differences(const std::string& file, const std::string& other);

/// Everything less what is measured.
std::string run_differences(const std::string& file, const std::string& other);

}  // namespace odsgd::test
