/// \file
/// Source text of `.clm` files and ranges into it. Nothing here knows the grammar or MLIR.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clm {

/// Identifies a file of a `SourceManager`; -1 stands for "no file" (command line, built-in declarations).
using FileId = std::int32_t;

/// A half-open range of byte offsets in one file.
struct SourceRange {
  FileId file = -1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool isValid() const { return file >= 0; }
  /// Smallest range that covers both; both lie in the same file.
  static SourceRange join(SourceRange first, SourceRange last) { return {first.file, first.begin, last.end}; }
};

/// One-based line and column (column counts bytes, tabs as one), as editors and compilers print them.
struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
};

/// Owns the text of every file of one compilation.
class SourceManager {
public:
  /// Adds a file whose text is already in memory. `path` is what diagnostics print.
  FileId add(std::string path, std::string text);

  std::string_view path(FileId file) const { return files[file]->path; }
  std::string_view text(FileId file) const { return files[file]->text; }
  std::size_t size() const { return files.size(); }

  LineColumn lineColumn(FileId file, std::uint32_t offset) const;
  /// Text of a one-based line, without its line end.
  std::string_view line(FileId file, unsigned line) const;

private:
  struct File {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> lineStarts;
  };
  std::vector<std::unique_ptr<File>> files;
};

} // namespace clm
