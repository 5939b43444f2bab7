/// \file
/// Reads the `model` block: network, method, data, scenario, settings and their overrides.
#include "sema/MethodElaborator.h"
#include "sema/Numbers.h"
#include "sema/TrainPlanReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clm::sema {

using namespace syntax;

namespace {

/// Data sets whose samples have a known shape: channels, rows, columns.
const std::vector<std::pair<std::string, std::vector<std::int64_t>>> dataSets = {
    {"digits", {1, 8, 8}}, {"mnist", {1, 28, 28}}, {"cifar10", {3, 32, 32}}, {"cifar100", {3, 32, 32}}};

std::vector<std::string> dataSetNames() {
  std::vector<std::string> names;
  for (const auto &[name, shape] : dataSets)
    names.push_back(name);
  return names;
}

/// Surroundings of the model block, where there is neither network nor table yet.
class ModelSurroundings : public Surroundings {
public:
  explicit ModelSurroundings(Reporter &reporter) : reporter(reporter) {}

  Value attach(const SiteInfo &, const Operand &value) override { return value.value; }
  bool initializes(const EntryInfo &) override { return false; }
  void setInitialValue(const EntryInfo &, const TensorValue &) override {}
  Value callNetwork(const Operand &, SourceRange range) override { return refuse(range); }
  Value sites(SourceRange range) override { return refuse(range); }
  AxisList gatedAxes(const EntryInfo &) override { return {}; }
  Value dataPass(Arithmetic::Reduction, const Expr &, Scope &, SourceRange range) override { return refuse(range); }

private:
  Value refuse(SourceRange range) {
    reporter.error(range, Diag::TypeMismatch, "found a value of the trained model, expected a setting");
    return poison();
  }

  Reporter &reporter;
};

class ModelReader {
public:
  ModelReader(const Module &module, const SemaOptions &options, ModelTables &tables, Reporter &reporter)
      : options(options), tables(tables), reporter(reporter), surroundings(reporter),
        elaborator(tables, reporter, builder, surroundings, false), scope(module, Owner{"model", false}),
        train(tables.model.train, spec, elaborator, scope, reporter) {
    spec.module = &module;
  }

  std::optional<ModelSpec> read();

private:
  bool findModel();
  void readStatement(const Statement &statement);
  void readAssignment(const AssignStatement &assignment, SourceRange range);
  void readNetwork(const Expr &value);
  void readMethod(const Expr &value);
  /// The name that `name(...)` or `name` calls, its arguments, and what the file knows under it.
  struct Chosen {
    const Module::Name *declared = nullptr;
    const CallExpr *call = nullptr;
    std::string name;
    SourceRange range;
  };
  std::optional<Chosen> choose(const Expr &value, std::string_view kind);
  std::vector<ConfiguredParameter> configure(const std::vector<ParameterDecl> &parameters, const Chosen &chosen,
                                             const Module &module, const std::string &prefix);
  std::optional<sema::Setting> makeSetting(const ParameterDecl &parameter, const Operand &value,
                                           const std::string &name);
  void readData(const syntax::Setting &setting, SourceRange range);
  void readScenario(const syntax::Setting &setting, SourceRange range);
  void applyOverrides();
  void overrideSetting(sema::Setting &setting, const std::string &value);
  void setInputShape();
  void reportMissing();

