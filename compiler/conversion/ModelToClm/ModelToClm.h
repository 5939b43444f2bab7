/// \file
/// From sema's typed model to the `clm` dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "sema/Model.h"
#include "support/SourceFile.h"

namespace clm {

/// Builds a module that holds one `clm.model` and the functions that bring their own derivative. `sources` gives the
/// ops their locations. The dialects must be loadable into `context`.
mlir::OwningOpRef<mlir::ModuleOp> convertModelToClm(const sema::Model &model, const SourceManager &sources,
                                                    mlir::MLIRContext &context);

} // namespace clm
