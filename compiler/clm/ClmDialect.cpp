/// \file
/// Registration and verification of the `clm` dialect.
#include "clm/Clm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace clm::decl {

LogicalResult MaskOp::verify() {
  auto value = cast<RankedTensorType>(getValue().getType()), gate = cast<RankedTensorType>(getGate().getType());
  auto dim = static_cast<int64_t>(getDim());
  if (dim < 0 || dim >= value.getRank())
    return emitOpError("acts on dimension ") << dim << " of a value of rank " << value.getRank();
  if (gate.getRank() != 1 || gate.getDimSize(0) != value.getDimSize(dim))
    return emitOpError("mask has type ") << gate << ", but the masked axis has size " << value.getDimSize(dim);
  return success();
}

void ClmDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "clm/ClmOps.cpp.inc"
      >();
}

} // namespace clm::decl

#include "clm/ClmDialect.cpp.inc"
#define GET_OP_CLASSES
#include "clm/ClmOps.cpp.inc"