  const SemaOptions &options;
  ModelTables &tables;
  Reporter &reporter;
  ModelSurroundings surroundings;
  FunctionBuilder builder;
  Elaborator elaborator;
  Scope scope;
  ModelSpec spec;
  TrainPlanReader train;
  const ModelDecl *model = nullptr;
  std::map<std::string, SourceRange> places;
  /// What the model does not name, and how to name it.
  std::vector<std::pair<std::string, std::string>> missing;
};

bool ModelReader::findModel() {
  for (const Declaration &declaration : spec.module->file.declarations)
    if (const auto *found = std::get_if<std::unique_ptr<ModelDecl>>(&declaration.node)) {
      model = found->get();
      spec.range = model->name ? model->name->range : declaration.range;
      break; // that there is a second one was reported
    }
  if (!model)
    reporter.error({spec.module->file.id, 0, 0}, Diag::NoModel, "the file has no model")
        .help("write `model name { data digits; net = ...; method = ...; }`");
  return model != nullptr;
}

std::optional<ModelSpec> ModelReader::read() {
  if (!findModel())
    return std::nullopt;
  tables.model.name = model->name ? model->name->text : "model";
  for (const Statement &statement : model->body)
    readStatement(statement);
  if (!places.count("net"))
    missing.push_back({"network", "`net = mlp();`"});
  if (!places.count("method"))
    missing.push_back({"method", "`method = finetune();`"});
  setInputShape();
  reportMissing();
  applyOverrides();
  train.check();
  bool isComplete = spec.network && spec.method && !tables.inputAxes.empty();
  return isComplete ? std::optional(std::move(spec)) : std::nullopt;
}

void ModelReader::readStatement(const Statement &statement) {
  SourceRange range = statement.range;
  if (const auto *assignment = std::get_if<AssignStatement>(&statement.node))
    return readAssignment(*assignment, range);
  if (const auto *block = std::get_if<TrainBlock>(&statement.node); block && !block->phase)
    return train.read(*block);
  if (std::holds_alternative<MemoryBlock>(statement.node)) {
    reporter.notSupported(range, "`memory`");
    return;
  }
  const auto *setting = std::get_if<syntax::Setting>(&statement.node);
  if (!setting) {
    reporter.error(range, Diag::MisplacedStatement, "this cannot stand in a model")
        .help("a model has `data`, `scenario`, `net`, `method` and `train`");
    return;
  }
  auto [earlier, isNew] = places.try_emplace(setting->name.text, range);
  if (!isNew)
    reporter.error(setting->name.range, Diag::Redeclared, fmt::format("`{}` is set twice", setting->name.text))
        .note(earlier->second, "set here");
  if (setting->name.text == "data")
    readData(*setting, range);
  else if (setting->name.text == "scenario")
    readScenario(*setting, range);
  else
    reporter.unknown(setting->name.range, Diag::UnknownSetting,
                     fmt::format("a model has no setting `{}`", setting->name.text), setting->name.text,
                     {"data", "scenario", "net", "method", "train"});
}

void ModelReader::readAssignment(const AssignStatement &assignment, SourceRange range) {
  const auto *target = std::get_if<NameExpr>(&assignment.target->node);
  std::string name = target ? target->name : "";
  auto [earlier, isNew] = places.try_emplace(name, range);
  if (!isNew)
    reporter.error(assignment.target->range, Diag::Redeclared, fmt::format("`{}` is set twice", name))
        .note(earlier->second, "set here");
  if (name == "net")
    readNetwork(*assignment.value);
  else if (name == "method")
    readMethod(*assignment.value);
  else
    reporter.unknown(assignment.target->range, Diag::UnknownSetting, "a model assigns `net` and `method` only", name,
                     {"net", "method"});
}

//===- Network and method -----------------------------------------------------------------------------------------===//

std::optional<ModelReader::Chosen> ModelReader::choose(const Expr &value, std::string_view kind) {
  Chosen chosen;
  chosen.call = std::get_if<CallExpr>(&value.node);
  const Expr &callee = chosen.call ? *chosen.call->callee : value;
  const auto *name = std::get_if<NameExpr>(&callee.node);
  chosen.range = value.range;
  if (!name) {
    reporter.error(value.range, Diag::TypeMismatch,
                   fmt::format("expected a {} with its configuration, `name(...)`", kind));
    return std::nullopt;
  }
  chosen.name = name->name;
  auto found = spec.module->names.find(name->name);
  if (found == spec.module->names.end()) {
    // Where the name means nothing at all, that is said instead.
    if (!elaborator.operand(callee, scope).value.is<Poison>())
      reporter.error(callee.range, Diag::TypeMismatch, fmt::format("`{}` is no {}", name->name, kind));
    return std::nullopt;
  }
  chosen.declared = &found->second;
  return chosen;
}

void ModelReader::readNetwork(const Expr &value) {
  std::optional<Chosen> chosen = choose(value, "network");
  if (!chosen)
    return;
  const auto *callable = std::get_if<std::unique_ptr<CallableDecl>>(&chosen->declared->declaration->node);
  if (!callable || (*callable)->kind != CallableDecl::Kind::Network) {
    reporter.error(chosen->range, Diag::TypeMismatch, fmt::format("`{}` is no network", chosen->name))
        .note(chosen->declared->range, "declared here");
    return;
  }
  if ((*callable)->inputs.size() != 1) {
    reporter.notSupported((*callable)->name.range, "a network with other inputs than the samples");
    return;
  }
  spec.network = callable->get();
  spec.networkModule = chosen->declared->module;
  spec.networkRange = chosen->range;
  spec.networkConfiguration = configure(spec.network->configuration, *chosen, *spec.networkModule, "net.");
}

void ModelReader::readMethod(const Expr &value) {
  std::optional<Chosen> chosen = choose(value, "method");
  if (!chosen)
    return;
  const auto *method = std::get_if<std::unique_ptr<MethodDecl>>(&chosen->declared->declaration->node);
  if (!method) {
    reporter.error(chosen->range, Diag::TypeMismatch, fmt::format("`{}` is no method", chosen->name))
        .note(chosen->declared->range, "declared here");
    return;
  }
  if ((*method)->constraint)
    reporter.notSupported((*method)->constraint->range, "a method that asks for a kind of network");
  spec.method = method->get();
  spec.methodModule = chosen->declared->module;
  spec.methodConfiguration = configure(spec.method->configuration, *chosen, *spec.methodModule, "method.");
}

std::vector<ConfiguredParameter> ModelReader::configure(const std::vector<ParameterDecl> &parameters,
                                                        const Chosen &chosen, const Module &module,
                                                        const std::string &prefix) {
  std::vector<std::string> names;
  for (const ParameterDecl &parameter : parameters)
    names.push_back(parameter.name.text);
  static const CallExpr noArguments;
  auto assigned = elaborator.assignArguments(names, 0, chosen.call ? *chosen.call : noArguments, chosen.range,
                                             fmt::format("`{}`", chosen.name), chosen.declared->range);
  std::vector<ConfiguredParameter> result;
  Scope defaults(module, Owner{"file", false});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterDecl &parameter = parameters[i];
    const CallArgument *argument = assigned ? (*assigned)[i] : nullptr;
    if (!argument && !parameter.defaultValue) {
      if (assigned)
        reporter
            .error(chosen.range, Diag::MissingArgument,
                   fmt::format("`{}` needs `{}`", chosen.name, parameter.name.text))
            .note(parameter.name.range, "declared here");
      continue;
    }
    Operand value =
        argument ? elaborator.operand(*argument->value, scope) : elaborator.operand(*parameter.defaultValue, defaults);
    std::optional<sema::Setting> setting = makeSetting(parameter, value, prefix + parameter.name.text);
    if (!setting)
      continue;
    setting->origin = argument ? "spec" : "default";
    defaults.bind(parameter.name.text, value.value, parameter.name.range);
    result.push_back({parameter.name.text, static_cast<int>(tables.model.settings.size()), parameter.name.range});
    tables.model.settings.push_back(std::move(*setting));
  }
  return result;
}

