/// \file
/// A checksum at the end of a compiled module, behind everything the loader reads. Machine code that changed on a disk
/// or in a copy would otherwise crash or, worse, compute something else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clm::runtime {

/// The bytes to append to a finished module with content `module`.
std::string sealOf(std::string_view module);

/// Compares a file whose module ends after `moduleBytes` with the seal behind it. Empty when they agree, or when
/// nothing follows (modules linked by other means); else what is wrong, as a fragment for a message.
std::string checkSeal(const std::string &path, std::uint64_t moduleBytes);

} // namespace clm::runtime
