#include "sema/Model.h"
#include <ATen/core/Tensor.h>
#include <llvm/ADT/StringRef.h>
