/// \file
/// The model of an example, for tests of what sema makes of it.
#pragma once

#include "sema/Sema.h"

#include <gtest/gtest.h>

namespace clm::sema {

/// Analyzes `hat_digits.clm` with settings as `--set` gives them. An error fails the test and shows as an exception.
inline Model analyzeHat(std::vector<std::pair<std::string, std::string>> overrides = {}) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  SemaOptions options;
  options.standardLibrary = CLM_TEST_STDLIB;
  options.overrides = std::move(overrides);
  std::string violation;
  std::optional<Model> model =
      analyze(sources, std::string(CLM_TEST_EXAMPLES) + "/hat_digits.clm", options, diagnostics, &violation);
  EXPECT_EQ(diagnostics.renderText(), "");
  EXPECT_EQ(violation, "");
  return std::move(model).value();
}

inline Function *findFunction(Model &model, const std::string &name) {
  for (Function &function : model.functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

} // namespace clm::sema
