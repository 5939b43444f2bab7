#include "support/SourceLoader.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace clm {

namespace {

namespace fs = std::filesystem;

/// Name of the file in the same folder that the user may have meant, or an empty string.
std::string nearestFile(const fs::path &path) {
  std::error_code error;
  fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".clm")
      names.push_back(entry->path().filename().string());
  return nearestName(path.filename().string(), names);
}

void reportNotFound(const std::string &path, DiagnosticEngine &diagnostics, SourceRange importedAt) {
  Diagnostic &error = diagnostics.error(importedAt, Diag::FileNotFound, fmt::format("cannot find the file `{}`", path));
  if (std::string nearest = nearestFile(path); !nearest.empty())
    error.help(fmt::format("did you mean `{}`?", nearest));
}

/// Whole content, at most one byte more than the limit; nothing when it cannot be read.
std::optional<std::string> readLimited(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return std::nullopt;
  std::string text(maximalFileSize + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad())
    return std::nullopt;
  text.resize(static_cast<std::size_t>(stream.gcount()));
  text.shrink_to_fit();
  return text;
}

/// Offset of the first byte that no text file holds: NUL, or one that is not UTF-8.
std::optional<std::uint32_t> firstBadByte(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    std::size_t length = utf8Length(text, offset);
    if (length == 0 || text[offset] == '\0')
      return static_cast<std::uint32_t>(offset);
    offset += length;
  }
  return std::nullopt;
}

} // namespace

std::optional<FileId> loadSource(const std::string &path, SourceManager &sources, DiagnosticEngine &diagnostics,
                                 SourceRange importedAt) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    reportNotFound(path, diagnostics, importedAt);
    return std::nullopt;
  }
  if (fs::is_directory(status)) {
    diagnostics.error(importedAt, Diag::FileUnreadable, fmt::format("cannot read `{}`: it is a folder", path));
    return std::nullopt;
  }
  std::optional<std::string> text = readLimited(path);
  if (!text) {
    diagnostics.error(importedAt, Diag::FileUnreadable, fmt::format("cannot read the file `{}`", path))
        .help("check its permissions");
    return std::nullopt;
  }
  if (text->size() > maximalFileSize) {
    diagnostics
        .error(importedAt, Diag::FileTooLarge,
               fmt::format("the file `{}` is larger than {} MiB", path, maximalFileSize >> 20U))
        .help("is it a `.clm` file?");
    return std::nullopt;
  }
  if (text->starts_with("\xEF\xBB\xBF"))
    text->erase(0, 3);
  FileId file = sources.add(path, std::move(*text));
  std::optional<std::uint32_t> bad = firstBadByte(sources.text(file));
  if (!bad)
    return file;
  auto value = static_cast<unsigned char>(sources.text(file)[*bad]);
  Diagnostic &report = diagnostics.error({file, *bad, *bad + 1}, Diag::FileNotUtf8,
                                         fmt::format("found the byte 0x{:02X}, expected text in UTF-8", value));
  report.help("save the file with the encoding UTF-8; is it a `.clm` file?");
  if (importedAt.isValid())
    report.note(importedAt, "imported here");
  return std::nullopt;
}

} // namespace clm
