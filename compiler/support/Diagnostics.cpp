#include "support/Diagnostics.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace clm {

namespace {

constexpr std::array diagnosticNames = {
#define CLM_DIAGNOSTIC(name) std::string_view(#name),
#include "support/Diagnostics.def"
#undef CLM_DIAGNOSTIC
};

/// A source line as a terminal can show it, and the caret line below it.
struct Excerpt {
  std::string text;
  std::string marker;
};

/// Cuts a window of at most 160 columns out of `line` around the byte columns [begin, end), zero-based. Bytes that are
/// no printable character become `?`.
Excerpt makeExcerpt(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::size_t maximalColumns = 160;
  constexpr std::size_t context = 60;
  Excerpt excerpt;
  std::size_t offset = 0;
  if (line.size() > maximalColumns && begin > context) {
    offset = begin - context;
    while (offset < begin && utf8Length(line, offset) == 0)
      ++offset;
    excerpt = {"...", "   "};
  }
  for (std::size_t column = 0; offset < line.size() && column < maximalColumns; ++column) {
    std::size_t length = utf8Length(line, offset);
    auto byte = static_cast<unsigned char>(line[offset]);
    bool isTab = byte == '\t';
    bool isPrintable = length > 0 && (isTab || (byte >= 0x20 && byte != 0x7F));
    excerpt.text += isPrintable ? line.substr(offset, length) : "?";
    if (offset < begin)
      excerpt.marker += isTab ? '\t' : ' ';
    else if (offset == begin || offset < end)
      excerpt.marker += offset == begin ? '^' : '~';
    offset += std::max<std::size_t>(length, 1);
  }
  if (offset < line.size())
    excerpt.text += "...";
  else if (begin >= line.size())
    excerpt.marker += '^';
  return excerpt;
}

void renderPlace(const SourceManager &sources, SourceRange range, std::string_view kind, std::string_view message,
                 std::string &out) {
  if (!range.isValid()) {
    fmt::format_to(std::back_inserter(out), "{}: {}\n", kind, message);
    return;
  }
  LineColumn place = sources.lineColumn(range.file, range.begin);
  std::string_view line = sources.line(range.file, place.line);
  std::size_t begin = place.column - 1;
  Excerpt excerpt = makeExcerpt(line, begin, begin + (range.end - std::min(range.begin, range.end)));
  fmt::format_to(std::back_inserter(out), "{}:{}:{}: {}: {}\n{:5} | {}\n{:5} | {}\n", sources.path(range.file),
                 place.line, place.column, kind, message, place.line, excerpt.text, "", excerpt.marker);
}

std::string_view severityName(Severity severity) { return severity == Severity::Error ? "error" : "warning"; }

nlohmann::ordered_json placeToJson(const SourceManager &sources, SourceRange range) {
  if (!range.isValid())
    return {{"file", nullptr}, {"line", nullptr}, {"column", nullptr}, {"endLine", nullptr}, {"endColumn", nullptr}};
  LineColumn begin = sources.lineColumn(range.file, range.begin);
  LineColumn end = sources.lineColumn(range.file, std::max(range.begin, range.end));
  return {{"file", sources.path(range.file)},
          {"line", begin.line},
          {"column", begin.column},
          {"endLine", end.line},
          {"endColumn", end.column}};
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
std::size_t editDistance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> cost(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i)
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      std::size_t replaced = cost[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[left.size()][right.size()];
}

} // namespace

Diagnostic &DiagnosticEngine::error(SourceRange range, Diag id, std::string message) {
  ++errorCount;
  return diagnostics.emplace_back(Diagnostic{id, Severity::Error, range, std::move(message), {}, {}});
}

Diagnostic &DiagnosticEngine::warning(SourceRange range, Diag id, std::string message) {
  return diagnostics.emplace_back(Diagnostic{id, Severity::Warning, range, std::move(message), {}, {}});
}

std::string DiagnosticEngine::renderText() const {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics) {
    renderPlace(sources, diagnostic.range, severityName(diagnostic.severity), diagnostic.message, out);
    for (const DiagnosticNote &note : diagnostic.notes)
      renderPlace(sources, note.range, "note", note.message, out);
    if (!diagnostic.hint.empty())
      fmt::format_to(std::back_inserter(out), "help: {}\n", diagnostic.hint);
  }
  return out;
}

std::string DiagnosticEngine::renderJson() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic &diagnostic : diagnostics) {
    nlohmann::ordered_json entry = {{"id", diagnosticName(diagnostic.id)},
                                    {"severity", severityName(diagnostic.severity)}};
    entry.update(placeToJson(sources, diagnostic.range));
    entry["message"] = diagnostic.message;
    entry["notes"] = nlohmann::ordered_json::array();
    for (const DiagnosticNote &note : diagnostic.notes) {
      nlohmann::ordered_json place = placeToJson(sources, note.range);
      place["message"] = note.message;
      entry["notes"].push_back(std::move(place));
    }
    entry["hint"] = diagnostic.hint;
    list.push_back(std::move(entry));
  }
  // A message may quote bytes of the command line that are no UTF-8; JSON cannot carry them.
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string_view diagnosticName(Diag id) { return diagnosticNames[static_cast<std::size_t>(id)]; }

std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  std::size_t best = std::max<std::size_t>(1, name.size() / 3);
  std::string nearest;
  for (const std::string &candidate : candidates) {
    std::size_t difference = std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
    if (difference > best || candidate == name)
      continue;
    std::size_t distance = editDistance(name, candidate);
    // A name of one letter is at distance 1 from every other: nothing to suggest.
    bool isNear = nearest.empty() ? distance <= best : distance < best;
    if (!isNear || distance >= std::max(name.size(), candidate.size()))
      continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

} // namespace clm
