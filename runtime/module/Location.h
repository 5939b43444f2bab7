/// \file
/// Where the running programs' own files are, found relative to the runtime library so that an installation can be
/// moved.
#pragma once

#include <filesystem>

namespace clm::runtime {

/// Folder of the runtime library (`lib/`).
std::filesystem::path libraryFolder();

/// Folder of the standard library, which also holds the data sets that ship with it: the environment variable
/// CLM_STDLIB, else the first that exists of `stdlib`, `share/clm/stdlib` and their like near the library, else the
/// source tree this was built from. Empty when there is none.
std::filesystem::path standardLibraryFolder();

} // namespace clm::runtime
