/// \file
/// The order of the passes: the table of contents of the compiler.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace clm {

struct PipelineOptions {
  /// `step` also returns named intermediate values.
  bool probes = false;
  /// Several ops in one loop nest. Off: each op is its own kernel.
  bool fuseKernels = true;
  /// Temporary buffers share workspace.
  bool shareMemory = true;
  /// Canonicalization and common subexpressions.
  bool simplify = true;
};

/// From the declared model to pure functions, not yet differentiated.
void addDeclarationPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
/// Differentiation and simplification of pure functions.
void addTensorPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
/// Kernels and the host program over planned memory.
void addExecutionPasses(mlir::OpPassManager &manager, const PipelineOptions &options);
/// Down to the LLVM dialect.
void addLoweringPasses(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Registers the project's passes and dialects, for tools that read textual IR.
void registerPasses();
void registerDialects(mlir::DialectRegistry &registry);

} // namespace clm
