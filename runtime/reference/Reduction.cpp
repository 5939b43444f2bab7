/// \file
/// Sums and maxima over dimensions, which vanish from the shape. Elements that share a maximum share its cotangent.

#include "runtime/reference/Operations.h"

#include "runtime/module/UserError.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clm::runtime::reference {

namespace {

/// The operand's shape with size 1 in the dimensions that are reduced.
Shape keptShape(const Call &call) {
  Shape shape = call.operand(0).shape;
  for (std::int64_t dimension : call.instruction.ints)
    shape.at(static_cast<std::size_t>(dimension)) = 1;
  return shape;
}

/// That shape without those dimensions.
Shape reducedShape(const Call &call) {
  const std::vector<std::int64_t> &reduced = call.instruction.ints;
  Shape shape;
  for (std::size_t dimension = 0; dimension < call.operand(0).shape.size(); ++dimension)
    if (std::find(reduced.begin(), reduced.end(), static_cast<std::int64_t>(dimension)) == reduced.end())
      shape.push_back(call.operand(0).shape[dimension]);
  return shape;
}

/// For every element of the operand, the element of the result it goes into.
std::vector<std::size_t> targets(const Call &call) {
  return broadcastPositions(keptShape(call), call.operand(0).shape);
}

Tensor forwardSum(const Call &call) {
  Tensor result(reducedShape(call));
  std::vector<std::size_t> target = targets(call);
  for (std::size_t i = 0; i < target.size(); ++i)
    result.values[target[i]] += call.operand(0).values[i];
  return result;
}

void backwardSum(const Call &call, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  if (!cotangents[0])
    return;
  std::vector<std::size_t> target = targets(call);
  for (std::size_t i = 0; i < target.size(); ++i)
    cotangents[0]->values[i] += cotangent.values[target[i]];
}

Tensor forwardMax(const Call &call) {
  Tensor result(reducedShape(call), -std::numeric_limits<double>::infinity());
  std::vector<std::size_t> target = targets(call);
  if (target.empty() && !result.values.empty())
    throw InternalError("reference: maximum of no elements");
  for (std::size_t i = 0; i < target.size(); ++i) {
    double &highest = result.values[target[i]];
    double element = call.operand(0).values[i];
    if (std::isnan(element) || element > highest)
      highest = element;
  }
  return result;
}

void backwardMax(const Call &call, const Tensor &result, const Tensor &cotangent, Cotangents cotangents) {
  if (!cotangents[0])
    return;
  const std::vector<double> &elements = call.operand(0).values;
  std::vector<std::size_t> target = targets(call);
  std::vector<double> holders(result.values.size(), 0);
  for (std::size_t i = 0; i < target.size(); ++i)
    holders[target[i]] += elements[i] == result.values[target[i]];
  for (std::size_t i = 0; i < target.size(); ++i)
    if (elements[i] == result.values[target[i]])
      cotangents[0]->values[i] += cotangent.values[target[i]] / holders[target[i]];
}

} // namespace

void addReductions(OperationTable &table) {
  table["reduce_sum"] = {1, forwardSum, backwardSum};
  table["reduce_max"] = {1, forwardMax, backwardMax};
}

} // namespace clm::runtime::reference
