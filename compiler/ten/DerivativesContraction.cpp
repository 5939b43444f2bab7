/// \file
/// Derivatives of matrix products, of views, and of functions that bring their own.
#include "ten/Derivatives.h"

using namespace mlir;

namespace clm::ten {

/// With A = op(a) and B = op(b): dA = dC Bᵀ and dB = Aᵀ dC, each written so that the transposition of `a` or `b` is a
/// flag.
LogicalResult MatMulOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  bool transposeLhs = getTransposeLhs(), transposeRhs = getTransposeRhs();
  auto product = [&](Value a, Value b, bool transposeA, bool transposeB, Value like) -> Value {
    Value value = builder.create<MatMulOp>(getLoc(), a, b, transposeA, transposeB);
    // Shapes inferred from the cotangent may be dynamic where the operand's type knows the size; both are the same.
    if (value.getType() != like.getType())
      value.setType(cast<RankedTensorType>(like.getType()));
    return value;
  };
  Value ct = cts[0];
  Value toLhs = transposeLhs ? product(getRhs(), ct, transposeRhs, true, getLhs())
                             : product(ct, getRhs(), false, !transposeRhs, getLhs());
  Value toRhs = transposeRhs ? product(ct, getLhs(), true, transposeLhs, getRhs())
                             : product(getLhs(), ct, !transposeLhs, false, getRhs());
  out.assign({toLhs, toRhs});
  return success();
}

LogicalResult ReshapeOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({builder.create<ReshapeOp>(getLoc(), getOperand().getType(), cts[0])});
  return success();
}

LogicalResult ApplyOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  SmallVector<Value> inputs(getInputs());
  inputs.append({getResult(), cts[0]});
  auto call = builder.create<CallOp>(getLoc(), getInputs().getTypes(), getDerivativeAttr(), inputs);
  out.assign(call.getOutputs().begin(), call.getOutputs().end());
  return success();
}

} // namespace clm::ten
