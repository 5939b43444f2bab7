#include "runtime/data/Files.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

namespace fs = std::filesystem;

namespace clm::runtime {
namespace {

struct CloseFile {
  void operator()(gzFile file) const { gzclose(file); }
};

bool isFile(const fs::path &path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

} // namespace

std::vector<std::uint8_t> readDataFile(const fs::path &path, std::uint64_t limit) {
  // zlib reads files that are not compressed as they are.
  std::unique_ptr<gzFile_s, CloseFile> file(gzopen(path.c_str(), "rb"));
  if (!file || !isFile(path))
    throw UserError(fmt::format("cannot read `{}`; check that it is a file and its permissions", path.string()));
  std::vector<std::uint8_t> content;
  constexpr std::size_t chunk = 1 << 20;
  while (content.size() < limit) {
    std::size_t wanted = std::min<std::uint64_t>(chunk, limit - content.size());
    std::size_t before = content.size();
    content.resize(before + wanted);
    int got = gzread(file.get(), content.data() + before, static_cast<unsigned>(wanted));
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (got < 0 || status == Z_BUF_ERROR || status == Z_DATA_ERROR)
      throw UserError(fmt::format("`{}` is cut short or damaged: its compressed data ends early or has a wrong "
                                  "checksum; get the file again",
                                  path.string()));
    content.resize(before + static_cast<std::size_t>(got));
    if (got == 0)
      break;
  }
  return content;
}

fs::path findFolderWith(const std::vector<fs::path> &folders, const std::string &file) {
  auto contains = [&](const fs::path &folder) { return isFile(folder / file) || isFile(folder / (file + ".gz")); };
  auto found = std::ranges::find_if(folders, contains);
  return found == folders.end() ? fs::path() : *found;
}

fs::path requireDataFile(const fs::path &folder, const std::string &file) {
  for (const std::string &name : {file, file + ".gz"}) {
    if (isFile(folder / name))
      return folder / name;
  }
  throw UserError(
      fmt::format("`{}` is missing in `{}`, where other files of the data set are; put it there (a `.gz` of "
                  "it will do)",
                  file, folder.string()));
}

void failNotFound(const std::string &dataset, const std::vector<fs::path> &folders, const std::string &wanted) {
  std::vector<std::string> places;
  places.reserve(folders.size());
  for (const fs::path &folder : folders)
    places.push_back(fmt::format("`{}`", folder.string()));
  throw UserError(fmt::format(
      "data set `{}` not found ({}); {}", dataset,
      places.empty() ? "no --data-dir was given" : fmt::format("looked in {}", fmt::join(places, ", ")), wanted));
}

} // namespace clm::runtime
