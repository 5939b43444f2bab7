/// \file
/// The little of UTF-8 that reading files and showing source lines needs.
#pragma once

#include <cstddef>
#include <string_view>

namespace clm {

/// Length in bytes (1 to 4) of the well-formed character at `offset`, or 0 when the bytes there are none (stray
/// continuation, overlong form, surrogate, cut off). `offset` lies inside `text`.
std::size_t utf8Length(std::string_view text, std::size_t offset);

/// Code point of the well-formed character at `offset`.
char32_t utf8CodePoint(std::string_view text, std::size_t offset);

} // namespace clm
