/// \file
/// Expressions: names, members, indices, operators.
#include "sema/Elaborator.h"

#include "sema/ModuleLoader.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

namespace {

// Every nested expression costs stack, every evaluation time; a spec that a person wrote stays far below.
constexpr int maximalExpressionDepth = 1500;
constexpr std::int64_t maximalEvaluations = 2'000'000;

/// What the language has a grammar for but no meaning yet.
std::string_view unsupportedExpression(const Expr &expr) {
  if (std::holds_alternative<OverExpr>(expr.node))
    return "`over` outside of a reduction";
  if (std::holds_alternative<AtExpr>(expr.node))
    return "evaluation under another task or mode";
  if (std::holds_alternative<ForExpr>(expr.node))
    return "stacking with `for`";
  return "task ranges";
}

} // namespace

bool Elaborator::enter(SourceRange range) {
  if (tables.isExhausted)
    return false;
  if (expressionDepth > maximalExpressionDepth)
    return exhaust(range, Diag::RecursionTooDeep, "the expression is nested too deeply, through the bodies it calls");
  if (++evaluations > maximalEvaluations)
    return exhaust(range, Diag::ProgramTooLarge,
                   fmt::format("the spec unrolls to more than {} expressions", maximalEvaluations));
  return true;
}

/// Reports that a bound is exceeded. The rest of the spec is not evaluated and stays silent.
bool Elaborator::exhaust(SourceRange range, Diag id, std::string message) {
  if (!std::exchange(tables.isExhausted, true))
    reporter.error(range, id, std::move(message));
  return false;
}

Value Elaborator::evaluate(const Expr &expr, Scope &scope) {
  if (!enter(expr.range))
    return poison();
  ++expressionDepth;
  builder.setRange(expr.range);
  Value result = poison();
  if (const auto *number = std::get_if<NumberExpr>(&expr.node)) {
    if (!number->isInteger)
      result = {Real{number->value}};
    else if (number->value > static_cast<double>(std::int64_t{1} << 31))
      reporter.error(expr.range, Diag::IntegerOutOfRange, "the integer is beyond 2^31");
    else
      result = {Integer{static_cast<std::int64_t>(number->value)}};
  } else if (const auto *flag = std::get_if<BoolExpr>(&expr.node)) {
    result = {Boolean{flag->value}};
  } else if (const auto *text = std::get_if<StringExpr>(&expr.node)) {
    result = {Text{text->value}};
  } else if (const auto *name = std::get_if<NameExpr>(&expr.node)) {
    result = evaluateName(name->name, expr.range, scope);
  } else if (const auto *member = std::get_if<MemberExpr>(&expr.node)) {
    result = evaluateMember(*member, expr.range, scope);
  } else if (const auto *index = std::get_if<IndexExpr>(&expr.node)) {
    result = evaluateIndex(*index, expr.range, scope);
  } else if (const auto *call = std::get_if<CallExpr>(&expr.node)) {
    result = evaluateCall(*call, expr.range, scope);
  } else if (const auto *unary = std::get_if<UnaryExpr>(&expr.node)) {
    result = evaluateUnary(*unary, expr.range, scope);
  } else if (const auto *binary = std::get_if<BinaryExpr>(&expr.node)) {
    result = evaluateBinary(*binary, expr.range, scope);
  } else if (const auto *choice = std::get_if<IfExpr>(&expr.node)) {
    result = evaluateIf(*choice, scope);
  } else if (const auto *list = std::get_if<ListExpr>(&expr.node)) {
    std::vector<Value> elements;
    for (const ExprPtr &element : list->elements)
      elements.push_back(evaluate(*element, scope));
    result = makeList(std::move(elements));
  } else {
    reporter.notSupported(expr.range, unsupportedExpression(expr));
  }
  --expressionDepth;
  return result;
}

//===- Names ------------------------------------------------------------------------------------------------------===//

