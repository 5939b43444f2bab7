// Passes on the `exec` dialect.
#ifndef CLM_EXEC_PASSES
#define CLM_EXEC_PASSES

include "mlir/Pass/PassBase.td"

def PlanMemory : Pass<"exec-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Places temporary buffers in one workspace";
  let description = [{
    A buffer lives from its first to its last use. Buffers whose lives do not overlap share a slot; a slot is as large as its
    largest buffer. Sizes that depend on the batch are computed at the start of the function, so that any batch size works.

        %a = exec.alloc(%b) : memref<?x64xf32>   =>   %w = exec.workspace %bytes : memref<?xi8>
                                                      %a = memref.view %w[%offset][%b] : memref<?x64xf32>

    `share=false` gives every buffer its own slot.
  }];
  let options = [Option<"share", "share", "bool", "true", "Let buffers with disjoint lives share a slot">];
  let dependentDialects = ["::clm::exec::ExecDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"buffers", "buffers", "Temporary buffers">, Statistic<"slots", "slots", "Workspace slots">];
}

#endif
