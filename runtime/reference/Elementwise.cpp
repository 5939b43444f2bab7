/// \file
/// Operations that compute each element from the elements at its place, with NumPy broadcasting. Derivatives at the
/// corners are PyTorch's: relu'(0) = 0, |.|'(0) = 0, equal operands of maximum and minimum share the cotangent, clamp
/// passes it inside its bounds and on them. NaN goes through every operation.

#include "runtime/reference/Operations.h"

#include "runtime/module/UserError.h"

#include <cmath>
#include <limits>

namespace clm::runtime::reference {

namespace {

/// The sum of what each element of the result gives to the operand's element that it was made from.
template <typename Function>
void addBroadcast(Tensor *sum, const Tensor &result, Function contribution) {
  if (!sum)
    return;
  std::vector<std::size_t> positions = broadcastPositions(sum->shape, result.shape);
  for (std::size_t i = 0; i < positions.size(); ++i)
    sum->values[positions[i]] += contribution(i);
}

/// `value(x)`; `slope(x, y, g)` is the cotangent of x when y = value(x) has the cotangent g.
template <typename Value, typename Slope>
Operation unary(Value value, Slope slope) {
  Operation operation{1, {}, {}};
  operation.forward = [value](const Call &call) {
    Tensor result = call.operand(0);
    for (double &element : result.values)
      element = value(element);
    return result;
  };
  operation.backward = [slope](const Call &call, const Tensor &result, const Tensor &cotangent, Cotangents cotangents) {
    const std::vector<double> &x = call.operand(0).values;
    addBroadcast(cotangents[0], result,
                 [&](std::size_t i) { return slope(x[i], result.values[i], cotangent.values[i]); });
  };
  return operation;
}

/// `value(a, b)`; the slopes are the cotangents of a and of b, computed from (a, b, g).
template <typename Value, typename SlopeA, typename SlopeB>
Operation binary(Value value, SlopeA slopeA, SlopeB slopeB) {
  Operation operation{2, {}, {}};
  operation.forward = [value](const Call &call) {
    Tensor result(broadcastShape(call.operand(0).shape, call.operand(1).shape));
    Tensor a = broadcastTo(call.operand(0), result.shape), b = broadcastTo(call.operand(1), result.shape);
    for (std::size_t i = 0; i < result.values.size(); ++i)
      result.values[i] = value(a.values[i], b.values[i]);
    return result;
  };
  operation.backward = [slopeA, slopeB](const Call &call, const Tensor &result, const Tensor &cotangent,
                                        Cotangents cotangents) {
    Tensor a = broadcastTo(call.operand(0), result.shape), b = broadcastTo(call.operand(1), result.shape);
    addBroadcast(cotangents[0], result,
                 [&](std::size_t i) { return slopeA(a.values[i], b.values[i], cotangent.values[i]); });
    addBroadcast(cotangents[1], result,
                 [&](std::size_t i) { return slopeB(a.values[i], b.values[i], cotangent.values[i]); });
  };
  return operation;
}

double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a > b ? a : b;
}

double smaller(double a, double b) { return -larger(-a, -b); }

/// Share of the cotangent that the operand `own` of a maximum gets beside `other`.
double shareOfLarger(double own, double other, double g) { return own == other ? g / 2 : own < other ? 0 : g; }

double sigmoid(double x) {
  double small = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + small) : small / (1 + small);
}

bool compare(const std::string &symbol, double a, double b) {
  if (symbol == "lt")
    return a < b;
  if (symbol == "le")
    return a <= b;
  if (symbol == "gt")
    return a > b;
  if (symbol == "ge")
    return a >= b;
  if (symbol == "eq")
    return a == b;
  if (symbol == "ne")
    return a != b;
  throw InternalError("reference: unknown comparison `" + symbol + "`");
}

Tensor forwardCompare(const Call &call) {
  Tensor result(broadcastShape(call.operand(0).shape, call.operand(1).shape));
  Tensor a = broadcastTo(call.operand(0), result.shape), b = broadcastTo(call.operand(1), result.shape);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = compare(call.instruction.symbol, a.values[i], b.values[i]);
  return result;
}

/// The three operands of `select` and `clamp`, at the shape of the result.
struct Three {
  Tensor a, b, c;
  explicit Three(const Call &call) {
    Shape shape = broadcastShape(broadcastShape(call.operand(0).shape, call.operand(1).shape), call.operand(2).shape);
    a = broadcastTo(call.operand(0), shape);
    b = broadcastTo(call.operand(1), shape);
    c = broadcastTo(call.operand(2), shape);
  }
};

Tensor forwardSelect(const Call &call) {
  Three operands(call);
  Tensor result(operands.a.shape);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = operands.a.values[i] != 0 ? operands.b.values[i] : operands.c.values[i];
  return result;
}

