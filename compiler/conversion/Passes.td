// Conversions between dialects, in pipeline order.
#ifndef CLM_CONVERSION_PASSES
#define CLM_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertClmToTen : Pass<"clm-to-ten", "::mlir::ModuleOp"> {
  let summary = "Turns the functions of a model into pure functions over tensors";
  let description = [{
    What a function reads becomes an argument, what it updates or outputs a result; argument and result attributes (`clm.kind`,
    `clm.name`, `clm.shape`, `clm.tied`) keep their meaning for the manifest. In `step` the losses are added up, their
    gradient is taken with `ten.gradient`, and gradient rules, optimizer and clamps follow in the order written. Declarations
    stay in the `clm.model`.

    With `probes`, `step` also returns gradients after every stage and the values marked `probe`.
  }];
  let options = [Option<"probes", "probes", "bool", "false", "Return named intermediate values">];
  let dependentDialects = ["::clm::ten::TenDialect", "::mlir::func::FuncDialect"];
}

def ConvertTenToExec : Pass<"ten-to-exec", "::mlir::ModuleOp"> {
  let summary = "Turns pure functions into host programs over buffers";
  let description = [{
    Each value gets a buffer. A result that is tied to an argument is computed in the argument's buffer when nothing reads
    the old value later, else in a temporary that is copied at the end. Kernels become functions over memrefs that hold one
    `linalg.generic` each; a kernel that writes into one of its inputs takes that buffer once.
  }];
  let dependentDialects = ["::clm::exec::ExecDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"inPlace", "in-place", "Results computed in their argument's buffer">,
                    Statistic<"copied", "copied", "Results copied into their argument">];
}

def ApproximateMath : Pass<"clm-approximate-math", "::mlir::ModuleOp"> {
  let summary = "Replaces exp, log and tanh of f32 by polynomials that vectorize";
  let description = "Errors are at most 1 ulp for exp and log and 5 ulp for tanh. Functions of f64 stay library calls.";
  let dependentDialects = ["::mlir::math::MathDialect", "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def ConvertExecToLlvm : Pass<"exec-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lowers host programs and kernels to the LLVM dialect";
  let description = [{
    Library calls become calls of the runtime's C functions. Each exported function `f` gets an entry point
    `clm_f(context, arguments, results)` of the C type `clm_function`. Buffers of a kernel are marked `noalias`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
