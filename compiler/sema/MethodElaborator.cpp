/// \file
/// The statements of a method, and the network under its masks.
#include "sema/MethodElaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

namespace {

/// Functions that see the network as it is in training. First values do too, so that every parameter is met.
bool isTraining(MethodElaborator::Kind kind) {
  using Kind = MethodElaborator::Kind;
  return kind == Kind::Structure || kind == Kind::Init || kind == Kind::Arrive || kind == Kind::Step;
}

} // namespace

std::string_view unsupportedStatement(const Statement &statement) {
  if (std::holds_alternative<NormDecl>(statement.node))
    return "`norm`";
  if (std::holds_alternative<AttendRule>(statement.node))
    return "`attend`";
  if (const auto *rule = std::get_if<FreezeRule>(&statement.node))
    return rule->kind == FreezeRule::Kind::Freeze ? "`freeze`"
                                                  : (rule->kind == FreezeRule::Kind::Thaw ? "`thaw`" : "`reinit`");
  if (std::holds_alternative<MemoryBlock>(statement.node))
    return "`memory`";
  if (std::holds_alternative<PretrainedRule>(statement.node))
    return "`pretrained`";
  if (std::holds_alternative<TrainBlock>(statement.node))
    return "`train` inside of a method";
  if (std::holds_alternative<std::unique_ptr<CallableDecl>>(statement.node))
    return "a layer that a method declares";
  if (const auto *variable = std::get_if<VariableDecl>(&statement.node))
    return variable->kind == VariableKind::Token ? "`token`"
                                                 : (variable->kind == VariableKind::Noise ? "`noise` of a method" : "");
  return "";
}

std::string_view functionName(MethodElaborator::Kind kind) {
  switch (kind) {
  case MethodElaborator::Kind::Structure:
    return "structure";
  case MethodElaborator::Kind::Init:
    return "init";
  case MethodElaborator::Kind::Arrive:
    return "arrive";
  case MethodElaborator::Kind::Step:
    return "step";
  case MethodElaborator::Kind::Evaluate:
    return "evaluate";
  case MethodElaborator::Kind::Predict:
    return "predict";
  case MethodElaborator::Kind::Accumulate:
    return "accumulate";
  case MethodElaborator::Kind::Finish:
    break;
  }
  return "finish";
}

MethodElaborator::MethodElaborator(const ModelSpec &spec, ModelTables &tables, Reporter &reporter, Kind kind)
    : spec(spec), tables(tables), reporter(reporter), kind(kind),
      elaborator(tables, reporter, builder, *this, isTraining(kind)),
      scope(*spec.methodModule, Owner{"method", false}) {
  function.name = functionName(kind);
}

bool MethodElaborator::evaluatesLosses() const {
  return kind == Kind::Init || kind == Kind::Arrive || kind == Kind::Step || kind == Kind::Evaluate;
}

std::optional<Function> MethodElaborator::run() {
  if (kind == Kind::Structure) {
    runNetwork({{builder.input(tables.inputAxes)}, spec.network->inputs.front().name.range}, {});
    return std::nullopt;
  }
  if (kind == Kind::Init) // parameters that neither a loss nor the prediction reaches have first values, too
    runNetwork({{builder.input(tables.inputAxes)}, spec.network->inputs.front().name.range}, {});
  std::size_t errorsBefore = reporter.errors();
  bindContext();
  findMasks();
  for (const Statement &statement : spec.method->body)
    runStatement(statement);
  checkCompleteness();
  if (kind == Kind::Step)
    runRules();
  bool isEmpty = (kind == Kind::Accumulate && dataPasses == 0) || (kind == Kind::Finish && updates.empty());
  // Functions before may have had errors; what this one is not given is told all the same.
  if (isEmpty || reporter.errors() > errorsBefore)
    return std::nullopt;
  return finish();
}

