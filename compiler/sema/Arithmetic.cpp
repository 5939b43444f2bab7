/// \file
/// Elementwise operations: families, folding, alignment. Reductions and contractions are in Reductions.cpp, conversions
/// in Conversions.cpp.
#include "sema/Arithmetic.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

Value Arithmetic::mismatch(const Operand &operand, std::string_view expected) {
  if (operand.value.is<Poison>())
    return poison();
  if (const auto *nothing = operand.value.as<Nothing>()) {
    reporter.error(operand.range, Diag::EmptyRange, "found the extremum of nothing")
        .note(nothing->range, "this range is empty here");
    return poison();
  }
  if (const auto *perTask = operand.value.as<PerTaskValue>()) {
    reporter
        .error(operand.range, Diag::FreeTaskIndex,
               fmt::format("`{}` belongs to each task, and no task is named", perTask->name))
        .help(fmt::format("write `{}[t]` for that of the current task", perTask->name));
    return poison();
  }
  reporter.error(operand.range, Diag::TypeMismatch,
                 fmt::format("found {}, expected {}", describe(operand.value), expected));
  return poison();
}

Value Arithmetic::forEachKey(const std::vector<Operand> &operands, SourceRange range,
                             const std::function<Value(const std::vector<Operand> &)> &function) {
  const Operand *first = nullptr;
  for (const Operand &operand : operands)
    if (!first && operand.value.is<FamilyValue>())
      first = &operand;
  if (!first)
    return function(operands);
  const Family &family = *first->value.as<FamilyValue>()->family;
  std::vector<Value> members;
  for (std::size_t key = 0; key < family.keys.size(); ++key) {
    std::vector<Operand> ofKey = operands;
    for (Operand &operand : ofKey) {
      const auto *other = operand.value.as<FamilyValue>();
      if (!other)
        continue;
      const std::vector<Value> &keys = other->family->keys;
      if (keys.size() != family.keys.size() || keyName(keys[key]) != keyName(family.keys[key])) {
        reporter.error(range, Diag::FamilyMismatch, "found two families over different ranges")
            .note(first->range, fmt::format("this one has {} members", family.keys.size()))
            .note(operand.range, fmt::format("this one has {} members", keys.size()));
        return poison();
      }
      operand.value = Value(other->family->members[key]);
    }
    members.push_back(function(ofKey));
  }
  return makeFamily(family.keys, std::move(members));
}

Value Arithmetic::apply(Op op, const std::vector<Operand> &operands, SourceRange range, Outer outer,
                        const std::string &symbol) {
  for (const Operand &operand : operands)
    if (operand.value.is<Poison>())
      return poison();
  for (const Operand &operand : operands)
    if (operand.value.is<Nothing>())
      return operand.value;
  for (const Operand &operand : operands)
    if (operand.value.is<FamilyValue>())
      return forEachKey(operands, range,
                        [&](const std::vector<Operand> &ofKey) { return apply(op, ofKey, range, outer, symbol); });
  return applyToTensors(op, operands, range, outer, symbol);
}

namespace {

bool isComparison(Op op) { return op == Op::Compare; }

/// The element type in which operands of these types meet.
ElementType commonElement(const std::vector<ElementType> &elements) {
  auto has = [&](ElementType element) {
    return std::find(elements.begin(), elements.end(), element) != elements.end();
  };
  if (has(ElementType::Float32))
    return ElementType::Float32;
  if (has(ElementType::Int64))
    return ElementType::Int64;
  return has(ElementType::Float64) || elements.empty() ? ElementType::Float64 : ElementType::Bool;
}

/// What is known of the result of an operation on known scalars.
std::optional<KnownScalar> combineKnown(Op op, const std::vector<TensorValue> &operands, const std::string &symbol) {
  KnownScalar result;
  std::vector<double> numbers;
  for (const TensorValue &operand : operands) {
    if (!operand.known)
      return std::nullopt;
    numbers.push_back(operand.known->value);
    result.settings.insert(operand.known->settings.begin(), operand.known->settings.end());
  }
  result.value = evaluate(op, numbers, symbol);
  return result;
}

} // namespace

