/// \file
/// Written types: what they bind, what they demand, and the axes that declarations make.
#include "sema/Elaborator.h"

#include <fmt/format.h>

namespace clm::sema {

using namespace syntax;

namespace {

const std::vector<std::string> elementNames = {"f32", "int", "bool", "like"};

} // namespace

bool Elaborator::checkSize(std::int64_t size, SourceRange range) {
  if (size >= 1 && size <= std::int64_t{1} << 31)
    return true;
  reporter.error(range, Diag::InvalidSize, fmt::format("an axis has the size {}; it must be between 1 and 2^31", size));
  return false;
}

//===- Axes of declarations ---------------------------------------------------------------------------------------===//

std::optional<AxisList> Elaborator::resolveAxes(const TypeExpr &type, Scope &scope, const std::string &path) {
  if (type.like) {
    Operand model = operand(*type.like, scope);
    std::optional<TensorValue> tensor =
        model.value.is<Poison>() ? std::nullopt : arithmetic.toTensor(model, ElementType::Float32);
    return tensor ? std::optional(tensor->axes) : std::nullopt;
  }
  if (type.element.text != "f32") {
    reporter.unknown(type.element.range, Diag::UnknownType, fmt::format("unknown type `{}`", type.element.text),
                     type.element.text, elementNames);
    return std::nullopt;
  }
  AxisList axes;
  bool fits = true;
  for (const ExprPtr &written : type.axes) {
    if (!written) {
      reporter.error(type.range, Diag::TypeMismatch,
                     "found `...` in the type of a declaration, which must name all axes");
      return std::nullopt;
    }
    AxisRef axis = axisOfExpression(*written, scope, fmt::format("{}.{}", path, axes.size()));
    fits &= axis != nullptr;
    if (axis && positionOf(axis, axes) >= 0) {
      reporter.notSupported(written->range, fmt::format("a tensor with the axis {} twice", describe(axis)));
      fits = false;
    }
    axes.push_back(axis);
  }
  if (fits && !countElements(axes)) {
    reporter.error(type.range, Diag::TensorTooLarge,
                   fmt::format("{} has more than 2^40 elements", describeTensor(ElementType::Float32, axes)));
    return std::nullopt;
  }
  return fits ? std::optional(axes) : std::nullopt;
}

/// An axis that exists, one that an integer of the configuration stands for, or a new one of a computed size.
AxisRef Elaborator::axisOfExpression(const Expr &expr, Scope &scope, const std::string &path) {
  const auto *name = std::get_if<NameExpr>(&expr.node);
  if (AxisRef known = name ? scope.axisOf(name->name) : nullptr)
    return known;
  Operand value = operand(expr, scope);
  if (const auto *reference = value.value.as<AxisReference>())
    return reference->axis;
  if (value.value.is<Poison>())
    return nullptr;
  Dimension dimension{Dimension::Kind::Classes, -1};
  if (!value.value.is<ClassCount>()) {
    std::optional<std::int64_t> size = arithmetic.toInteger(value, "an axis or its size");
    if (!size || !checkSize(*size, expr.range)) {
      if (name) // one error, however often the name stands in a shape
        scope.bind(name->name, poison(), expr.range);
      return nullptr;
    }
    dimension = {Dimension::Kind::Fixed, *size};
  }
  std::string prefix = scope.owner.path.empty() ? "method." : scope.owner.path + ".";
  std::string axisName = name ? prefix + name->name : path;
  AxisRef axis = tables.axes.named(axisName, dimension, expr.range);
  if (name)
    scope.setAxisOf(name->name, axis);
  return axis;
}

//===- Types of values --------------------------------------------------------------------------------------------===//

std::optional<Value> Elaborator::match(const TypeExpr &type, const Operand &operand, Scope &scope) {
  const std::string &element = type.element.text;
  if (type.like) {
    std::optional<AxisList> axes = resolveAxes(type, scope, "");
    std::optional<TensorValue> tensor = axes ? arithmetic.toTensor(operand, ElementType::Float32) : std::nullopt;
    if (!tensor)
      return std::nullopt;
    if (tensor->axes == *axes)
      return Value{*tensor};
    arithmetic.mismatch(operand, "a tensor " + describeTensor(tensor->element, *axes));
    return std::nullopt;
  }
  if (element != "f32" && element != "int" && element != "bool") {
    reporter.unknown(type.element.range, Diag::UnknownType, fmt::format("unknown type `{}`", element), element,
                     elementNames);
    return std::nullopt;
  }
  if (!type.hasShape)
    return matchScalar(type, operand);
  ElementType wanted =
      element == "f32" ? ElementType::Float32 : (element == "int" ? ElementType::Int64 : ElementType::Bool);
  bool isNumber = plainNumber(operand.value) || operand.value.is<Boolean>();
  if (isNumber && !type.axes.empty()) {
    arithmetic.mismatch(operand, fmt::format("a tensor of type {}", element));
    return std::nullopt;
  }
  std::optional<TensorValue> tensor = arithmetic.toTensor(operand, wanted);
  if (!tensor)
    return std::nullopt;
  if (tensor->element == ElementType::Float64 && wanted == ElementType::Float32)
    tensor = builder.cast(*tensor, wanted);
  if (tensor->element != wanted) {
    arithmetic.mismatch(operand, fmt::format("a tensor of type {}", element));
    return std::nullopt;
  }
  return matchAxes(type, *tensor, operand, scope) ? std::optional(Value{*tensor}) : std::nullopt;
}

std::optional<Value> Elaborator::matchScalar(const TypeExpr &type, const Operand &operand) {
  const Value &value = operand.value;
  const auto *tensor = value.as<TensorValue>();
  if (type.element.text == "f32") {
    if (std::optional<double> number = plainNumber(value))
      return Value{Real{*number}};
    if (tensor && tensor->axes.empty() && tensor->element != ElementType::Bool && tensor->element != ElementType::Int64)
      return value;
    arithmetic.mismatch(operand, "a number, of type f32");
  } else if (type.element.text == "int") {
    if (value.is<Integer>() || value.is<ClassCount>())
      return value;
    if (std::optional<std::int64_t> number = arithmetic.toInteger(operand, "an integer"))
      return Value{Integer{*number}};
  } else {
    if (value.is<Boolean>() || (tensor && tensor->known && tensor->element == ElementType::Bool))
      return value;
    arithmetic.mismatch(operand, "`true` or `false`");
  }
  return std::nullopt;
}

bool Elaborator::matchAxes(const TypeExpr &type, const TensorValue &tensor, const Operand &operand, Scope &scope) {
  std::size_t rest = type.axes.size(); // position of `...`
  for (std::size_t i = 0; i < type.axes.size(); ++i)
    if (!type.axes[i])
      rest = std::min(rest, i);
  bool hasRest = rest < type.axes.size();
  std::size_t written = type.axes.size() - (hasRest ? 1 : 0);
  if (hasRest ? tensor.axes.size() < written : tensor.axes.size() != written) {
    reporter
        .error(operand.range, Diag::ShapeMismatch,
               fmt::format("found {}, which has {} axes; expected {}{}", describe(operand.value), tensor.axes.size(),
                           hasRest ? "at least " : "", written))
        .note(type.range, "expected here");
    return false;
  }
  bool fits = true;
  std::size_t skipped = tensor.axes.size() - written; // what `...` stands for
  for (std::size_t i = 0; i < type.axes.size(); ++i) {
    if (i < rest)
      fits &= matchAxis(*type.axes[i], tensor.axes[i], operand, scope);
    else if (i > rest && type.axes[i])
      fits &= matchAxis(*type.axes[i], tensor.axes[i + skipped - 1], operand, scope);
  }
  return fits;
}

bool Elaborator::matchAxis(const Expr &pattern, AxisRef axis, const Operand &operand, Scope &scope) {
  const auto *name = std::get_if<NameExpr>(&pattern.node);
  const Scope::Binding *binding = name ? scope.find(name->name) : nullptr;
  if (name && !binding && !scope.module().names.count(name->name)) {
    scope.bind(name->name, {AxisReference{axis}}, pattern.range);
    return true;
  }
  AxisRef expected = name ? scope.axisOf(name->name) : nullptr;
  Value value = expected ? Value{AxisReference{expected}} : evaluate(pattern, scope);
  if (const auto *reference = value.as<AxisReference>())
    expected = reference->axis;
  if (value.is<Poison>() || expected == axis)
    return !value.is<Poison>();
  std::string wanted;
  if (expected) {
    wanted = describe(expected);
  } else if (value.is<ClassCount>()) {
    if (axis->dimension.kind == Dimension::Kind::Classes)
      return true;
    wanted = "the classes of the task";
  } else {
    std::optional<std::int64_t> size = arithmetic.toInteger({value, pattern.range}, "an axis or its size");
    if (!size || (axis->isFixed() && axis->dimension.size == *size))
      return size.has_value();
    wanted = fmt::format("an axis of size {}", *size);
  }
  Diagnostic &diagnostic = reporter.error(operand.range, Diag::AxisMismatch,
                                          fmt::format("found axis {}, expected {}", describe(axis), wanted));
  diagnostic.note(pattern.range, "expected here");
  if (expected && binding && binding->range.begin != pattern.range.begin)
    diagnostic.note(binding->range, fmt::format("`{}` was bound to {} here", name->name, describe(expected)));
  if (axis->range.isValid())
    diagnostic.note(axis->range, fmt::format("axis {} was bound here", describe(axis)));
  return false;
}

} // namespace clm::sema