void MethodElaborator::bindConfiguration(const std::vector<ConfiguredParameter> &configuration, Scope &into) {
  for (const ConfiguredParameter &parameter : configuration) {
    const Setting &setting = tables.model.settings[static_cast<std::size_t>(parameter.setting)];
    Value value;
    if (setting.type == Setting::Type::Integer)
      value = {Integer{static_cast<std::int64_t>(setting.value)}};
    else if (setting.type == Setting::Type::Boolean)
      value = {Boolean{setting.value != 0}};
    else
      value = {builder.scalar(setting.name, KnownScalar{setting.value, {parameter.setting}})};
    into.bind(parameter.name, std::move(value), parameter.range);
  }
}

void MethodElaborator::bindContext() {
  bindConfiguration(spec.methodConfiguration, scope);
  const Identifier &network = spec.method->network;
  scope.bind(network.text, {NetworkReference{}}, network.range);
  scope.bind("t", {TaskReference{}}, network.range);
  scope.bind("x", {builder.input(tables.inputAxes)}, network.range);
  scope.bind("y", {builder.label(tables.inputAxes.front())}, network.range);
  scope.bind("classes", {ClassCount{}}, network.range);
}

//===- Network and sites ------------------------------------------------------------------------------------------===//

Value MethodElaborator::runNetwork(const Operand &input, SourceRange range) {
  // The names that a body gives depend on nothing outside: every run of the network is the same network.
  std::map<std::string, int> outer = elaborator.restartNames();
  Instance network{spec.network, spec.networkModule, {}, "net", false};
  Scope configuration(*spec.networkModule, Owner{"net", false});
  bindConfiguration(spec.networkConfiguration, configuration);
  for (const ConfiguredParameter &parameter : spec.networkConfiguration)
    network.configuration.emplace_back(parameter.name, configuration.findHere(parameter.name)->value);
  Value result = elaborator.runInstance(network, {input}, range);
  elaborator.resumeNames(std::move(outer));
  return result;
}

Value MethodElaborator::callNetwork(const Operand &input, SourceRange range) {
  if (inNetwork) {
    reporter.error(range, Diag::RecursiveCall, "a mask cannot be computed from the network that it gates");
    return poison();
  }
  if (input.value.is<Poison>())
    return poison();
  inNetwork = true;
  Value result = runNetwork(input, range);
  inNetwork = false;
  return result;
}

Value MethodElaborator::sites(SourceRange range) {
  std::vector<Value> sites;
  for (const std::unique_ptr<SiteInfo> &site : tables.sites)
    sites.push_back({SiteReference{site.get()}});
  if (sites.empty() && !reporter.hasErrors())
    reporter
        .error(spec.networkRange, Diag::NetworkWithoutSites,
               fmt::format("the network `{}` has no sites, which the method `{}` attaches to", spec.network->name.text,
                           spec.method->name.text))
        .note(range, "the method asks for them here")
        .note(spec.network->name.range, "the network is declared here")
        .help("write `site h = ...` instead of `let h = ...` in the network");
  return makeList(std::move(sites));
}

void MethodElaborator::findMasks() {
  for (const Statement &statement : spec.method->body) {
    const auto *rule = std::get_if<MaskRule>(&statement.node);
    if (!rule)
      continue;
    if (rule->generators.size() != 1) {
      reporter.notSupported(
          statement.range,
          "a mask that is not written for the sites of a range: `mask site.units by a[site] for site in net.sites`");
      continue;
    }
    elaborator.family(rule->generators.front(), scope, [&](Scope &inner, const Value &key) {
      const auto *site = key.as<SiteReference>();
      Operand target = elaborator.operand(*rule->target, inner);
      const auto *axis = target.value.as<AxisReference>();
      if (target.value.is<Poison>() || key.is<Poison>())
        return poison();
      if (!site || !axis || positionOf(axis->axis, site->site->axes) < 0 || !axis->axis->isFixed()) {
        reporter.error(rule->target->range, Diag::InvalidMask,
                       fmt::format("found {}, expected an axis of a site that holds units", describe(target.value)));
        return poison();
      }
      masks.push_back({rule, site->site, axis->axis});
      return key;
    });
  }
}

