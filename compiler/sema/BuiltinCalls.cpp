/// \file
/// Calls of built-in functions.
#include "sema/Elaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

Value Elaborator::callBuiltin(const Builtin &builtin, const CallExpr &call, SourceRange range, Scope &scope) {
  using Kind = Builtin::Kind;
  std::string name = fmt::format("`{}`", builtin.name);
  bool reduces = builtin.kind == Kind::Extremum || builtin.kind == Kind::Total;
  if (!call.generators.empty()) {
    if (reduces)
      return reduceRange(builtin, call, range, scope);
    reporter.error(range, Diag::TypeMismatch, fmt::format("{} does not reduce over a range", name))
        .help("`sum`, `mean`, `max` and `min` do");
    return poison();
  }
  if (builtin.kind == Kind::Extremum)
    return callExtremum(builtin, call, range, scope);
  auto arguments = assignArguments(builtin.parameters, builtin.parameters.size(), call, range, name, {});
  if (!arguments)
    return poison();
  if (builtin.kind == Kind::Total)
    return reduceValue(builtin, *(*arguments)[0], range, scope);
  if (builtin.kind == Kind::Anneal)
    return anneal(*arguments, range, scope);
  std::vector<Operand> operands;
  for (const CallArgument *argument : *arguments) {
    operands.push_back(operand(*argument->value, scope));
    if (operands.back().value.is<Poison>())
      return poison();
  }
  switch (builtin.kind) {
  case Kind::Elementwise:
    return arithmetic.apply(builtin.op, operands, range);
  case Kind::Flatten:
    return arithmetic.forEachKey(operands, range, [&](const auto &ofKey) { return flatten(ofKey[0], range); });
  case Kind::OneHot:
    return oneHot(operands[0], operands[1], range);
  case Kind::Size:
    return size(operands[0], range);
  default: // Data
    break;
  }
  if (operands[0].value.is<TaskReference>())
    return {DataRange{}};
  return arithmetic.mismatch(operands[0], "the current task `t`");
}

//===- Reductions -------------------------------------------------------------------------------------------------===//

Value Elaborator::callExtremum(const Builtin &builtin, const CallExpr &call, SourceRange range, Scope &scope) {
  if (call.arguments.size() == 1 && !call.arguments[0].name)
    return reduceValue(builtin, call.arguments[0], range, scope);
  if (call.arguments.empty()) {
    reporter.error(range, Diag::MissingArgument, fmt::format("`{}` needs something to compare", builtin.name));
    return poison();
  }
  std::optional<Operand> result;
  for (const CallArgument &argument : call.arguments) {
    if (argument.name) {
      reporter.error(argument.name->range, Diag::UnknownArgument,
                     fmt::format("`{}` has no parameter `{}`", builtin.name, argument.name->text));
      return poison();
    }
    Operand next = operand(*argument.value, scope);
    result = result ? Operand{arithmetic.apply(builtin.op, {*result, next}, range), range} : next;
  }
  return result->value;
}

Value Elaborator::reduceValue(const Builtin &builtin, const CallArgument &argument, SourceRange range, Scope &scope) {
  const auto *over = std::get_if<OverExpr>(&argument.value->node);
  if (!over)
    return arithmetic.reduce(builtin.reduction, operand(*argument.value, scope), std::nullopt, range);
  Operand value = operand(*over->value, scope);
  std::optional<AxisList> axes = axesOf(over->axes, scope);
  return axes ? arithmetic.reduce(builtin.reduction, value, axes, range) : poison();
}

std::optional<AxisList> Elaborator::axesOf(const std::vector<ExprPtr> &axes, Scope &scope) {
  AxisList result;
  for (const ExprPtr &written : axes) {
    const auto *name = std::get_if<NameExpr>(&written->node);
    AxisRef axis = name ? scope.axisOf(name->name) : nullptr;
    if (!axis) {
      Operand value = operand(*written, scope);
      if (const auto *reference = value.value.as<AxisReference>())
        axis = reference->axis;
      else
        arithmetic.mismatch(value, "an axis");
    }
    if (!axis)
      return std::nullopt;
    result.push_back(axis);
  }
  return result;
}

/// `min(claimed[axis] for axis in p.gated_axes)`: elementwise over the values of the range, their axes joined.
Value Elaborator::reduceRange(const Builtin &builtin, const CallExpr &call, SourceRange range, Scope &scope) {
  if (call.generators.size() > 1 || call.arguments.size() != 1 || call.arguments[0].name) {
    reporter.notSupported(range, "a reduction over several ranges or of several values");
    return poison();
  }
  const Generator &generator = call.generators.front();
  const Expr &value = *call.arguments[0].value;
  Operand over = operand(*generator.range, scope);
  if (over.value.is<DataRange>() && builtin.kind == Builtin::Kind::Total)
    return surroundings.dataPass(builtin.reduction, value, scope, range);
  if (over.value.is<Poison>())
    return poison();
  std::optional<std::vector<Value>> keys = elements(*generator.range, scope);
  if (!keys)
    return poison();
  std::optional<Operand> result;
  for (const Value &key : *keys) {
    Scope inner(&scope);
    inner.bind(generator.variable.text, key, generator.variable.range);
    Operand next = operand(value, inner);
    result = result
                 ? Operand{arithmetic.apply(builtin.op, {*result, next}, range, Arithmetic::Outer::Allow), value.range}
                 : next;
  }
  if (!result)
    return builtin.reduction == Arithmetic::Reduction::Sum ? Value{Integer{0}} : Value{Nothing{generator.range->range}};
  if (builtin.reduction != Arithmetic::Reduction::Mean)
    return result->value;
  return arithmetic.apply(Op::Divide, {*result, {Value{Integer{static_cast<std::int64_t>(keys->size())}}, range}},
                          range);
}