void backwardSelect(const Call &call, const Tensor &result, const Tensor &cotangent, Cotangents cotangents) {
  Tensor condition = broadcastTo(call.operand(0), result.shape);
  addBroadcast(cotangents[1], result,
               [&](std::size_t i) { return condition.values[i] != 0 ? cotangent.values[i] : 0; });
  addBroadcast(cotangents[2], result,
               [&](std::size_t i) { return condition.values[i] != 0 ? 0 : cotangent.values[i]; });
}

Tensor forwardClamp(const Call &call) {
  Three operands(call);
  Tensor result(operands.a.shape);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = smaller(larger(operands.a.values[i], operands.b.values[i]), operands.c.values[i]);
  return result;
}

void backwardClamp(const Call &call, const Tensor &result, const Tensor &cotangent, Cotangents cotangents) {
  Three operands(call);
  const std::vector<double> &x = operands.a.values, &low = operands.b.values, &high = operands.c.values;
  addBroadcast(cotangents[0], result,
               [&](std::size_t i) { return x[i] < low[i] || x[i] > high[i] ? 0 : cotangent.values[i]; });
  addBroadcast(cotangents[1], result,
               [&](std::size_t i) { return x[i] < low[i] && low[i] < high[i] ? cotangent.values[i] : 0; });
  addBroadcast(cotangents[2], result,
               [&](std::size_t i) { return x[i] > high[i] || high[i] < low[i] ? cotangent.values[i] : 0; });
}

bool isReal(int element) { return element == CLM_FLOAT32 || element == CLM_FLOAT64; }

/// Between real types nothing is rounded: the reference computes all of them in double precision.
Tensor forwardCast(const Call &call) {
  Tensor result = call.operand(0);
  for (double &element : result.values)
    if (call.resultType.element == CLM_INT64)
      element = std::trunc(element);
    else if (call.resultType.element == CLM_BOOL)
      element = element != 0;
  return result;
}

void backwardCast(const Call &call, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  if (cotangents[0] && isReal(call.operandTypes.at(0)->element) && isReal(call.resultType.element))
    accumulateInto(*cotangents[0], cotangent);
}

void addArithmetic(OperationTable &table) {
  auto passed = [](double, double, double g) { return g; };
  table["add"] = binary([](double a, double b) { return a + b; }, passed, passed);
  table["sub"] = binary([](double a, double b) { return a - b; }, passed, [](double, double, double g) { return -g; });
  table["mul"] = binary([](double a, double b) { return a * b; }, [](double, double b, double g) { return g * b; },
                        [](double a, double, double g) { return g * a; });
  table["div"] = binary([](double a, double b) { return a / b; }, [](double, double b, double g) { return g / b; },
                        [](double a, double b, double g) { return -g * a / (b * b); });
  table["maximum"] = binary(larger, shareOfLarger, [](double a, double b, double g) { return shareOfLarger(b, a, g); });
  table["minimum"] = binary(
      smaller, [](double a, double b, double g) { return shareOfLarger(-a, -b, g); },
      [](double a, double b, double g) { return shareOfLarger(-b, -a, g); });
}

void addFunctions(OperationTable &table) {
  table["neg"] = unary([](double x) { return -x; }, [](double, double, double g) { return -g; });
  table["exp"] = unary([](double x) { return std::exp(x); }, [](double, double y, double g) { return g * y; });
  table["log"] = unary([](double x) { return std::log(x); }, [](double x, double, double g) { return g / x; });
  table["sqrt"] = unary([](double x) { return std::sqrt(x); }, [](double, double y, double g) { return g / (2 * y); });
  table["tanh"] = unary([](double x) { return std::tanh(x); },
                        [](double x, double, double g) { return g / (std::cosh(x) * std::cosh(x)); });
  // y (1 - y) would lose all digits for large x.
  table["sigmoid"] = unary(sigmoid, [](double x, double, double g) { return g * sigmoid(x) * sigmoid(-x); });
  table["relu"] =
      unary([](double x) { return x <= 0 ? 0 : x; }, [](double x, double, double g) { return x <= 0 ? 0 : g; });
  table["abs"] = unary([](double x) { return std::abs(x); },
                       [](double x, double, double g) { return x == 0  ? 0
                                                               : x < 0 ? -g
                                                                       : g; });
  table["cosh"] =
      unary([](double x) { return std::cosh(x); }, [](double x, double, double g) { return g * std::sinh(x); });
}

} // namespace

void addElementwise(OperationTable &table) {
  addArithmetic(table);
  addFunctions(table);
  table["clamp"] = {3, forwardClamp, backwardClamp};
  table["compare"] = {2, forwardCompare, {}};
  table["select"] = {3, forwardSelect, backwardSelect};
  table["cast"] = {1, forwardCast, backwardCast};
  table["detach"] = {1, [](const Call &call) { return call.operand(0); }, {}};
}

} // namespace clm::runtime::reference