Value MethodElaborator::attach(const SiteInfo &site, const Operand &value) {
  TensorValue result = *value.value.as<TensorValue>();
  for (const Mask &mask : masks) {
    if (mask.site != &site)
      continue;
    Scope inner(&scope);
    const Generator &generator = mask.rule->generators.front();
    inner.bind(generator.variable.text, {SiteReference{&site}}, generator.variable.range);
    Operand factor = elaborator.operand(*mask.rule->factor, inner);
    std::optional<TensorValue> gate =
        factor.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toFloat32(factor);
    if (!gate)
      return poison();
    if (gate->axes != AxisList{mask.axis}) {
      reporter
          .error(
              factor.range, Diag::InvalidMask,
              fmt::format("the gate is {}; it must have the one axis {}", describe(factor.value), describe(mask.axis)))
          .note(mask.rule->target->range, "which this names");
      return poison();
    }
    builder.setRange(mask.rule->factor->range);
    result = builder.mask(result, *gate, mask.axis);
    addProbe("gate." + site.name, {*gate});
  }
  addProbe("site." + site.name, {result});
  return {result};
}

AxisList MethodElaborator::gatedAxes(const EntryInfo &entry) {
  AxisList gated;
  for (AxisRef axis : entry.axes) {
    bool isGated = std::any_of(masks.begin(), masks.end(), [&](const Mask &mask) { return mask.axis == axis; });
    for (AxisRef factor : axis->factors)
      if (std::any_of(masks.begin(), masks.end(), [&](const Mask &mask) { return mask.axis == factor; }))
        reporter.notSupported(entry.range, fmt::format("a gate on the axis {}, which was flattened into {}",
                                                       describe(factor), describe(axis)));
    if (isGated)
      gated.push_back(axis);
  }
  return gated;
}

//===- First values -----------------------------------------------------------------------------------------------===//

bool MethodElaborator::initializes(const EntryInfo &entry) {
  Kind wanted = entry.perTask ? Kind::Arrive : Kind::Init;
  return kind == wanted && initialized.insert(entry.index).second;
}

void MethodElaborator::setInitialValue(const EntryInfo &entry, const TensorValue &value) {
  updates[entry.index] = builder.align(value, entry.axes);
}

//===- Statements -------------------------------------------------------------------------------------------------===//

void MethodElaborator::runStatement(const Statement &statement) {
  SourceRange range = statement.range;
  if (const auto *let = std::get_if<LetStatement>(&statement.node)) {
    elaborator.runLet(*let, scope);
    if (const Scope::Binding *binding = scope.findHere(let->name.text))
      addProbe("let." + let->name.text, binding->value);
  } else if (const auto *block = std::get_if<ScopeBlock>(&statement.node)) {
    if (block->kind == ScopeBlock::Kind::PerTask)
      runPerTask(*block);
    else
      refuse(statement, block->kind == ScopeBlock::Kind::Shared ? "`shared`" : "`auxiliary`");
  } else if (const auto *variable = std::get_if<VariableDecl>(&statement.node);
             variable && variable->kind == VariableKind::State) {
    Scope inner(&scope);
    inner.owner.path.clear();
    elaborator.declare(variable->name, elaborator.declareEntry(*variable, inner, EntryRole::State), scope);
    states.insert(variable->name.text);
  } else if (const auto *schedule = std::get_if<ScheduleDecl>(&statement.node)) {
    runSchedule(*schedule);
  } else if (const auto *loss = std::get_if<LossTerm>(&statement.node)) {
    runLoss(*loss, range);
  } else if (const auto *prediction = std::get_if<PredictRule>(&statement.node)) {
    runPrediction(*prediction, range);
  } else if (const auto *hook = std::get_if<TaskHook>(&statement.node)) {
    if (hook->kind == TaskHook::Kind::Before)
      reporter.notSupported(range, "`before task`");
    else if (kind == Kind::Accumulate || kind == Kind::Finish)
      runHook(hook->body, scope);
  } else if (std::holds_alternative<syntax::GradientRule>(statement.node) ||
             std::holds_alternative<ClipRule>(statement.node) ||
             std::holds_alternative<syntax::ClampRule>(statement.node)) {
    rules.push_back(&statement);
  } else if (std::string_view unsupported = unsupportedStatement(statement); !unsupported.empty()) {
    refuse(statement, unsupported);
  } else if (!std::holds_alternative<MaskRule>(statement.node)) {
    bool isParameter =
        std::holds_alternative<VariableDecl>(statement.node) || std::holds_alternative<HeadDecl>(statement.node);
    Diagnostic &diagnostic =
        reporter.error(range, Diag::MisplacedStatement, "this cannot stand in the body of a method");
    bindPoison(statement);
    if (isParameter)
      diagnostic.help("what each task brings stands in `per task { ... }`");
    else if (std::holds_alternative<AssignStatement>(statement.node))
      diagnostic.help("state changes in `after task { ... }`");
  }
}

