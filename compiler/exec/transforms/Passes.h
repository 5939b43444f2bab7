/// \file
/// Passes on the `exec` dialect; see Passes.td.
#pragma once

#include "exec/Exec.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace clm::exec {

#define GEN_PASS_DECL
#include "exec/transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "exec/transforms/Passes.h.inc"

} // namespace clm::exec
