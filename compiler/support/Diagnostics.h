/// \file
/// Diagnostics with stable ids, places, notes and hints. Every id stands in `Diagnostics.def` and has a lit test.
///
/// Style: one lower-case fragment, no final period, quoted code in backticks, what was found before what was expected.
#pragma once

#include "support/SourceFile.h"

#include <string>
#include <string_view>
#include <vector>

namespace clm {

/// Kind of a diagnostic; the name is printed in JSON output and looked for by the tests.
enum class Diag {
#define CLM_DIAGNOSTIC(name) name,
#include "support/Diagnostics.def"
#undef CLM_DIAGNOSTIC
};

enum class Severity { Error, Warning };

/// A remark at a second place that explains the first ("declared here").
struct DiagnosticNote {
  SourceRange range;
  std::string message;
};

struct Diagnostic {
  Diag id;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::vector<DiagnosticNote> notes;
  /// What the user can do about it; empty when the message says it already.
  std::string hint;

  Diagnostic &note(SourceRange where, std::string text) {
    notes.push_back({where, std::move(text)});
    return *this;
  }
  Diagnostic &help(std::string text) {
    hint = std::move(text);
    return *this;
  }
};

/// Collects the diagnostics of one compilation.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources) : sources(sources) {}

  /// Reports an error. The reference is valid until the next report.
  Diagnostic &error(SourceRange range, Diag id, std::string message);
  Diagnostic &warning(SourceRange range, Diag id, std::string message);

  bool hasErrors() const { return errorCount > 0; }
  unsigned errors() const { return errorCount; }
  const std::vector<Diagnostic> &all() const { return diagnostics; }

  /// All diagnostics as text: `file:line:column: error: message`, the source line, a caret range, notes, the hint.
  std::string renderText() const;
  /// The same as one JSON array (id, severity, file, line, column, end line, end column, message, notes, hint).
  std::string renderJson() const;

private:
  const SourceManager &sources;
  std::vector<Diagnostic> diagnostics;
  unsigned errorCount = 0;
};

/// Stable name of a kind, as in `Diagnostics.def`.
std::string_view diagnosticName(Diag id);

/// The candidate nearest to `name` (edit distance at most a third of its length, at least 1), or an empty string.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

} // namespace clm
