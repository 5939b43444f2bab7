/// \file
/// Reads `.clm` files from disk into a `SourceManager` and says what is wrong with those it cannot take.
#pragma once

#include "support/Diagnostics.h"

#include <cstddef>
#include <optional>
#include <string>

namespace clm {

/// Files above this size are refused; a hand-written one has a few thousand bytes.
inline constexpr std::size_t maximalFileSize = std::size_t{4} << 20;

/// Reads the file at `path` and adds it to `sources` under that path, without a byte order mark. Line ends stay as they
/// are. On failure reports FileNotFound, FileUnreadable, FileTooLarge or FileNotUtf8 and returns nothing.
/// `importedAt` is the place of the import that asked for the file; invalid for a file of the command line.
std::optional<FileId> loadSource(const std::string &path, SourceManager &sources, DiagnosticEngine &diagnostics,
                                 SourceRange importedAt = {});

} // namespace clm