void MethodElaborator::refuse(const Statement &statement, std::string_view what) {
  reporter.notSupported(statement.range, what);
  bindPoison(statement);
}

/// What a refused statement would declare is known from then on, so that its uses are no further errors.
void MethodElaborator::bindPoison(const Statement &statement) {
  const Identifier *name = nullptr;
  if (const auto *variable = std::get_if<VariableDecl>(&statement.node))
    name = &variable->name;
  else if (const auto *head = std::get_if<HeadDecl>(&statement.node))
    name = &head->name;
  else if (const auto *norm = std::get_if<NormDecl>(&statement.node))
    name = &norm->name;
  else if (const auto *layer = std::get_if<std::unique_ptr<CallableDecl>>(&statement.node))
    name = &(*layer)->name;
  if (name)
    scope.bind(name->text, poison(), name->range);
  if (const auto *block = std::get_if<ScopeBlock>(&statement.node))
    for (const Statement &member : block->members)
      bindPoison(member);
}

void MethodElaborator::runPerTask(const ScopeBlock &block) {
  Scope inner(&scope);
  inner.owner = {"", true};
  for (const Statement &member : block.members) {
    const auto *variable = std::get_if<VariableDecl>(&member.node);
    bool isState = variable && variable->kind == VariableKind::State;
    if (const auto *head = std::get_if<HeadDecl>(&member.node)) {
      runHead(*head, inner);
    } else if (variable && (isState || variable->kind == VariableKind::Param)) {
      Value value = elaborator.declareEntry(*variable, inner, isState ? EntryRole::State : EntryRole::Parameter);
      if (!value.is<Poison>())
        value = {PerTaskValue{std::make_shared<const Value>(std::move(value)), variable->name.text}};
      elaborator.declare(variable->name, std::move(value), scope);
      if (isState)
        states.insert(variable->name.text);
    } else if (std::string_view unsupported = unsupportedStatement(member); !unsupported.empty()) {
      refuse(member, unsupported);
    } else {
      reporter.error(member.range, Diag::MisplacedStatement, "this cannot stand in `per task`")
          .help("a task brings `param`, `state` and `head`");
    }
  }
}

void MethodElaborator::runHead(const HeadDecl &head, Scope &inner) {
  Operand value = elaborator.operand(*head.value, inner);
  const auto *reference = value.value.as<InstanceReference>();
  if (!reference) {
    elaborator.declare(head.name, elaborator.arithmetic.mismatch(value, "a layer, such as `linear(classes)`"), scope);
    return;
  }
  Instance instance = *reference->instance;
  instance.path = head.name.text;
  instance.perTask = true;
  Value named{InstanceReference{std::make_shared<const Instance>(std::move(instance))}};
  elaborator.declare(head.name, {PerTaskValue{std::make_shared<const Value>(std::move(named)), head.name.text}}, scope);
}

