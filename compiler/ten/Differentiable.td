// The interface of ops that have a derivative.
#ifndef CLM_TEN_DIFFERENTIABLE
#define CLM_TEN_DIFFERENTIABLE

include "mlir/IR/OpBase.td"

def Differentiable : OpInterface<"Differentiable"> {
  let cppNamespace = "::clm::ten";
  let description = [{
    An op with a derivative. A unit test fails for an op that has neither this interface nor the trait `NoGradient`, and
    checks every implementation against central differences.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the cotangents of the operands from those of the results. `operandCotangents` gets one value per operand, null
      where the operand has no derivative. A cotangent has exactly the type of its operand.
    }], "::mlir::LogicalResult", "buildVjp",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandCotangents)>
  ];
}

#endif
