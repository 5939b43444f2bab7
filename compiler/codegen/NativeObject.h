/// \file
/// From a module in the LLVM dialect to machine code of this machine's processor.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace clm {

/// Processor name and feature list that code is generated for; part of the key of the object cache.
std::string targetDescription();

/// Translates the module to LLVM IR and optimizes it. Returns the IR as text.
llvm::Expected<std::string> emitLlvmText(mlir::ModuleOp module);

/// Translates, optimizes and assembles: the relocatable object, position-independent.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emitObject(mlir::ModuleOp module);

} // namespace clm
