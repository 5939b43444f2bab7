/// \file
/// Reads `train { ... }`.
#pragma once

#include "sema/Elaborator.h"
#include "sema/ModelSpec.h"

namespace clm::sema {

class TrainPlanReader {
public:
  TrainPlanReader(TrainPlan &plan, ModelSpec &spec, Elaborator &elaborator, Scope &scope, Reporter &reporter)
      : plan(plan), spec(spec), elaborator(elaborator), scope(scope), reporter(reporter) {}

  void read(const syntax::TrainBlock &block);
  /// Applies `--set train.name=value`; reports an unknown name or a value that does not fit.
  void override(const std::string &name, const std::string &value);
  /// Checks settings against each other, after all overrides.
  void check();

  static std::vector<std::string> names();

private:
  void readSetting(const syntax::Setting &setting, SourceRange range);
  void readOptimizer(const syntax::Setting &setting, SourceRange range);
  void readPlateau(const syntax::Setting &setting, SourceRange range);
  void readNumber(const std::string &name, const syntax::Expr &value);
  /// Stores a number under a setting's name when it lies in the setting's range; otherwise says what is allowed.
  std::string store(const std::string &name, double value);
  void setFlag(const syntax::Setting &setting, const std::string &name, bool &flag, SourceRange range);

  TrainPlan &plan;
  ModelSpec &spec;
  Elaborator &elaborator;
  Scope &scope;
  Reporter &reporter;
  std::map<std::string, SourceRange> places;
};

} // namespace clm::sema
