#include "sema/Reporter.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

Diagnostic &Reporter::error(SourceRange range, Diag id, std::string message) {
  bool isNew = !range.isValid() || reported.insert({range.file, range.begin, range.end, id}).second;
  Diagnostic &diagnostic = isNew ? pending.emplace_back() : discarded;
  diagnostic = {id, Severity::Error, range, std::move(message), {}, {}};
  return diagnostic;
}

Diagnostic &Reporter::notSupported(SourceRange range, std::string_view what) {
  return error(range, Diag::NotSupportedYet, fmt::format("not supported yet: {}", what));
}

Diagnostic &Reporter::unknown(SourceRange range, Diag id, std::string message, std::string_view name,
                              const std::vector<std::string> &candidates) {
  Diagnostic &diagnostic = error(range, id, std::move(message));
  if (std::string nearest = nearestName(name, candidates); !nearest.empty())
    diagnostic.help(fmt::format("did you mean `{}`?", nearest));
  return diagnostic;
}

void Reporter::flush() {
  std::stable_sort(pending.begin(), pending.end(), [](const Diagnostic &left, const Diagnostic &right) {
    return std::tie(left.range.file, left.range.begin) < std::tie(right.range.file, right.range.begin);
  });
  for (Diagnostic &diagnostic : pending) {
    Diagnostic &handed = engine.error(diagnostic.range, diagnostic.id, {});
    handed = std::move(diagnostic);
  }
  pending.clear();
}

Reporter::Frame::Frame(Reporter &reporter, SourceRange range, std::string name)
    : reporter(reporter), range(range), name(std::move(name)), first(reporter.pending.size()) {}

Reporter::Frame::~Frame() {
  if (range.isValid())
    for (std::size_t i = first; i < reporter.pending.size(); ++i)
      reporter.pending[i].note(range, fmt::format("in the call of `{}` here", name));
}

} // namespace clm::sema
