/// \file
/// Collects the syntax errors of one file and reports those worth reading: one a line, in the order of the text, at
/// most twenty. Knows nothing of ANTLR.
#pragma once

#include "support/Diagnostics.h"

#include <map>
#include <string>

namespace clm::syntax {

class SyntaxErrors {
public:
  SyntaxErrors(const SourceManager &sources, FileId file) : sources(sources), file(file) {}

  /// Adds an error at the bytes [begin, end). The reference is to a discarded diagnostic when the line already has one:
  /// a second error there mostly follows from the first.
  Diagnostic &add(std::uint32_t begin, std::uint32_t end, Diag id, std::string message);

  bool empty() const { return byLine.empty(); }
  bool hasErrorOnLine(unsigned line) const { return byLine.count(line) > 0; }
  bool has(Diag id) const;
  /// True once so many lines are wrong that the text is no `.clm` file; reading on would only cost time.
  bool isHopeless() const { return byLine.size() >= hopelessLines; }

  /// Hands the errors over.
  void report(DiagnosticEngine &diagnostics) const;

  const SourceManager &sourceManager() const { return sources; }
  FileId fileId() const { return file; }

private:
  static constexpr std::size_t maximalReported = 20;
  static constexpr std::size_t hopelessLines = 1000;

  const SourceManager &sources;
  FileId file;
  std::map<unsigned, Diagnostic> byLine;
  Diagnostic discarded;
};

} // namespace clm::syntax
