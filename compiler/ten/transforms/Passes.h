/// \file
/// Passes on the `ten` dialect; see Passes.td.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "ten/Ten.h"

namespace clm::ten {

#define GEN_PASS_DECL
#include "ten/transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "ten/transforms/Passes.h.inc"

} // namespace clm::ten
