#include "sema/Sema.h"

#include "sema/MethodElaborator.h"
#include "sema/ModelVerifier.h"
#include "sema/ModuleLoader.h"

#include <algorithm>

namespace clm::sema {

namespace {

using Kind = MethodElaborator::Kind;

/// Order in which functions are elaborated. First values come last: by then all heads that a loss or the prediction
/// uses are known.
constexpr Kind elaborationOrder[] = {Kind::Structure,  Kind::Step,   Kind::Evaluate, Kind::Predict,
                                     Kind::Accumulate, Kind::Finish, Kind::Init,     Kind::Arrive};
constexpr Kind modelOrder[] = {Kind::Init,    Kind::Arrive,     Kind::Step,  Kind::Evaluate,
                               Kind::Predict, Kind::Accumulate, Kind::Finish};

/// Settings that something was decided by are constants of the compiled functions.
void fixSettings(ModelTables &tables) {
  std::map<std::string, double> fixed;
  for (int index : tables.fixedSettings) {
    Setting &setting = tables.model.settings[static_cast<std::size_t>(index)];
    setting.fixed = true;
    fixed[setting.name] = setting.value;
  }
  for (Function &function : tables.model.functions)
    for (Node &node : function.nodes) {
      auto found = node.op == Op::Scalar ? fixed.find(node.symbol) : fixed.end();
      if (found == fixed.end())
        continue;
      node.op = Op::Constant;
      node.number = found->second;
      node.symbol.clear();
    }
}

void elaborateFunctions(const ModelSpec &spec, ModelTables &tables, Reporter &reporter) {
  std::map<Kind, Function> built;
  for (Kind kind : elaborationOrder)
    if (std::optional<Function> function = MethodElaborator(spec, tables, reporter, kind).run())
      built.emplace(kind, std::move(*function));
  for (Kind kind : modelOrder)
    if (auto found = built.find(kind); found != built.end())
      tables.model.functions.push_back(std::move(found->second));
  if (built.count(Kind::Accumulate))
    tables.model.passes = {DataPass{}};
}

} // namespace

std::optional<Model> analyze(SourceManager &sources, const std::string &path, const SemaOptions &options,
                             DiagnosticEngine &diagnostics, std::string *violation) {
  Reporter reporter(diagnostics);
  ModuleLoader loader(sources, options.standardLibrary, reporter);
  ModelTables tables;
  const Module *module = loader.load(path);
  std::optional<ModelSpec> spec = module ? readModel(*module, options, tables, reporter) : std::nullopt;
  if (spec)
    elaborateFunctions(*spec, tables, reporter);
  bool failed = !spec || reporter.hasErrors();
  reporter.flush();
  if (failed)
    return std::nullopt;
  fixSettings(tables);
  if (std::string found = verify(tables.model); !found.empty()) {
    if (violation)
      *violation = std::move(found);
    return std::nullopt;
  }
  return std::move(tables.model);
}

} // namespace clm::sema
