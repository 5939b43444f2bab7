/// \file
/// A checksum at the end of a compiled module, behind everything the loader reads. Machine code that changed on a disk
/// or in a copy would otherwise crash or, worse, compute something else.
#pragma once

#include <string>
#include <string_view>

namespace clm::runtime {

/// The bytes to append to a finished module with content `module`.
std::string sealOf(std::string_view module);

/// Compares a module with its seal. Empty when they agree, or when the file has none (modules linked by other means);
/// else what is wrong, as a fragment for a message.
std::string checkSeal(const std::string &path);

} // namespace clm::runtime
