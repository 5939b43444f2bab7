/// \file
/// Helpers shared by the derivative rules of the `ten` ops.
#pragma once

#include "ten/Ten.h"

namespace clm::ten {

/// Sums a cotangent down to the shape of the operand it belongs to, undoing the stretch of an elementwise op.
inline mlir::Value sumToOperand(mlir::OpBuilder &builder, mlir::Location location, mlir::Value cotangent,
                                mlir::Value operand) {
  if (cotangent.getType() == operand.getType())
    return cotangent;
  return builder.create<SumToLikeOp>(location, operand.getType(), cotangent, operand);
}

/// A scalar constant of the element type of `like`.
inline mlir::Value constantLike(mlir::OpBuilder &builder, mlir::Location location, double number, mlir::Value like) {
  auto element = mlir::cast<mlir::RankedTensorType>(like.getType()).getElementType();
  return builder.create<ConstantOp>(location, mlir::RankedTensorType::get({}, element),
                                    builder.getF64FloatAttr(number));
}

} // namespace clm::ten