Value Elaborator::evaluateName(const std::string &name, SourceRange range, Scope &scope) {
  if (const Scope::Binding *binding = scope.find(name))
    return binding->value;
  const Module &module = scope.module();
  if (auto found = module.names.find(name); found != module.names.end())
    return evaluateGlobal(found->second, range);
  if (const Builtin *builtin = findBuiltin(name))
    return {BuiltinReference{builtin}};
  if (name == "training")
    return {Boolean{training}};
  if (name == "epoch")
    return {builder.scalar("epoch")};
  if (isPlannedName(name)) {
    reporter.notSupported(range, fmt::format("`{}`", name));
    return poison();
  }
  if (auto found = module.hidden.find(name); found != module.hidden.end()) {
    reporter.error(range, Diag::PrivateName, fmt::format("`{}` is private to its file", name))
        .note(found->second.range, "declared here");
    return poison();
  }
  std::vector<std::string> candidates = scope.visibleNames();
  for (std::string &builtin : builtinNames())
    candidates.push_back(std::move(builtin));
  reporter.unknown(range, Diag::UnknownName, fmt::format("unknown name `{}`", name), name, candidates);
  return poison();
}

Value Elaborator::evaluateGlobal(const Module::Name &name, SourceRange range) {
  const Declaration &declaration = *name.declaration;
  if (const auto *callable = std::get_if<std::unique_ptr<CallableDecl>>(&declaration.node))
    return {CallableReference{callable->get(), name.module}};
  const auto *let = std::get_if<LetStatement>(&declaration.node);
  if (!let) {
    reporter
        .error(range, Diag::TypeMismatch,
               fmt::format("found the method `{}`, expected a value", declaredName(declaration).name->text))
        .note(name.range, "declared here");
    return poison();
  }
  if (!let->indices.empty()) {
    reporter.notSupported(let->name.range, "a family at the top of a file");
    return poison();
  }
  if (!activeGlobals.insert(&declaration).second) {
    reporter.error(let->name.range, Diag::RecursiveCall, fmt::format("the value of `{}` needs itself", let->name.text));
    return poison();
  }
  Scope scope(*name.module, Owner{"file", false});
  Operand value = operand(*let->value, scope);
  if (let->type && !value.value.is<Poison>())
    value.value = match(*let->type, value, scope).value_or(poison());
  activeGlobals.erase(&declaration);
  return value.value;
}

//===- Members and indices ----------------------------------------------------------------------------------------===//

Value Elaborator::evaluateMember(const MemberExpr &member, SourceRange range, Scope &scope) {
  Operand base = operand(*member.base, scope);
  if (base.value.is<Poison>())
    return poison();
  std::vector<std::string> known;
  if (base.value.is<NetworkReference>()) {
    known = {"sites", "params"};
    if (member.member.text == "sites")
      return surroundings.sites(range);
    if (member.member.text == "params") {
      std::vector<Value> parameters;
      for (const EntryInfo *entry : tables.entries())
        if (entry->ofNetwork && entry->role == EntryRole::Parameter)
          parameters.push_back({EntryReference{entry}});
      return makeList(std::move(parameters));
    }
  } else if (const auto *reference = base.value.as<SiteReference>()) {
    return evaluateSiteMember(*reference->site, member.member);
  } else if (const auto *reference = base.value.as<EntryReference>()) {
    known = {"axes", "gated_axes"};
    bool isGated = member.member.text == "gated_axes";
    if (isGated || member.member.text == "axes") {
      std::vector<Value> axes;
      for (AxisRef axis : isGated ? surroundings.gatedAxes(*reference->entry) : reference->entry->axes)
        axes.push_back({AxisReference{axis}});
      return makeList(std::move(axes));
    }
  } else if (base.value.is<PerTaskValue>()) {
    return arithmetic.mismatch(base, "a value with members");
  }
  reporter.unknown(member.member.range, Diag::UnknownMember,
                   fmt::format("{} has no member `{}`", describe(base.value), member.member.text), member.member.text,
                   known);
  return poison();
}

