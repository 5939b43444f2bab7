/// \file
/// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

namespace clm::runtime {

/// Lets `write` fill a file under a temporary name beside `path`, then renames it. Throws UserError, and leaves nothing
/// behind, when the folder cannot be written to or the disk is full.
void writeAtomically(const std::filesystem::path &path, const std::function<void(std::ostream &)> &write);

/// Creates `folder` (and those above it) and checks that files can be made in it. Throws UserError when not.
void prepareOutputFolder(const std::filesystem::path &folder);

} // namespace clm::runtime
