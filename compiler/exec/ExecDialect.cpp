/// \file
/// Registration and verification of the `exec` dialect.
#include "exec/Exec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace clm::exec {

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (type.getNumDynamicDims() != static_cast<int64_t>(getSizes().size()))
    return emitOpError("has ") << getSizes().size() << " sizes for " << type.getNumDynamicDims()
                               << " dynamic dimensions";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("refers to an unknown kernel ") << getKernelAttr();
  if (kernel.getArgumentTypes() != getBuffers().getTypes())
    return emitOpError("does not fit the type of ") << getKernelAttr();
  return success();
}

void ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "exec/ExecOps.cpp.inc"
      >();
}

} // namespace clm::exec

#include "exec/ExecDialect.cpp.inc"
#define GET_OP_CLASSES
#include "exec/ExecOps.cpp.inc"
