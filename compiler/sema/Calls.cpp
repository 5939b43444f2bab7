/// \file
/// Calls: arguments, configurations, bodies of layers, networks and functions.
#include "sema/Elaborator.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace clm::sema {

using namespace syntax;

namespace {

constexpr std::size_t maximalCallDepth = 64;
/// So many of the calls around an error are told.
constexpr std::size_t maximalFrames = 4;

/// While it lives, a body is being run.
class ActiveBody {
public:
  ActiveBody(std::vector<const CallableDecl *> &bodies, const CallableDecl &body) : bodies(bodies) {
    bodies.push_back(&body);
  }
  ~ActiveBody() { bodies.pop_back(); }
  ActiveBody(const ActiveBody &) = delete;
  ActiveBody &operator=(const ActiveBody &) = delete;

private:
  std::vector<const CallableDecl *> &bodies;
};

std::vector<std::string> namesOf(const std::vector<ParameterDecl> &parameters) {
  std::vector<std::string> names;
  for (const ParameterDecl &parameter : parameters)
    names.push_back(parameter.name.text);
  return names;
}

std::string_view statementName(const Statement &statement) {
  if (std::holds_alternative<HeadDecl>(statement.node))
    return "head";
  if (std::holds_alternative<ScheduleDecl>(statement.node))
    return "schedule";
  if (std::holds_alternative<LossTerm>(statement.node))
    return "loss";
  if (std::holds_alternative<AssignStatement>(statement.node))
    return "assignment";
  if (std::holds_alternative<ForStatement>(statement.node))
    return "for";
  return "rule";
}

} // namespace

Value Elaborator::evaluateCall(const CallExpr &call, SourceRange range, Scope &scope) {
  Operand callee = operand(*call.callee, scope);
  if (const auto *reference = callee.value.as<BuiltinReference>())
    return callBuiltin(*reference->builtin, call, range, scope);
  if (!call.generators.empty() && !callee.value.is<Poison>()) {
    reporter.error(range, Diag::TypeMismatch, fmt::format("{} does not reduce over a range", describe(callee.value)))
        .help("`sum`, `mean`, `max` and `min` do");
    return poison();
  }
  if (const auto *callable = callee.value.as<CallableReference>()) {
    const CallableDecl &declaration = *callable->declaration;
    if (declaration.kind == CallableDecl::Kind::Network) {
      reporter.notSupported(range, "a network inside of a body");
      return poison();
    }
    if (declaration.hasConfiguration)
      return configure(*callable, call, range, scope);
    std::optional<std::vector<Operand>> inputs = inputsOf(declaration, call, range, scope);
    if (!inputs)
      return poison();
    if (declaration.kind == CallableDecl::Kind::Function)
      return callFunction(*callable, *inputs, range);
    Instance instance{&declaration,
                      callable->module,
                      {},
                      freshPath(scope.owner.path + "." + declaration.name.text),
                      scope.owner.perTask};
    return runInstance(instance, *inputs, range);
  }
  if (const auto *reference = callee.value.as<InstanceReference>()) {
    Instance instance = *reference->instance;
    std::optional<std::vector<Operand>> inputs = inputsOf(*instance.declaration, call, range, scope);
    if (!inputs)
      return poison();
    if (instance.path.empty()) {
      instance.path = freshPath(scope.owner.path + "." + instance.declaration->name.text);
      instance.perTask = scope.owner.perTask;
    }
    return runInstance(instance, *inputs, range);
  }
  if (callee.value.is<NetworkReference>()) {
    auto arguments = assignArguments({"x"}, 1, call, range, "the network", {});
    return arguments ? surroundings.callNetwork(operand(*(*arguments)[0]->value, scope), range) : poison();
  }
  if (callee.value.is<PerTaskValue>() || callee.value.is<Poison>())
    return arithmetic.mismatch(callee, "something that can be called");
  reporter.error(callee.range, Diag::NotCallable, fmt::format("{} cannot be called", describe(callee.value)));
  return poison();
}

