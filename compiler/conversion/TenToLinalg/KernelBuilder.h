/// \file
/// From a kernel over tensors to a function over buffers that holds one `linalg.generic`.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clm {

/// Shape of the loop nest of an outlined kernel: the widest of what its ops iterate over.
llvm::ArrayRef<int64_t> kernelDomain(mlir::func::FuncOp kernel);

/// Whether result `result` of the kernel may be written into the buffer of argument `argument` while the kernel runs:
/// both are accessed at the same point in each iteration.
bool canRunInPlace(mlir::func::FuncOp kernel, unsigned argument, unsigned result);

/// Builds `name` beside `kernel`. Its arguments are the kernel's inputs, less those that share their buffer with a
/// result, then one buffer per result. `inPlace[r]` is the argument whose buffer result `r` is written to, or -1; the
/// result's buffer then holds that argument's value when the function starts.
mlir::FailureOr<mlir::func::FuncOp> buildBufferKernel(mlir::func::FuncOp kernel, llvm::ArrayRef<int> inPlace,
                                                      llvm::StringRef name, mlir::OpBuilder &builder);

} // namespace clm
