/// \file
/// The `ten` dialect: pure, differentiable ops on builtin tensors. See TenOps.td for their meaning.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace clm::ten {

template <typename ConcreteType>
class NoGradient : public mlir::OpTrait::TraitBase<ConcreteType, NoGradient> {};

template <typename ConcreteType>
class Pointwise : public mlir::OpTrait::TraitBase<ConcreteType, Pointwise> {};

template <typename ConcreteType>
class Reduction : public mlir::OpTrait::TraitBase<ConcreteType, Reduction> {};

/// Shape of an elementwise result by NumPy's rules; a dynamic dimension stands for "equal to its partner". Returns
/// failure when two static sizes differ and neither is 1.
mlir::FailureOr<llvm::SmallVector<int64_t>> broadcastShapes(mlir::ValueRange operands);

} // namespace clm::ten

#include "ten/Differentiable.h.inc"
#include "ten/TenDialect.h.inc"
#include "ten/TenEnums.h.inc"
#define GET_OP_CLASSES
#include "ten/TenOps.h.inc"