Value Elaborator::evaluateSiteMember(const SiteInfo &site, const Identifier &member) {
  std::vector<std::string> names;
  for (const auto &[name, axis] : site.names) {
    if (name == member.text)
      return {AxisReference{axis}};
    names.push_back(name);
  }
  if (member.text == "input" || member.text == "producer") {
    reporter.notSupported(member.range, fmt::format("`{}` of a site", member.text));
    return poison();
  }
  reporter
      .unknown(member.range, Diag::UnknownMember,
               fmt::format("the site `{}` names no axis `{}`", site.name, member.text), member.text, names)
      .note(site.range,
            names.empty() ? "its type names none" : fmt::format("its type names {}", fmt::join(names, ", ")));
  return poison();
}

Value Elaborator::evaluateIndex(const IndexExpr &index, SourceRange range, Scope &scope) {
  Operand base = operand(*index.base, scope);
  for (const ExprPtr &written : index.indices) {
    Operand position = operand(*written, scope);
    base.value = indexOnce(base, position, range);
  }
  return base.value;
}

Value Elaborator::indexOnce(const Operand &base, const Operand &index, SourceRange range) {
  if (base.value.is<Poison>() || index.value.is<Poison>())
    return poison();
  if (const auto *perTask = base.value.as<PerTaskValue>()) {
    if (index.value.is<TaskReference>())
      return *perTask->inner;
    if (plainNumber(index.value)) {
      reporter.notSupported(index.range, "a task by its number; only the current task `t` can be named");
      return poison();
    }
    reporter
        .error(index.range, Diag::FreeTaskIndex,
               fmt::format("found {} where `{}` needs a task", describe(index.value), perTask->name))
        .help(fmt::format("write `{}[t]` first, for that of the current task", perTask->name));
    return poison();
  }
  if (const auto *family = base.value.as<FamilyValue>())
    return indexFamily(*family->family, base, index, range);
  if (const auto *list = base.value.as<ListValue>()) {
    std::optional<std::int64_t> position = arithmetic.toInteger(index, "a position, which is an integer");
    auto count = static_cast<std::int64_t>(list->elements->size());
    if (position && *position >= 0 && *position < count)
      return (*list->elements)[static_cast<std::size_t>(*position)];
    if (position)
      reporter.error(index.range, Diag::UnknownKey,
                     fmt::format("there is no element {}; the list has {}", *position, count));
    return poison();
  }
  if (base.value.is<TensorValue>() || base.value.is<EntryReference>()) {
    if (index.value.is<TaskReference>())
      reporter.error(index.range, Diag::TypeMismatch,
                     fmt::format("{} is shared by all tasks; it takes no task", describe(base.value)));
    else
      reporter.notSupported(range, "an element of a tensor");
    return poison();
  }
  return arithmetic.mismatch(base, "something that can be indexed");
}

Value Elaborator::indexFamily(const Family &family, const Operand &base, const Operand &index, SourceRange range) {
  std::vector<std::size_t> found;
  const auto *axis = index.value.as<AxisReference>();
  for (std::size_t i = 0; i < family.keys.size(); ++i) {
    const auto *site = family.keys[i].as<SiteReference>();
    bool isOnAxis = axis && site && positionOf(axis->axis, site->site->axes) >= 0;
    if (isOnAxis || (!axis && keyName(family.keys[i]) == keyName(index.value) && !keyName(index.value).empty()))
      found.push_back(i);
  }
  if (found.size() == 1)
    return family.members[found.front()];
  if (found.size() > 1) {
    reporter.notSupported(range, fmt::format("the axis {} lies at more than one site", describe(axis->axis)));
    return poison();
  }
  std::vector<std::string> keys;
  for (const Value &key : family.keys)
    keys.push_back("`" + keyName(key) + "`");
  Diagnostic &diagnostic = reporter.error(index.range, Diag::UnknownKey,
                                          fmt::format("the family has no member for {}", describe(index.value)));
  if (!keys.empty())
    diagnostic.note(base.range, fmt::format("its members belong to {}", fmt::join(keys, ", ")));
  return poison();
}

//===- Operators --------------------------------------------------------------------------------------------------===//

