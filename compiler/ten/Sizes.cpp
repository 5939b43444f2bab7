/// \file
/// One rule per op family: which operand's dimension a result's dimension equals.
#include "ten/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace clm::ten {

namespace {

struct Dimension {
  Value value;
  int64_t dim;
};

int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// Dimension number of the n-th dynamic dimension of a type.
int64_t nthDynamic(RankedTensorType type, int64_t n) {
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) && n-- == 0)
      return dim;
  llvm_unreachable("fewer dynamic dimensions than asked for");
}

/// A stretched dimension is never dynamic, so that any operand that is dynamic at the aligned place has the size.
Dimension elementwiseStep(Operation *op, int64_t dim) {
  int64_t fromEnd = rankOf(op->getResult(0)) - dim;
  for (Value operand : op->getOperands()) {
    int64_t operandDim = rankOf(operand) - fromEnd;
    if (operandDim >= 0 && cast<RankedTensorType>(operand.getType()).isDynamicDim(operandDim))
      return {operand, operandDim};
  }
  llvm_unreachable("a dynamic dimension that no operand has");
}

Dimension reductionStep(Value operand, ArrayRef<int64_t> dims, int64_t dim) {
  for (int64_t source = 0; source < rankOf(operand); ++source)
    if (!llvm::is_contained(dims, source) && dim-- == 0)
      return {operand, source};
  llvm_unreachable("a dimension beyond the rank");
}

/// One step back; for a launch, through the kernel's body.
Dimension step(OpResult result, int64_t dim) {
  Operation *op = result.getOwner();
  return llvm::TypeSwitch<Operation *, Dimension>(op)
      .Case([&](ReduceSumOp reduce) { return reductionStep(reduce.getOperand(), reduce.getDims(), dim); })
      .Case([&](ReduceMaxOp reduce) { return reductionStep(reduce.getOperand(), reduce.getDims(), dim); })
      .Case([&](SumToLikeOp sum) { return Dimension{sum.getLike(), dim}; })
      .Case([&](BroadcastLikeOp broadcast) { return Dimension{broadcast.getLike(), dim}; })
      .Case([&](OneHotOp oneHot) {
        return dim == 0 ? Dimension{oneHot.getLabels(), 0} : Dimension{oneHot.getLike(), rankOf(oneHot.getLike()) - 1};
      })
      .Case([&](MatMulOp matmul) {
        return dim == 0 ? Dimension{matmul.getLhs(), matmul.getTransposeLhs() ? 1 : 0}
                        : Dimension{matmul.getRhs(), matmul.getTransposeRhs() ? 0 : 1};
      })
      .Case([&](ReshapeOp reshape) {
        ArrayRef<int64_t> before = cast<RankedTensorType>(result.getType()).getShape().take_front(dim);
        int64_t n = llvm::count_if(before, ShapedType::isDynamic);
        return Dimension{reshape.getOperand(), nthDynamic(cast<RankedTensorType>(reshape.getOperand().getType()), n)};
      })
      .Case([&](GradientOp gradient) { return Dimension{gradient.getWithRespectTo()[result.getResultNumber()], dim}; })
      .Case([&](KernelOp kernel) {
        DimensionSource inner =
            dimensionSource(kernel.getBody().front().getTerminator()->getOperand(result.getResultNumber()), dim);
        return Dimension{kernel.getInputs()[inner.argument.getArgNumber()], inner.dim};
      })
      .Case([&](LaunchOp launch) {
        auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
        DimensionSource inner =
            dimensionSource(kernel.front().getTerminator()->getOperand(result.getResultNumber()), dim);
        return Dimension{launch.getInputs()[inner.argument.getArgNumber()], inner.dim};
      })
      .Default([&](Operation *other) { return elementwiseStep(other, dim); });
}

} // namespace

DimensionSource dimensionSource(Value value, int64_t dim) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Dimension next = step(result, dim);
    value = next.value;
    dim = next.dim;
  }
  return {cast<BlockArgument>(value), dim};
}

} // namespace clm::ten