Value Arithmetic::applyToTensors(Op op, const std::vector<Operand> &operands, SourceRange range, Outer outer,
                                 const std::string &symbol) {
  bool isSelect = op == Op::Select;
  bool allPlain = std::all_of(operands.begin(), operands.end(), [](const Operand &operand) {
    return plainNumber(operand.value) || operand.value.is<Boolean>();
  });
  if (allPlain)
    return fold(op, operands, range, symbol);
  std::vector<ElementType> elements;
  for (std::size_t i = isSelect ? 1 : 0; i < operands.size(); ++i) {
    if (const auto *tensor = operands[i].value.as<TensorValue>())
      elements.push_back(tensor->element);
    else if (const auto *reference = operands[i].value.as<EntryReference>())
      elements.push_back(reference->entry->element);
  }
  ElementType common = elements.empty() ? ElementType::Float32 : commonElement(elements);
  if (elements.empty() && !isSelect)
    common = ElementType::Float64;
  std::vector<TensorValue> tensors;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    bool isCondition = isSelect && i == 0;
    std::optional<TensorValue> tensor = toTensor(operands[i], isCondition ? ElementType::Bool : common);
    if (!tensor)
      return poison();
    bool isBool = tensor->element == ElementType::Bool;
    if (isBool != isCondition ||
        (tensor->element == ElementType::Int64 && !isComparison(op) && !isSelect && op != Op::Detach))
      return mismatch(operands[i], isCondition ? "a condition, of type bool" : "a number of type f32");
    if (tensor->element == ElementType::Int64 && common == ElementType::Float32)
      return mismatch(operands[i], "a number of type f32");
    if (tensor->element == ElementType::Float64 && common == ElementType::Int64)
      return mismatch(operands[i], "an integer");
    builder.setRange(range);
    tensors.push_back(isCondition ? *tensor : builder.cast(*tensor, common));
  }
  std::optional<AxisList> axes = commonAxes(operands, tensors, range, outer);
  if (!axes)
    return poison();
  builder.setRange(range);
  TensorValue result = builder.elementwise(op, tensors, *axes, isComparison(op) ? ElementType::Bool : common, symbol);
  if (!isSelect)
    result.known = combineKnown(op, tensors, symbol);
  return {result};
}

std::optional<AxisList> Arithmetic::commonAxes(const std::vector<Operand> &operands,
                                               const std::vector<TensorValue> &tensors, SourceRange range,
                                               Outer outer) {
  std::size_t widest = 0;
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (tensors[i].axes.size() > tensors[widest].axes.size())
      widest = i;
  AxisList axes = tensors[widest].axes;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (containsAll(tensors[widest].axes, tensors[i].axes))
      continue;
    if (outer == Outer::Refuse) {
      std::size_t left = std::min(i, widest), right = std::max(i, widest);
      reportAxes(operands[left], tensors[left], operands[right], tensors[right], range);
      return std::nullopt;
    }
    axes = tensors[0].axes;
    for (const TensorValue &tensor : tensors)
      for (AxisRef axis : tensor.axes)
        if (positionOf(axis, axes) < 0)
          axes.push_back(axis);
    break;
  }
  if (!countElements(axes)) {
    reporter.error(
        range, Diag::TensorTooLarge,
        fmt::format("the result {} has more than 2^40 elements", describeTensor(ElementType::Float32, axes)));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!isSubsequence(tensors[i].axes, axes)) {
      reporter.notSupported(operands[i].range, fmt::format("a transposition from {} to {}",
                                                           describeTensor(tensors[i].element, tensors[i].axes),
                                                           describeTensor(tensors[i].element, axes)));
      return std::nullopt;
    }
  return axes;
}

