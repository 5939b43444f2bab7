/// \file
/// The `exec` dialect: the host program over buffers. See ExecOps.td for the meaning of its ops.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "exec/ExecDialect.h.inc"
#define GET_OP_CLASSES
#include "exec/ExecOps.h.inc"
