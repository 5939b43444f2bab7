/// \file
/// From `ten` functions, as `clm-to-ten` wrote them, to the instruction lists that the reference executor interprets.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/reference/Program.h"

#include <string>

namespace clm {

/// Translates every function of the module. On failure returns false and says in `error` which op has no instruction.
bool convertToReference(mlir::ModuleOp module, runtime::reference::Program &program, std::string &error);

/// Translates one function.
bool convertToReference(mlir::func::FuncOp function, runtime::reference::Function &result, std::string &error);

} // namespace clm