void Arithmetic::reportAxes(const Operand &left, const TensorValue &leftTensor, const Operand &right,
                            const TensorValue &rightTensor, SourceRange range) {
  const AxisList &leftAxes = leftTensor.axes, &rightAxes = rightTensor.axes;
  // The pair at the same place, counted from the last axis, is what the reader takes for equal.
  AxisRef leftAxis = leftAxes.back(), rightAxis = rightAxes.back();
  for (std::size_t i = 1; i <= std::min(leftAxes.size(), rightAxes.size()); ++i) {
    leftAxis = leftAxes[leftAxes.size() - i];
    rightAxis = rightAxes[rightAxes.size() - i];
    if (positionOf(leftAxis, rightAxes) < 0 && positionOf(rightAxis, leftAxes) < 0)
      break;
  }
  Diagnostic &diagnostic =
      reporter.error(range, Diag::AxisMismatch,
                     fmt::format("axis {} of the left side does not match axis {} of the right side",
                                 describe(leftAxis), describe(rightAxis)));
  diagnostic.note(left.range, "the left side is " + describeTensor(leftTensor.element, leftAxes))
      .note(right.range, "the right side is " + describeTensor(rightTensor.element, rightAxes));
  if (leftAxis->range.isValid())
    diagnostic.note(leftAxis->range, fmt::format("axis {} was bound here", describe(leftAxis)));
  if (rightAxis->range.isValid())
    diagnostic.note(rightAxis->range, fmt::format("axis {} was bound here", describe(rightAxis)));
}

Value Arithmetic::foldIntegers(Op op, std::int64_t left, std::int64_t right, SourceRange range) {
  std::int64_t result = 0;
  bool overflows = false;
  switch (op) {
  case Op::Add:
    overflows = __builtin_add_overflow(left, right, &result);
    break;
  case Op::Subtract:
    overflows = __builtin_sub_overflow(left, right, &result);
    break;
  case Op::Multiply:
    overflows = __builtin_mul_overflow(left, right, &result);
    break;
  case Op::Maximum:
    result = std::max(left, right);
    break;
  case Op::Minimum:
    result = std::min(left, right);
    break;
  default: // a quotient that is exact
    result = left / right;
    break;
  }
  constexpr std::int64_t bound = std::int64_t{1} << 31;
  if (overflows || result > bound || result < -bound) {
    reporter.error(range, Diag::IntegerOutOfRange, "the integer is beyond 2^31");
    return poison();
  }
  return {Integer{result}};
}

Value Arithmetic::fold(Op op, const std::vector<Operand> &operands, SourceRange range, const std::string &symbol) {
  if (op == Op::Select) {
    const auto *condition = operands[0].value.as<Boolean>();
    if (!condition)
      return mismatch(operands[0], "a condition, of type bool");
    return operands[condition->value ? 1 : 2].value;
  }
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  for (const Operand &operand : operands) {
    if (operand.value.is<Boolean>())
      return mismatch(operand, "a number");
    numbers.push_back(*plainNumber(operand.value));
    if (const auto *axis = operand.value.as<AxisReference>())
      integers.push_back(axis->axis->dimension.size);
    else if (const auto *integer = operand.value.as<Integer>())
      integers.push_back(integer->value);
  }
  if (op == Op::Divide && numbers[1] == 0) {
    reporter.error(range, Diag::DivisionByZero, "division by zero");
    return poison();
  }
  if (op == Op::Compare)
    return {Boolean{evaluate(op, numbers, symbol) != 0}};
  bool isInteger = integers.size() == operands.size();
  if (isInteger && op == Op::Negate)
    return {Integer{-integers[0]}};
  bool staysInteger = op == Op::Add || op == Op::Subtract || op == Op::Multiply || op == Op::Maximum ||
                      op == Op::Minimum || (op == Op::Divide && isInteger && integers[0] % integers[1] == 0);
  if (isInteger && integers.size() == 2 && staysInteger)
    return foldIntegers(op, integers[0], integers[1], range);
  return {Real{evaluate(op, numbers)}};
}

} // namespace clm::sema
