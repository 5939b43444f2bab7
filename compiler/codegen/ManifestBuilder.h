/// \file
/// Makes a module's manifest from its declarations and the signatures of its `ten` functions.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "runtime/module/Manifest.h"

namespace clm {

/// Reads the `clm.model` and the argument and result attributes of every exported function; call it after `clm-to-ten`.
runtime::Manifest buildManifest(mlir::ModuleOp module);

/// Adds the manifest as the constant `clm_manifest` to a module in the LLVM dialect.
void addManifestConstant(mlir::ModuleOp module, const std::string &text);

} // namespace clm