/// The argument of each parameter, null where an optional one is absent.
std::optional<std::vector<const CallArgument *>>
Elaborator::assignArguments(const std::vector<std::string> &names, std::size_t required, const CallExpr &call,
                            SourceRange range, const std::string &callee, SourceRange declared) {
  std::vector<const CallArgument *> assigned(names.size(), nullptr);
  std::size_t next = 0;
  bool fits = true;
  auto fail = [&](SourceRange where, Diag id, std::string message) -> Diagnostic & {
    fits = false;
    Diagnostic &diagnostic = reporter.error(where, id, std::move(message));
    if (declared.isValid())
      diagnostic.note(declared, "declared here");
    return diagnostic;
  };
  for (const CallArgument &argument : call.arguments) {
    std::size_t position = next;
    if (argument.name) {
      position = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.name->text) - names.begin());
      if (position == names.size()) {
        Diagnostic &diagnostic = fail(argument.name->range, Diag::UnknownArgument,
                                      fmt::format("{} has no parameter `{}`", callee, argument.name->text));
        if (std::string nearest = nearestName(argument.name->text, names); !nearest.empty())
          diagnostic.help(fmt::format("did you mean `{}`?", nearest));
        continue;
      }
    } else if (++next > names.size()) {
      fail(argument.value->range, Diag::TooManyArguments,
           fmt::format("found {} arguments, {} takes {}", call.arguments.size(), callee, names.size()));
      break;
    }
    if (assigned[position])
      fail(argument.name ? argument.name->range : argument.value->range, Diag::DuplicateArgument,
           fmt::format("`{}` is given twice", names[position]));
    assigned[position] = &argument;
  }
  for (std::size_t i = 0; i < required && fits; ++i)
    if (!assigned[i])
      fail(range, Diag::MissingArgument, fmt::format("{} needs `{}`", callee, names[i]));
  return fits ? std::optional(assigned) : std::nullopt;
}

std::optional<std::vector<Operand>> Elaborator::inputsOf(const CallableDecl &declaration, const CallExpr &call,
                                                         SourceRange range, Scope &scope) {
  auto assigned = assignArguments(namesOf(declaration.inputs), declaration.inputs.size(), call, range,
                                  fmt::format("`{}`", declaration.name.text), declaration.name.range);
  std::vector<Operand> inputs;
  bool isPoisoned = !assigned;
  // What was written is checked even when the call does not fit.
  for (const CallArgument &argument : call.arguments)
    if (!assigned)
      operand(*argument.value, scope);
  for (const CallArgument *argument : assigned.value_or(std::vector<const CallArgument *>())) {
    inputs.push_back(operand(*argument->value, scope));
    isPoisoned |= inputs.back().value.is<Poison>();
  }
  return isPoisoned ? std::nullopt : std::optional(inputs);
}

Value Elaborator::configure(const CallableReference &callable, const CallExpr &call, SourceRange range, Scope &scope) {
  const std::vector<ParameterDecl> &parameters = callable.declaration->configuration;
  auto assigned =
      assignArguments(namesOf(parameters), 0, call, range, fmt::format("`{}`", callable.declaration->name.text),
                      callable.declaration->name.range);
  if (!assigned)
    return poison();
  Instance instance{callable.declaration, callable.module, {}, {}, false};
  Scope defaults(*callable.module, Owner{"file", false});
  bool isPoisoned = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterDecl &parameter = parameters[i];
    Value value = poison();
    if ((*assigned)[i] || parameter.defaultValue) {
      const Expr &written = (*assigned)[i] ? *(*assigned)[i]->value : *parameter.defaultValue;
      Operand given = operand(written, (*assigned)[i] ? scope : defaults);
      value = given.value;
      if (parameter.type && !value.is<Poison>())
        value = match(*parameter.type, given, defaults).value_or(poison());
    } else {
      reporter
          .error(range, Diag::MissingArgument,
                 fmt::format("`{}` needs `{}`", callable.declaration->name.text, parameter.name.text))
          .note(parameter.name.range, "declared here");
    }
    isPoisoned |= value.is<Poison>();
    defaults.bind(parameter.name.text, value, parameter.name.range);
    instance.configuration.emplace_back(parameter.name.text, std::move(value));
  }
  return isPoisoned ? poison() : Value{InstanceReference{std::make_shared<const Instance>(std::move(instance))}};
}

//===- Bodies -----------------------------------------------------------------------------------------------------===//