//===- Shapes -----------------------------------------------------------------------------------------------------===//

Value Elaborator::flatten(const Operand &operand, SourceRange range) {
  std::optional<TensorValue> tensor = arithmetic.toTensor(operand, ElementType::Float32);
  if (!tensor)
    return poison();
  if (tensor->axes.size() < 2)
    return arithmetic.mismatch(operand, "a tensor with a batch axis and others to flatten");
  AxisList factors(tensor->axes.begin() + 1, tensor->axes.end());
  bool isFixed = std::all_of(factors.begin(), factors.end(), [](AxisRef axis) { return axis->isFixed(); });
  if (!isFixed || !countElements(factors)) {
    reporter
        .error(range, Diag::InvalidSize,
               "`flatten` joins all axes but the first; their sizes must be known and their product below 2^40")
        .note(operand.range, "this is " + describe(Value{*tensor}));
    return poison();
  }
  builder.setRange(range);
  return {builder.reshape(*tensor, {tensor->axes.front(), tables.axes.product(factors, range)})};
}

Value Elaborator::oneHot(const Operand &labels, const Operand &classes, SourceRange range) {
  std::optional<TensorValue> tensor = arithmetic.toTensor(labels, ElementType::Int64);
  if (!tensor)
    return poison();
  if (tensor->element != ElementType::Int64 || tensor->axes.size() != 1)
    return arithmetic.mismatch(labels, "labels, a tensor int[B]");
  const auto *reference = classes.value.as<AxisReference>();
  if (!reference)
    return arithmetic.mismatch(classes, "an axis");
  builder.setRange(range);
  if (std::optional<TensorValue> like = builder.findWithAxes({tensor->axes[0], reference->axis}))
    return {builder.oneHot(*tensor, *like)};
  reporter.notSupported(range, fmt::format("`one_hot` along the axis {}, which no tensor over the samples has",
                                           describe(reference->axis)));
  return poison();
}

Value Elaborator::size(const Operand &operand, SourceRange range) {
  if (std::optional<double> number = operand.value.is<AxisReference>() ? plainNumber(operand.value) : std::nullopt)
    return {Integer{static_cast<std::int64_t>(*number)}};
  if (operand.value.is<AxisReference>()) {
    reporter.notSupported(range, "the size of an axis that is known only at run time; `size` of a tensor is");
    return poison();
  }
  if (const auto *list = operand.value.as<ListValue>())
    return {Integer{static_cast<std::int64_t>(list->elements->size())}};
  if (const auto *family = operand.value.as<FamilyValue>()) {
    std::optional<Operand> total;
    for (const Value &member : family->family->members) {
      Operand next{size({member, operand.range}, range), range};
      total = total ? Operand{arithmetic.apply(Op::Add, {*total, next}, range), range} : next;
    }
    return total ? total->value : Value{Integer{0}};
  }
  std::optional<TensorValue> tensor = arithmetic.toTensor(operand, ElementType::Float32);
  if (!tensor)
    return poison();
  bool isFixed = std::all_of(tensor->axes.begin(), tensor->axes.end(), [](AxisRef axis) { return axis->isFixed(); });
  if (isFixed)
    return {Integer{countElements(tensor->axes).value_or(maximalElements)}};
  builder.setRange(range);
  return {builder.extent(*tensor, tensor->axes)};
}

//===- Schedules --------------------------------------------------------------------------------------------------===//

/// first + (last - first) * progress, where progress is the share of the epoch that lies before the batch.
Value Elaborator::anneal(const std::vector<const CallArgument *> &arguments, SourceRange range, Scope &scope) {
  Operand first = operand(*arguments[0]->value, scope);
  Operand last = operand(*arguments[1]->value, scope);
  const auto *over = std::get_if<NameExpr>(&arguments[2]->value->node);
  if (!over || over->name != "epoch") {
    reporter.notSupported(arguments[2]->value->range, "a schedule over anything but `epoch`");
    return poison();
  }
  builder.setRange(range);
  Operand progress{{builder.scalar("progress")}, range};
  Operand difference{arithmetic.apply(Op::Subtract, {last, first}, range), range};
  Operand passed{arithmetic.apply(Op::Multiply, {difference, progress}, range), range};
  return arithmetic.apply(Op::Add, {first, passed}, range);
}

} // namespace clm::sema
