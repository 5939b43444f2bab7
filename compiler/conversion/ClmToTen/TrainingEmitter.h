/// \file
/// What follows the losses in a training step: the gradient, the gradient rules, the optimizer and the clamps.
#pragma once

#include "conversion/ClmToTen/Signature.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace clm {

class TrainingEmitter {
public:
  TrainingEmitter(mlir::OpBuilder &builder, Signature &signature, mlir::IRMapping &mapping, bool probes)
      : builder(builder), signature(signature), mapping(mapping), probes(probes) {}

  /// Emits the training part of the function whose effects these are; nothing when it has no optimizer.
  void emit(llvm::ArrayRef<mlir::Operation *> effects);

private:
  void takeGradient(decl::OptimizeOp optimize);
  void scale(decl::ScaleGradientOp rule);
  void clipNorm(decl::ClipNormOp rule);
  void optimize(decl::OptimizeOp optimize);
  void clamp(decl::ClampOp clamp);
  void probeGradients(const llvm::Twine &stage);
  void probe(const llvm::Twine &name, mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value castTo(mlir::Value value, mlir::Value like);

  mlir::OpBuilder &builder;
  Signature &signature;
  mlir::IRMapping &mapping;
  bool probes;
  llvm::SmallVector<llvm::StringRef> entries;
  llvm::StringMap<mlir::Value> gradients;
  llvm::StringMap<mlir::Value> values; // after the optimizer
};

} // namespace clm
