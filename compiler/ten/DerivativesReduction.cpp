/// \file
/// Derivatives of the reductions: the cotangent returns to every element that was reduced.
#include "ten/Derivatives.h"

using namespace mlir;

namespace clm::ten {

/// Gives `value` (the shape that is left after reducing `dims` of `operand`) size-1 dimensions at `dims` again.
static Value restoreDimensions(OpBuilder &builder, Location location, Value value, Value operand,
                               ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(operand.getType()).getShape());
  for (int64_t dim : dims)
    shape[dim] = 1;
  auto type = RankedTensorType::get(shape, cast<RankedTensorType>(value.getType()).getElementType());
  return builder.createOrFold<ReshapeOp>(location, type, value);
}

LogicalResult ReduceSumOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  Value restored = restoreDimensions(builder, getLoc(), cts[0], getOperand(), getDims());
  out.assign({builder.createOrFold<BroadcastLikeOp>(getLoc(), getOperand().getType(), restored, getOperand())});
  return success();
}

LogicalResult ReduceMaxOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  Location location = getLoc();
  Value highest = restoreDimensions(builder, location, getResult(), getOperand(), getDims());
  Value isHighest = builder.create<CompareOp>(location, Predicate::eq, getOperand(), highest);
  Value one = constantLike(builder, location, 1, cts[0]), zero = constantLike(builder, location, 0, cts[0]);
  Value ones = builder.create<SelectOp>(location, isHighest, one, zero);
  Value ties = builder.create<ReduceSumOp>(location, ones, getDims());
  Value share =
      restoreDimensions(builder, location, builder.create<DivOp>(location, cts[0], ties), getOperand(), getDims());
  out.assign({builder.create<MulOp>(location, ones, share)});
  return success();
}

LogicalResult SumToLikeOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({builder.createOrFold<BroadcastLikeOp>(getLoc(), getOperand().getType(), cts[0], getOperand()), Value()});
  return success();
}

} // namespace clm::ten