std::string Elaborator::freshPath(const std::string &base) {
  int count = ++uses[base];
  return count == 1 ? base : fmt::format("{}_{}", base, count);
}

Value Elaborator::nameInstance(Value value, const std::string &name, const Scope &scope) {
  const auto *reference = value.as<InstanceReference>();
  if (!reference || !reference->instance->path.empty())
    return value;
  Instance named = *reference->instance;
  named.path = freshPath(scope.owner.path + "." + name);
  named.perTask = scope.owner.perTask;
  return {InstanceReference{std::make_shared<const Instance>(std::move(named))}};
}

Value Elaborator::runInstance(const Instance &instance, const std::vector<Operand> &inputs, SourceRange range) {
  Scope scope(*instance.module, Owner{instance.path, instance.perTask});
  for (const auto &[name, value] : instance.configuration)
    scope.bind(name, value, instance.declaration->name.range);
  if (!bindInputs(*instance.declaration, inputs, scope))
    return poison();
  return runBody(*instance.declaration, scope, range);
}

Value Elaborator::callFunction(const CallableReference &callable, const std::vector<Operand> &inputs,
                               SourceRange range) {
  const CallableDecl &declaration = *callable.declaration;
  bool isTyped = std::any_of(declaration.inputs.begin(), declaration.inputs.end(),
                             [](const ParameterDecl &parameter) { return parameter.type && parameter.type->hasShape; });
  if (!isTyped && !declaration.derivativeNames)
    return applyFunction(callable, inputs, range);
  return arithmetic.forEachKey(inputs, range, [&](const std::vector<Operand> &ofKey) {
    return declaration.derivativeNames ? applyDerivativeFunction(callable, ofKey, range)
                                       : applyFunction(callable, ofKey, range);
  });
}

Value Elaborator::applyFunction(const CallableReference &callable, const std::vector<Operand> &inputs,
                                SourceRange range) {
  Scope scope(*callable.module, Owner{callable.declaration->name.text, false});
  if (!bindInputs(*callable.declaration, inputs, scope))
    return poison();
  return runBody(*callable.declaration, scope, range);
}

bool Elaborator::bindInputs(const CallableDecl &declaration, const std::vector<Operand> &inputs, Scope &scope) {
  bool fits = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ParameterDecl &parameter = declaration.inputs[i];
    Value value = inputs[i].value;
    if (parameter.type) {
      std::optional<Value> matched = match(*parameter.type, inputs[i], scope);
      fits &= matched.has_value();
      value = matched.value_or(poison());
    }
    if (scope.findHere(parameter.name.text) && !scope.findHere(parameter.name.text)->value.is<AxisReference>()) {
      reporter.error(parameter.name.range, Diag::Redeclared,
                     fmt::format("`{}` is declared twice", parameter.name.text));
      fits = false;
    }
    scope.bind(parameter.name.text, std::move(value), parameter.name.range);
  }
  return fits;
}

Value Elaborator::runBody(const CallableDecl &declaration, Scope &scope, SourceRange range) {
  if (std::find(activeBodies.begin(), activeBodies.end(), &declaration) != activeBodies.end()) {
    reporter
        .error(range.isValid() ? range : declaration.name.range, Diag::RecursiveCall,
               fmt::format("`{}` calls itself", declaration.name.text))
        .note(declaration.name.range, "declared here")
        .help("bodies are unrolled; there is no recursion");
    return poison();
  }
  if (activeBodies.size() >= maximalCallDepth) {
    exhaust(declaration.name.range, Diag::RecursionTooDeep,
            fmt::format("calls are nested more than {} deep", maximalCallDepth));
    return poison();
  }
  ActiveBody active(activeBodies, declaration);
  std::optional<Reporter::Frame> frame;
  if (activeBodies.size() <= maximalFrames)
    frame.emplace(reporter, range, declaration.name.text);
  for (const Statement &statement : declaration.body) {
    const auto *result = std::get_if<ReturnStatement>(&statement.node);
    if (!result) {
      runStatement(statement, declaration, scope);
      continue;
    }
    Operand value = operand(*result->value, scope);
    if (!declaration.result || value.value.is<Poison>())
      return value.value;
    if (value.value.is<FamilyValue>())
      return value.value;
    return match(*declaration.result, value, scope).value_or(poison());
  }
  reporter
      .error(declaration.name.range, Diag::MissingReturn, fmt::format("`{}` returns nothing", declaration.name.text))
      .help("end its body with `return value;`");
  return poison();
}

