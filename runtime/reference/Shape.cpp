/// \file
/// Operations about shapes: constants, reshapes, one-hot rows, sizes, and explicit broadcasting.

#include "runtime/reference/Operations.h"

#include "runtime/module/UserError.h"

namespace clm::runtime::reference {

namespace {

bool isDynamic(std::int64_t size) { return size < 0; }

Tensor forwardConstant(const Call &call) {
  for (std::int64_t size : call.resultType.shape)
    if (isDynamic(size))
      throw InternalError("reference: a constant of a size that is not known");
  return Tensor(call.resultType.shape, call.instruction.number);
}

/// The dynamic dimensions of the result take the sizes of those of the operand, in their order.
Tensor forwardReshape(const Call &call) {
  const Tensor &operand = call.operand(0);
  std::vector<std::int64_t> dynamicSizes;
  for (std::size_t dimension = 0; dimension < operand.shape.size(); ++dimension)
    if (isDynamic(call.operandTypes.at(0)->shape.at(dimension)))
      dynamicSizes.push_back(operand.shape[dimension]);
  Shape shape = call.resultType.shape;
  std::size_t used = 0;
  for (std::int64_t &size : shape)
    if (isDynamic(size)) {
      if (used == dynamicSizes.size())
        throw InternalError("reference: `reshape` to more dynamic dimensions than its operand has");
      size = dynamicSizes[used++];
    }
  return Tensor(shape, operand.values);
}

void backwardReshape(const Call &, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  if (cotangents[0])
    for (std::size_t i = 0; i < cotangent.values.size(); ++i)
      cotangents[0]->values[i] += cotangent.values[i];
}

/// A label outside of the classes gives a row of zeros.
Tensor forwardOneHot(const Call &call) {
  Tensor result(call.operand(1).shape);
  std::size_t classes = static_cast<std::size_t>(result.shape.at(1));
  const std::vector<double> &labels = call.operand(0).values;
  if (labels.size() * classes != result.values.size())
    throw InternalError("reference: `one_hot` of another number of labels than rows");
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = labels[i / classes] == static_cast<double>(i % classes);
  return result;
}

Tensor forwardExtent(const Call &call) {
  double product = 1;
  for (std::int64_t dimension : call.instruction.ints)
    product *= static_cast<double>(call.operand(0).shape.at(static_cast<std::size_t>(dimension)));
  return Tensor({}, product);
}

/// To a static shape.
Tensor forwardBroadcast(const Call &call) { return broadcastTo(call.operand(0), call.resultType.shape); }

Tensor forwardBroadcastLike(const Call &call) { return broadcastTo(call.operand(0), call.operand(1).shape); }

void backwardBroadcastLike(const Call &, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  if (cotangents[0])
    accumulateInto(*cotangents[0], cotangent);
}

Tensor forwardSumToLike(const Call &call) {
  Tensor result(call.operand(1).shape);
  accumulateInto(result, call.operand(0));
  return result;
}

void backwardSumToLike(const Call &call, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  if (!cotangents[0])
    return;
  Tensor spread = broadcastTo(cotangent, call.operand(0).shape);
  for (std::size_t i = 0; i < spread.values.size(); ++i)
    cotangents[0]->values[i] += spread.values[i];
}

} // namespace

void addShapes(OperationTable &table) {
  table["constant"] = {0, forwardConstant, {}};
  table["reshape"] = {1, forwardReshape, backwardReshape};
  table["one_hot"] = {2, forwardOneHot, {}};
  table["extent"] = {1, forwardExtent, {}};
  table["broadcast"] = {1, forwardBroadcast, backwardBroadcastLike};
  table["broadcast_like"] = {2, forwardBroadcastLike, backwardBroadcastLike};
  table["sum_to_like"] = {2, forwardSumToLike, backwardSumToLike};
}

} // namespace clm::runtime::reference
