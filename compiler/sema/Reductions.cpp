/// \file
/// Reductions of tensors and families, and the matrix product.
#include "sema/Arithmetic.h"

#include <fmt/format.h>

namespace clm::sema {

Value Arithmetic::contract(const Operand &left, const Operand &right, SourceRange range) {
  if (left.value.is<Poison>() || right.value.is<Poison>())
    return poison();
  if (left.value.is<FamilyValue>() || right.value.is<FamilyValue>())
    return forEachKey({left, right}, range,
                      [&](const std::vector<Operand> &ofKey) { return contract(ofKey[0], ofKey[1], range); });
  std::optional<TensorValue> leftTensor = toFloat32(left), rightTensor = toFloat32(right);
  if (!leftTensor || !rightTensor)
    return poison();
  AxisList shared;
  for (AxisRef axis : leftTensor->axes)
    if (positionOf(axis, rightTensor->axes) >= 0)
      shared.push_back(axis);
  if (shared.size() != 1) {
    Diagnostic &diagnostic =
        reporter.error(range, Diag::ContractionAxes,
                       fmt::format("`@` sums over the one axis that both sides share; these share {}",
                                   shared.empty() ? "none" : std::to_string(shared.size())));
    diagnostic.note(left.range, "the left side is " + describeTensor(leftTensor->element, leftTensor->axes))
        .note(right.range, "the right side is " + describeTensor(rightTensor->element, rightTensor->axes));
    return poison();
  }
  if (leftTensor->axes.size() != 2 || rightTensor->axes.size() != 2) {
    reporter.notSupported(range, fmt::format("`@` of {} and {}; both sides must have two axes",
                                             describeTensor(leftTensor->element, leftTensor->axes),
                                             describeTensor(rightTensor->element, rightTensor->axes)));
    return poison();
  }
  builder.setRange(range);
  return {builder.matmul(*leftTensor, *rightTensor, shared.front())};
}

Value Arithmetic::reduce(Reduction reduction, const Operand &operand, const std::optional<AxisList> &over,
                         SourceRange range) {
  if (operand.value.is<Poison>() || operand.value.is<Nothing>())
    return operand.value;
  if (const auto *family = operand.value.as<FamilyValue>())
    return reduceFamily(reduction, *family->family, over, range);
  if (plainNumber(operand.value) && !over)
    return operand.value;
  std::optional<TensorValue> tensor = toTensor(operand, ElementType::Float32);
  if (!tensor)
    return poison();
  if (tensor->element == ElementType::Bool || tensor->element == ElementType::Int64)
    return mismatch(operand, "numbers of type f32");
  for (AxisRef axis : over.value_or(AxisList()))
    if (positionOf(axis, tensor->axes) < 0) {
      reporter.error(range, Diag::AxisMismatch, fmt::format("there is no axis {} to reduce over", describe(axis)))
          .note(operand.range, "this is " + describe(Value{*tensor}));
      return poison();
    }
  builder.setRange(range);
  return reduceTensor(reduction, *tensor, over.value_or(tensor->axes));
}

Value Arithmetic::reduceTensor(Reduction reduction, const TensorValue &tensor, const AxisList &over) {
  if (over.empty())
    return {tensor};
  switch (reduction) {
  case Reduction::Max:
    return {builder.reduce(Op::Max, tensor, over)};
  case Reduction::Min: // the smallest is what is largest with the sign turned
    return {builder.unary(Op::Negate, builder.reduce(Op::Max, builder.unary(Op::Negate, tensor), over))};
  case Reduction::Sum:
    return {builder.reduce(Op::Sum, tensor, over)};
  case Reduction::Mean:
    break;
  }
  TensorValue sum = builder.reduce(Op::Sum, tensor, over);
  TensorValue count = builder.cast(builder.extent(tensor, over), tensor.element);
  return {builder.elementwise(Op::Divide, {sum, count}, sum.axes, sum.element)};
}

Value Arithmetic::reduceFamily(Reduction reduction, const Family &family, const std::optional<AxisList> &over,
                               SourceRange range) {
  if (over) {
    std::vector<Value> members;
    for (const Value &member : family.members)
      members.push_back(reduce(reduction, {member, range}, over, range));
    return makeFamily(family.keys, std::move(members));
  }
  bool isExtremum = reduction == Reduction::Max || reduction == Reduction::Min;
  Op join = reduction == Reduction::Max ? Op::Maximum : (reduction == Reduction::Min ? Op::Minimum : Op::Add);
  std::optional<Operand> total, count;
  auto accumulate = [&](std::optional<Operand> &into, Value value, Op op) {
    Operand part{std::move(value), range};
    into = into ? Operand{apply(op, {*into, part}, range), range} : part;
  };
  for (const Value &member : family.members) {
    accumulate(total, reduce(isExtremum ? reduction : Reduction::Sum, {member, range}, std::nullopt, range), join);
    if (reduction != Reduction::Mean)
      continue;
    std::optional<TensorValue> tensor = toTensor({member, range}, ElementType::Float32);
    if (!tensor)
      return poison();
    builder.setRange(range);
    accumulate(count, tensor->axes.empty() ? Value{Integer{1}} : Value{builder.extent(*tensor, tensor->axes)}, Op::Add);
  }
  if (!total)
    return isExtremum || reduction == Reduction::Mean ? Value{Nothing{range}} : Value{Integer{0}};
  return reduction == Reduction::Mean ? apply(Op::Divide, {*total, *count}, range) : total->value;
}

} // namespace clm::sema