std::optional<sema::Setting> ModelReader::makeSetting(const ParameterDecl &parameter, const Operand &value,
                                                      const std::string &name) {
  std::string type = parameter.type && !parameter.type->hasShape ? parameter.type->element.text : "";
  sema::Setting setting;
  setting.name = name;
  if (type != "int" && type != "f32" && type != "bool") {
    reporter.error(
        parameter.name.range, Diag::MissingType,
        fmt::format("the configuration parameter `{}` needs a type: `int`, `f32` or `bool`", parameter.name.text));
    return std::nullopt;
  }
  if (value.value.is<Poison>())
    return std::nullopt;
  if (type == "bool") {
    std::optional<bool> flag = elaborator.arithmetic.toDecision(value, "`true` or `false`");
    setting.type = sema::Setting::Type::Boolean;
    setting.fixed = true;
    setting.value = flag.value_or(false) ? 1 : 0;
    return flag ? std::optional(setting) : std::nullopt;
  }
  if (type == "int") {
    std::optional<std::int64_t> number = elaborator.arithmetic.toInteger(value, "an integer");
    setting.type = sema::Setting::Type::Integer;
    setting.fixed = true;
    setting.value = static_cast<double>(number.value_or(0));
    return number ? std::optional(setting) : std::nullopt;
  }
  std::optional<double> number = elaborator.arithmetic.toNumber(value, "a number");
  setting.value = number.value_or(0);
  return number ? std::optional(setting) : std::nullopt;
}

//===- Data and scenario ------------------------------------------------------------------------------------------===//

void ModelReader::readData(const syntax::Setting &setting, SourceRange range) {
  const auto *name = setting.values.size() == 1 ? std::get_if<NameExpr>(&setting.values[0]->node) : nullptr;
  if (!name) {
    reporter.error(range, Diag::InvalidSetting, "write `data name;`, such as `data digits;`");
    return;
  }
  std::vector<std::string> known = dataSetNames();
  if (std::find(known.begin(), known.end(), name->name) == known.end())
    reporter.unknown(setting.values[0]->range, Diag::UnknownDataSet,
                     fmt::format("unknown data set `{}`; known are {}", name->name, fmt::join(known, ", ")), name->name,
                     known);
  tables.model.data = name->name;
}