void MethodElaborator::runSchedule(const ScheduleDecl &schedule) {
  bool usesEvalValue = !isTraining(kind) && schedule.evalValue;
  Operand value = elaborator.operand(usesEvalValue ? *schedule.evalValue : *schedule.value, scope);
  std::optional<TensorValue> scalar =
      value.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toTensor(value, ElementType::Float64);
  if (scalar && !scalar->axes.empty()) {
    elaborator.arithmetic.mismatch(value, "a scalar");
    scalar.reset();
  }
  elaborator.declare(schedule.name, scalar ? Value{*scalar} : poison(), scope);
  if (scalar)
    addProbe("schedule." + schedule.name.text, {*scalar});
}

void MethodElaborator::runLoss(const LossTerm &loss, SourceRange range) {
  auto [earlier, isNew] = lossPlaces.try_emplace(loss.name.text, range);
  if (!isNew)
    reporter.error(loss.name.range, Diag::Redeclared, fmt::format("there are two losses `{}`", loss.name.text))
        .note(earlier->second, "the first one is here")
        .help("name it: `loss name = value;`");
  if (!evaluatesLosses())
    return;
  Operand value = elaborator.operand(*loss.value, scope);
  std::optional<TensorValue> tensor = value.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toFloat32(value);
  if (!tensor)
    return;
  if (tensor->axes.empty())
    function.losses.push_back({loss.name.text, tensor->node});
  else
    reporter
        .error(value.range, Diag::LossNotScalar,
               fmt::format("the loss `{}` is {}; it must be a scalar", loss.name.text, describe(value.value)))
        .help("reduce it with `mean` or `sum`");
}

void MethodElaborator::runPrediction(const PredictRule &rule, SourceRange range) {
  if (rule.form.text == "class") {
    reporter.notSupported(range, "`predict class`");
    return;
  }
  if (rule.form.text != "task") {
    reporter.unknown(rule.form.range, Diag::UnknownName, fmt::format("there is no prediction of `{}`", rule.form.text),
                     rule.form.text, {"task", "class"});
    return;
  }
  if (predictionPlace)
    reporter.error(range, Diag::Redeclared, "the task's prediction is declared twice")
        .note(*predictionPlace, "declared here");
  predictionPlace = range;
  if (!evaluatesLosses() && kind != Kind::Predict)
    return;
  Operand value = elaborator.operand(*rule.value, scope);
  std::optional<TensorValue> tensor = value.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toFloat32(value);
  if (!tensor)
    return;
  const AxisList &axes = tensor->axes;
  bool fits = axes.size() == 2 && axes[0] == tables.inputAxes[0] && axes[1]->dimension.kind == Dimension::Kind::Classes;
  if (!fits)
    reporter.error(
        value.range, Diag::PredictionShape,
        fmt::format("the prediction is {}; it must be a score for each class, f32[B, classes]", describe(value.value)));
  else
    function.outputs.push_back({"logits", tensor->node});
}

void MethodElaborator::checkCompleteness() {
  const Identifier &name = spec.method->name;
  bool hadErrors = reporter.hasErrors();
  if (lossPlaces.empty())
    reporter.error(name.range, Diag::MissingLoss, fmt::format("the method `{}` has no loss", name.text))
        .help("write `loss cross_entropy(clf[t](net(x)), y);`");
  if (!predictionPlace && !hadErrors)
    reporter.error(name.range, Diag::MissingPrediction, fmt::format("the method `{}` predicts nothing", name.text))
        .help("write `predict task = clf[t](net(x));`");
}

void MethodElaborator::addProbe(const std::string &name, const Value &value) {
  if (kind != Kind::Step)
    return;
  if (const auto *family = value.as<FamilyValue>()) {
    for (std::size_t i = 0; i < family->family->keys.size(); ++i)
      addProbe(name + "." + keyName(family->family->keys[i]), family->family->members[i]);
    return;
  }
  const auto *tensor = value.as<TensorValue>();
  auto hasName = [&](const NamedNode &probe) { return probe.name == name; };
  if (tensor && std::none_of(function.probes.begin(), function.probes.end(), hasName))
    function.probes.push_back({name, tensor->node});
}

} // namespace clm::sema
