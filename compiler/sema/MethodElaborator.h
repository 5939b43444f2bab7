/// \file
/// Elaborates the method on the network for one function of the model. Every function sees the whole method; what
/// differs is the mode and what is collected: first values, losses, rules, updates.
#pragma once

#include "sema/Elaborator.h"
#include "sema/ModelSpec.h"

namespace clm::sema {

class MethodElaborator : private Surroundings {
public:
  enum class Kind {
    Structure, // the network alone, to find its parameters and sites
    Init,
    Arrive,
    Step,
    Evaluate,
    Predict,
    Accumulate,
    Finish,
  };

  MethodElaborator(const ModelSpec &spec, ModelTables &tables, Reporter &reporter, Kind kind);

  /// Elaborates and returns the function, or nothing when it would do nothing (no `after task`, no pass over data).
  std::optional<Function> run();

private:
  // Surroundings
  Value attach(const SiteInfo &site, const Operand &value) override;
  bool initializes(const EntryInfo &entry) override;
  void setInitialValue(const EntryInfo &entry, const TensorValue &value) override;
  Value callNetwork(const Operand &input, SourceRange range) override;
  Value sites(SourceRange range) override;
  AxisList gatedAxes(const EntryInfo &entry) override;
  Value dataPass(Arithmetic::Reduction reduction, const syntax::Expr &value, Scope &scope, SourceRange range) override;

  // MethodElaborator.cpp
  void bindContext();
  void bindConfiguration(const std::vector<ConfiguredParameter> &configuration, Scope &scope);
  Value runNetwork(const Operand &input, SourceRange range);
  void findMasks();
  void runStatement(const syntax::Statement &statement);
  void refuse(const syntax::Statement &statement, std::string_view what);
  void bindPoison(const syntax::Statement &statement);
  void runPerTask(const syntax::ScopeBlock &block);
  void runHead(const syntax::HeadDecl &head, Scope &scope);
  void runSchedule(const syntax::ScheduleDecl &schedule);
  void runLoss(const syntax::LossTerm &loss, SourceRange range);
  void runPrediction(const syntax::PredictRule &rule, SourceRange range);
  void checkCompleteness();
  void addProbe(const std::string &name, const Value &value);
  bool evaluatesLosses() const;

  // Rules.cpp
  std::optional<std::vector<const EntryInfo *>> ruleTargets(const syntax::Expr &target, Scope &scope);
  std::vector<std::int32_t> trainedEntries() const;
  void runRules();
  void runGradientRule(const syntax::GradientRule &rule, SourceRange range);
  void addScale(const EntryInfo &entry, const Operand &factor, SourceRange range);
  void runClipRule(const syntax::ClipRule &rule, SourceRange range, Scope &scope);
  void runClampRule(const syntax::ClampRule &rule);

  // Hooks.cpp
  void runHook(const std::vector<syntax::Statement> &body, Scope &scope);
  void runAssignment(const syntax::AssignStatement &assignment, Scope &scope);
  Value assign(const Value &target, const Operand &value, const syntax::AssignStatement &assignment);
  Value assignMember(const Value &current, std::vector<Operand> &path, const Operand &value,
                     const syntax::AssignStatement &assignment);
  Value passOver(Arithmetic::Reduction reduction, const Operand &value, const std::string &path);
  TensorValue accumulate(const std::string &path, const TensorValue &increment, SourceRange range);

  // Function.cpp
  Function finish();
  void checkLeaves(const Function &finished);

  struct Mask {
    const syntax::MaskRule *rule;
    const SiteInfo *site;
    AxisRef axis;
  };

  const ModelSpec &spec;
  ModelTables &tables;
  Reporter &reporter;
  Kind kind;
  FunctionBuilder builder;
  Elaborator elaborator;
  Scope scope;
  Function function;
  std::vector<Mask> masks;
  std::set<std::int32_t> initialized;
  /// Names that `after task` may assign to.
  std::set<std::string> states;
  std::vector<const syntax::Statement *> rules;
  std::map<std::string, SourceRange> lossPlaces;
  std::optional<SourceRange> predictionPlace;
  std::map<std::int32_t, NodeId> updates;
  bool inNetwork = false;
  bool inHook = false;
  int dataPasses = 0;
};

/// What to call a statement of the grammar that means nothing yet, or an empty text.
std::string_view unsupportedStatement(const syntax::Statement &statement);

/// Name of the function of that kind in the model.
std::string_view functionName(MethodElaborator::Kind kind);

} // namespace clm::sema
