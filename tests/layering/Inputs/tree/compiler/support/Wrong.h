#include "sema/Model.h"
#include "support/Diagnostics.h"
#include <mlir/IR/BuiltinOps.h>
