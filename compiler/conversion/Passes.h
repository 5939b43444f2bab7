/// \file
/// Conversions between dialects; see Passes.td.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace clm {

#define GEN_PASS_DECL
#include "conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "conversion/Passes.h.inc"

} // namespace clm
