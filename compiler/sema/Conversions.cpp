/// \file
/// What a value is worth where a tensor, a number or a decision is needed.
#include "sema/Arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clm::sema {

namespace {

bool compare(const std::string &predicate, double left, double right) {
  if (predicate == "lt")
    return left < right;
  if (predicate == "le")
    return left <= right;
  if (predicate == "gt")
    return left > right;
  if (predicate == "ge")
    return left >= right;
  return predicate == "eq" ? left == right : left != right;
}

} // namespace

double evaluate(Op op, const std::vector<double> &operands, const std::string &symbol) {
  double x = operands[0];
  switch (op) {
  case Op::Add:
    return x + operands[1];
  case Op::Subtract:
    return x - operands[1];
  case Op::Multiply:
    return x * operands[1];
  case Op::Divide:
    return x / operands[1];
  case Op::Maximum:
    return std::max(x, operands[1]);
  case Op::Minimum:
    return std::min(x, operands[1]);
  case Op::Clamp:
    return std::min(std::max(x, operands[1]), operands[2]);
  case Op::Compare:
    return compare(symbol, x, operands[1]) ? 1 : 0;
  case Op::Negate:
    return -x;
  case Op::Exp:
    return std::exp(x);
  case Op::Log:
    return std::log(x);
  case Op::Sqrt:
    return std::sqrt(x);
  case Op::Tanh:
    return std::tanh(x);
  case Op::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Op::Relu:
    return std::max(x, 0.0);
  case Op::Abs:
    return std::abs(x);
  case Op::Cosh:
    return std::cosh(x);
  default: // Detach; other operations are not folded
    return x;
  }
}

std::optional<double> plainNumber(const Value &value) {
  if (const auto *integer = value.as<Integer>())
    return static_cast<double>(integer->value);
  if (const auto *real = value.as<Real>())
    return real->value;
  if (const auto *reference = value.as<AxisReference>())
    if (reference->axis->isFixed())
      return static_cast<double>(reference->axis->dimension.size);
  return std::nullopt;
}

std::optional<TensorValue> Arithmetic::toTensor(const Operand &operand, ElementType wanted) {
  if (const auto *tensor = operand.value.as<TensorValue>())
    return *tensor;
  builder.setRange(operand.range);
  if (const auto *reference = operand.value.as<EntryReference>())
    return builder.read(*reference->entry);
  if (std::optional<double> number = plainNumber(operand.value)) {
    if (wanted == ElementType::Bool) {
      mismatch(operand, "a condition, of type bool");
      return std::nullopt;
    }
    if (wanted == ElementType::Int64 && std::floor(*number) != *number) {
      mismatch(operand, "an integer");
      return std::nullopt;
    }
    TensorValue constant = builder.constant(*number, wanted);
    constant.known = KnownScalar{*number, {}};
    return constant;
  }
  if (const auto *flag = operand.value.as<Boolean>(); flag && wanted == ElementType::Bool)
    return builder.constant(flag->value ? 1 : 0, ElementType::Bool);
  mismatch(operand, wanted == ElementType::Bool ? "a condition, of type bool" : "a number or a tensor");
  return std::nullopt;
}

std::optional<TensorValue> Arithmetic::toFloat32(const Operand &operand) {
  std::optional<TensorValue> tensor = toTensor(operand, ElementType::Float32);
  if (tensor && tensor->element != ElementType::Float32 && tensor->element != ElementType::Float64) {
    mismatch(operand, "a number of type f32");
    return std::nullopt;
  }
  if (tensor)
    return builder.cast(*tensor, ElementType::Float32);
  return std::nullopt;
}

std::optional<std::int64_t> Arithmetic::toInteger(const Operand &operand, std::string_view what) {
  if (const auto *integer = operand.value.as<Integer>())
    return integer->value;
  if (const auto *reference = operand.value.as<AxisReference>(); reference && reference->axis->isFixed())
    return reference->axis->dimension.size;
  mismatch(operand, what);
  return std::nullopt;
}

std::optional<double> Arithmetic::toNumber(const Operand &operand, std::string_view what) {
  if (std::optional<double> number = plainNumber(operand.value))
    return number;
  if (const auto *tensor = operand.value.as<TensorValue>(); tensor && tensor->known) {
    fixedSettings.insert(tensor->known->settings.begin(), tensor->known->settings.end());
    return tensor->known->value;
  }
  mismatch(operand, what);
  return std::nullopt;
}

std::optional<bool> Arithmetic::toDecision(const Operand &operand, std::string_view what) {
  if (const auto *flag = operand.value.as<Boolean>())
    return flag->value;
  const auto *tensor = operand.value.as<TensorValue>();
  if (tensor && tensor->known && tensor->element == ElementType::Bool) {
    fixedSettings.insert(tensor->known->settings.begin(), tensor->known->settings.end());
    return tensor->known->value != 0;
  }
  mismatch(operand, what);
  return std::nullopt;
}

} // namespace clm::sema
