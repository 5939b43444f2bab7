/// \file
/// The `clm` dialect: what a spec declares. See ClmOps.td for the meaning of its ops.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "clm/ClmDialect.h.inc"
#define GET_OP_CLASSES
#include "clm/ClmOps.h.inc"
