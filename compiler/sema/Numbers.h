/// \file
/// Numbers as the command line writes them.
#pragma once

#include <optional>
#include <string>

namespace clm::sema {

/// The finite number that the whole text spells, in the C locale.
std::optional<double> parseNumber(const std::string &text);

} // namespace clm::sema
