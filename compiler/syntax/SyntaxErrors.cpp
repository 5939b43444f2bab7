#include "syntax/SyntaxErrors.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::syntax {

Diagnostic &SyntaxErrors::add(std::uint32_t begin, std::uint32_t end, Diag id, std::string message) {
  unsigned line = sources.lineColumn(file, begin).line;
  Diagnostic error{id, Severity::Error, {file, begin, end}, std::move(message), {}, {}};
  if (auto [entry, isNew] = byLine.try_emplace(line, std::move(error)); isNew)
    return entry->second;
  discarded = {};
  return discarded;
}

bool SyntaxErrors::has(Diag id) const {
  return std::any_of(byLine.begin(), byLine.end(), [&](const auto &entry) { return entry.second.id == id; });
}

void SyntaxErrors::report(DiagnosticEngine &diagnostics) const {
  std::size_t count = 0;
  for (const auto &[line, error] : byLine) {
    if (++count > maximalReported) {
      std::size_t hidden = byLine.size() - maximalReported;
      diagnostics
          .error(error.range, Diag::SyntaxError,
                 fmt::format("{}{} further error{} not shown", isHopeless() ? "more than " : "", hidden,
                             hidden == 1 ? " is" : "s are"))
          .help("mend the errors above first");
      return;
    }
    Diagnostic &reported = diagnostics.error(error.range, error.id, error.message);
    reported.notes = error.notes;
    reported.hint = error.hint;
  }
}

} // namespace clm::syntax