Value Elaborator::evaluateUnary(const UnaryExpr &unary, SourceRange range, Scope &scope) {
  Operand value = operand(*unary.operand, scope);
  if (unary.op == UnaryOperator::Negate)
    return arithmetic.negate(value, range);
  std::optional<bool> decision =
      value.value.is<Poison>() ? std::nullopt : arithmetic.toDecision(value, "a condition known when compiling");
  return decision ? Value{Boolean{!*decision}} : poison();
}

Value Elaborator::evaluateBinary(const BinaryExpr &binary, SourceRange range, Scope &scope) {
  if (binary.op == BinaryOperator::And || binary.op == BinaryOperator::Or)
    return evaluateLogic(binary, scope);
  Operand left = operand(*binary.left, scope);
  Operand right = operand(*binary.right, scope);
  switch (binary.op) {
  case BinaryOperator::Add:
    return arithmetic.apply(Op::Add, {left, right}, range);
  case BinaryOperator::Subtract:
    return arithmetic.apply(Op::Subtract, {left, right}, range);
  case BinaryOperator::Multiply:
    return arithmetic.apply(Op::Multiply, {left, right}, range);
  case BinaryOperator::Divide:
    return arithmetic.apply(Op::Divide, {left, right}, range);
  case BinaryOperator::Contract:
    return arithmetic.contract(left, right, range);
  default:
    break;
  }
  auto compare = [&](const char *predicate) {
    return arithmetic.apply(Op::Compare, {left, right}, range, Arithmetic::Outer::Refuse, predicate);
  };
  switch (binary.op) {
  case BinaryOperator::Less:
    return compare("lt");
  case BinaryOperator::LessEqual:
    return compare("le");
  case BinaryOperator::Greater:
    return compare("gt");
  case BinaryOperator::GreaterEqual:
    return compare("ge");
  case BinaryOperator::Equal:
    return compare("eq");
  default:
    return compare("ne");
  }
}

/// `and` and `or` of decisions. The right side counts only where the left one leaves it open.
Value Elaborator::evaluateLogic(const BinaryExpr &binary, Scope &scope) {
  Operand left = operand(*binary.left, scope);
  if (left.value.is<Poison>())
    return poison();
  std::optional<bool> decision = arithmetic.toDecision(left, "a condition known when compiling");
  if (!decision)
    return poison();
  if (*decision == (binary.op == BinaryOperator::Or))
    return {Boolean{*decision}};
  Operand right = operand(*binary.right, scope);
  if (right.value.is<Poison>())
    return poison();
  decision = arithmetic.toDecision(right, "a condition known when compiling");
  return decision ? Value{Boolean{*decision}} : poison();
}

Value Elaborator::evaluateIf(const IfExpr &choice, Scope &scope) {
  Operand condition = operand(*choice.condition, scope);
  if (condition.value.is<Poison>())
    return poison();
  std::optional<bool> decision = arithmetic.toDecision(condition, "a condition known when compiling");
  if (!decision)
    return poison();
  return evaluate(*decision ? *choice.thenValue : *choice.elseValue, scope);
}

//===- Ranges -----------------------------------------------------------------------------------------------------===//

std::optional<std::vector<Value>> Elaborator::elements(const Expr &range, Scope &scope) {
  Operand value = operand(range, scope);
  if (const auto *list = value.value.as<ListValue>())
    return *list->elements;
  arithmetic.mismatch(value, "a range such as `net.sites`");
  return std::nullopt;
}

Value Elaborator::family(const Generator &generator, Scope &scope,
                         const std::function<Value(Scope &, const Value &)> &member) {
  std::optional<std::vector<Value>> keys = elements(*generator.range, scope);
  if (!keys)
    return poison();
  std::vector<Value> members;
  for (const Value &key : *keys) {
    Scope inner(&scope);
    inner.bind(generator.variable.text, key, generator.variable.range);
    members.push_back(member(inner, key));
  }
  auto isPoison = [](const Value &value) { return value.is<Poison>(); };
  if (!members.empty() && std::all_of(members.begin(), members.end(), isPoison))
    return poison();
  return makeFamily(std::move(*keys), std::move(members));
}

} // namespace clm::sema