void Elaborator::runStatement(const Statement &statement, const CallableDecl &declaration, Scope &scope) {
  bool isFunction = declaration.kind == CallableDecl::Kind::Function;
  if (const auto *let = std::get_if<LetStatement>(&statement.node))
    return runLet(*let, scope);
  const auto *variable = std::get_if<VariableDecl>(&statement.node);
  const auto *site = std::get_if<SiteStatement>(&statement.node);
  if (variable && !isFunction) {
    if (variable->kind == VariableKind::Noise)
      return declareNoise(*variable, statement.range, scope);
    if (variable->kind == VariableKind::Param) {
      declare(variable->name, declareEntry(*variable, scope, EntryRole::Parameter), scope);
      return;
    }
    reporter.notSupported(statement.range, variable->kind == VariableKind::State ? "state of a layer" : "tokens");
    declare(variable->name, poison(), scope);
    return;
  }
  if (site && declaration.kind == CallableDecl::Kind::Network)
    return runSite(*site, statement.range, scope);
  std::string_view kind = variable ? "declaration" : (site ? "site" : statementName(statement));
  reporter
      .error(statement.range, Diag::MisplacedStatement,
             fmt::format("this {} cannot stand in the body of `{}`", kind, declaration.name.text))
      .help(isFunction ? "a function has `let` and `return` only"
                       : "a layer has `let`, `param`, `noise` and `return`; a network has `site` as well");
}

void Elaborator::runLet(const LetStatement &let, Scope &scope) {
  auto member = [&](Scope &inner, const Value &) {
    Operand value = operand(*let.value, inner);
    if (let.type && !value.value.is<Poison>())
      value.value = match(*let.type, value, inner).value_or(poison());
    return value.value;
  };
  if (let.indices.size() > 1) {
    reporter.notSupported(let.name.range, "a family over several ranges");
    declare(let.name, poison(), scope);
    return;
  }
  Value value = let.indices.empty() ? nameInstance(member(scope, poison()), let.name.text, scope)
                                    : family(let.indices.front(), scope, member);
  const auto *members = value.as<FamilyValue>();
  if (members && !let.indices.empty() && !members->family->members.empty() &&
      members->family->members.front().is<FamilyValue>()) {
    reporter.notSupported(let.name.range, "a family whose members are families");
    value = poison();
  }
  declare(let.name, std::move(value), scope);
}

void Elaborator::runSite(const SiteStatement &site, SourceRange range, Scope &scope) {
  Operand value = operand(*site.value, scope);
  if (value.value.is<Poison>()) {
    declare(site.name, poison(), scope);
    return;
  }
  // Names that the type binds belong to this site: another one has other `units`.
  Scope inner(&scope);
  std::optional<Value> matched = site.type ? match(*site.type, value, inner) : std::optional(value.value);
  std::optional<TensorValue> tensor = matched ? arithmetic.toFloat32({*matched, value.range}) : std::nullopt;
  if (!tensor) {
    declare(site.name, poison(), scope);
    return;
  }
  if (!tables.findSite(site.name.text))
    addSite(site, tensor->axes, inner);
  if (!declare(site.name, poison(), scope))
    return;
  builder.setRange(range);
  scope.bind(site.name.text, surroundings.attach(*tables.findSite(site.name.text), {Value{*tensor}, value.range}),
             site.name.range);
}

void Elaborator::addSite(const SiteStatement &site, const AxisList &axes, const Scope &typeScope) {
  auto info = std::make_unique<SiteInfo>(SiteInfo{site.name.text, axes, {}, site.name.range});
  if (site.type) {
    for (const ExprPtr &axis : site.type->axes) {
      const auto *name = axis ? std::get_if<NameExpr>(&axis->node) : nullptr;
      const Scope::Binding *binding = name ? typeScope.find(name->name) : nullptr;
      if (const auto *reference = binding ? binding->value.as<AxisReference>() : nullptr)
        info->names.emplace_back(name->name, reference->axis);
    }
  }
  tables.sites.push_back(std::move(info));
}

} // namespace clm::sema