void ModelReader::readScenario(const syntax::Setting &setting, SourceRange range) {
  const Expr *value = setting.values.size() == 1 ? setting.values[0].get() : nullptr;
  const auto *call = value ? std::get_if<CallExpr>(&value->node) : nullptr;
  const auto *name = value ? std::get_if<NameExpr>(call ? &call->callee->node : &value->node) : nullptr;
  if (!name) {
    reporter.error(range, Diag::InvalidSetting, "write `scenario task_incremental(tasks = 5);`");
    return;
  }
  if (name->name == "class_incremental" || name->name == "domain_incremental") {
    reporter.notSupported(range, fmt::format("the scenario `{}`", name->name));
    return;
  }
  if (name->name != "task_incremental")
    reporter.unknown(value->range, Diag::UnknownSetting, fmt::format("unknown scenario `{}`", name->name), name->name,
                     {"task_incremental", "class_incremental", "domain_incremental"});
  if (!call)
    return;
  auto assigned = elaborator.assignArguments({"tasks"}, 0, *call, value->range, fmt::format("`{}`", name->name), {});
  if (!assigned || !(*assigned)[0])
    return;
  Operand tasks = elaborator.operand(*(*assigned)[0]->value, scope);
  std::optional<std::int64_t> count =
      tasks.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toInteger(tasks, "a number of tasks, an integer");
  if (count && (*count < 1 || *count > 1'000'000))
    reporter.error(tasks.range, Diag::InvalidSetting,
                   fmt::format("`tasks` is {}; it must be an integer from 1 on", *count));
  tables.model.tasks = count.value_or(0);
}

void ModelReader::setInputShape() {
  std::vector<std::int64_t> shape;
  std::string data = options.data.value_or(tables.model.data);
  for (const auto &[name, known] : dataSets)
    if (name == data)
      shape = known;
  if (options.inputShape)
    shape = *options.inputShape;
  if (options.data && shape.empty()) {
    std::vector<std::string> known = dataSetNames();
    reporter.unknown({}, Diag::UnknownDataSet,
                     fmt::format("`--data {}`: unknown data set; known are {}", data, fmt::join(known, ", ")), data,
                     known);
    return;
  }
  if (shape.empty()) {
    if (!places.count("data"))
      missing.push_back({"data, which gives the shape of its input", "`data digits;`"});
    return;
  }
  bool fits = shape.size() == 3 &&
              std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size >= 1 && size <= 1 << 20; });
  if (!fits) {
    reporter.error(
        {}, Diag::InvalidSize,
        fmt::format("the input shape {} is not channels x rows x columns, each from 1 to 2^20", fmt::join(shape, "x")));
    return;
  }
  if (options.data)
    tables.model.data = *options.data;
  tables.model.inputShape = shape;
  tables.inputAxes = {tables.axes.named("B", {Dimension::Kind::Batch, -1}, {})};
  std::size_t position = 0;
  for (const char *name : {"channels", "rows", "columns"})
    tables.inputAxes.push_back(tables.axes.named(name, {Dimension::Kind::Fixed, shape[position++]}, {}));
}

void ModelReader::reportMissing() {
  if (missing.empty())
    return;
  std::vector<std::string> names, mends;
  for (const auto &[name, mend] : missing) {
    names.push_back("no " + name);
    mends.push_back(mend);
  }
  reporter.error(spec.range, Diag::IncompleteModel, fmt::format("the model names {}", fmt::join(names, ", ")))
      .help(fmt::format("write {}", fmt::join(mends, ", ")));
}

//===- Overrides --------------------------------------------------------------------------------------------------===//

void ModelReader::applyOverrides() {
  std::vector<std::string> known = TrainPlanReader::names();
  for (const sema::Setting &setting : tables.model.settings)
    known.push_back(setting.name);
  for (const auto &[name, value] : options.overrides) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      reporter.unknown({}, Diag::UnknownOverride,
                       fmt::format("`--set {}={}`: the model has no setting `{}`", name, value, name), name, known);
      continue;
    }
    if (name.rfind("train.", 0) == 0)
      train.override(name, value);
    for (sema::Setting &setting : tables.model.settings)
      if (setting.name == name)
        overrideSetting(setting, value);
  }
}

void ModelReader::overrideSetting(sema::Setting &setting, const std::string &value) {
  auto refuse = [&](std::string_view wanted) {
    reporter.error({}, Diag::InvalidOverride,
                   fmt::format("`--set {}={}`: the value must be {}", setting.name, value, wanted));
  };
  if (setting.type == sema::Setting::Type::Boolean) {
    if (value != "true" && value != "false")
      return refuse("`true` or `false`");
    setting.value = value == "true" ? 1 : 0;
  } else {
    std::optional<double> number = parseNumber(value);
    bool isInteger = setting.type == sema::Setting::Type::Integer;
    if (!number)
      return refuse(isInteger ? "an integer" : "a number");
    if (isInteger && (std::floor(*number) != *number || std::abs(*number) > static_cast<double>(std::int64_t{1} << 31)))
      return refuse("an integer up to 2^31");
    setting.value = *number;
  }
  setting.origin = "command line";
}

} // namespace

std::optional<ModelSpec> readModel(const Module &module, const SemaOptions &options, ModelTables &tables,
                                   Reporter &reporter) {
  return ModelReader(module, options, tables, reporter).read();
}

} // namespace clm::sema
