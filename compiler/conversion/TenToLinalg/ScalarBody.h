/// \file
/// What a `ten` op does at one point of its iteration domain, in the arith and math dialects.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace clm {

/// Emits the scalar code of a pointwise op. `operands` are the elements of its operands at this point. Null for an op
/// without scalar code.
mlir::Value emitScalar(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands);

/// Emits one accumulation of a reduction.
mlir::Value emitAccumulate(mlir::OpBuilder &builder, mlir::Operation *reduction, mlir::Value accumulator,
                           mlir::Value element);

/// The neutral element that a reduction starts from.
mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Operation *reduction, mlir::Type element);

} // namespace clm
