/// \file
/// Reading data files whole, with messages for people. Not for other folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clm::runtime {

/// Content of a file, unpacked when it is gzip. At most `limit` bytes are read, so that a caller who expects a size
/// sees one byte too many instead of a huge allocation. Throws UserError when it cannot be read or its compressed data
/// is damaged.
std::vector<std::uint8_t> readDataFile(const std::filesystem::path &path, std::uint64_t limit);

/// The first of `folders` that contains `file` or `file`.gz, or an empty path.
std::filesystem::path findFolderWith(const std::vector<std::filesystem::path> &folders, const std::string &file);

/// `folder`/`file` or `folder`/`file`.gz, whichever exists. Throws UserError when neither does.
std::filesystem::path requireDataFile(const std::filesystem::path &folder, const std::string &file);

/// Throws the message for a data set of which nothing was found. `wanted` names the files and where to get them.
[[noreturn]] void failNotFound(const std::string &dataset, const std::vector<std::filesystem::path> &folders,
                               const std::string &wanted);

} // namespace clm::runtime
