#include "support/SourceFile.h"

#include <algorithm>

namespace clm {

FileId SourceManager::add(std::string path, std::string text) {
  auto file = std::make_unique<File>(File{std::move(path), std::move(text), {0}});
  for (std::size_t i = 0; i < file->text.size(); ++i)
    if (file->text[i] == '\n')
      file->lineStarts.push_back(static_cast<std::uint32_t>(i + 1));
  files.push_back(std::move(file));
  return static_cast<FileId>(files.size() - 1);
}

LineColumn SourceManager::lineColumn(FileId file, std::uint32_t offset) const {
  const std::vector<std::uint32_t> &starts = files[file]->lineStarts;
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = static_cast<unsigned>(next - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceManager::line(FileId file, unsigned line) const {
  const File &source = *files[file];
  std::size_t begin = source.lineStarts[line - 1];
  std::size_t end = line < source.lineStarts.size() ? source.lineStarts[line] - 1 : source.text.size();
  std::string_view text = std::string_view(source.text).substr(begin, end - begin);
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

} // namespace clm
