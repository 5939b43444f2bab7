/// \file
/// Collects what sema finds, each place and kind once: a layer is elaborated for every instance and every function of
/// the model, and would repeat its errors. Errors inside a called body say where the call stands.
#pragma once

#include "support/Diagnostics.h"

#include <deque>
#include <set>
#include <string_view>
#include <tuple>

namespace clm::sema {

class Reporter {
public:
  explicit Reporter(DiagnosticEngine &engine) : engine(engine) {}

  /// Reports an error; a repeated one goes to a diagnostic that nobody sees.
  Diagnostic &error(SourceRange range, Diag id, std::string message);
  /// Reports that the grammar's `what` has no meaning yet.
  Diagnostic &notSupported(SourceRange range, std::string_view what);
  /// Reports an unknown name with the nearest of `candidates`.
  Diagnostic &unknown(SourceRange range, Diag id, std::string message, std::string_view name,
                      const std::vector<std::string> &candidates);

  bool hasErrors() const { return !pending.empty() || engine.hasErrors(); }
  std::size_t errors() const { return pending.size(); }
  /// For stages that report by themselves.
  DiagnosticEngine &diagnostics() { return engine; }
  /// Hands everything over, in the order of the text.
  void flush();

  /// While it lives, errors are inside the body of `name`, called at `range`.
  class Frame {
  public:
    Frame(Reporter &reporter, SourceRange range, std::string name);
    ~Frame();
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;

  private:
    Reporter &reporter;
    SourceRange range;
    std::string name;
    std::size_t first;
  };

private:
  DiagnosticEngine &engine;
  std::deque<Diagnostic> pending;
  std::set<std::tuple<FileId, std::uint32_t, std::uint32_t, Diag>> reported;
  Diagnostic discarded{};
};

} // namespace clm::sema
