/// \file
/// The C entry points of a module, and what LLVM may assume of its kernels.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace clm {

/// Notes the ranks of each function's buffers before conversion takes their types apart.
void recordRanks(mlir::ModuleOp module);

/// Adds `clm_<name>(context, arguments, results)` for each exported function, makes everything else internal, and marks
/// the buffers of kernels `noalias`.
void addEntryPoints(mlir::ModuleOp module);

} // namespace clm
