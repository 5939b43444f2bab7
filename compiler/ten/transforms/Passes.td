// Passes on the `ten` dialect, in pipeline order.
#ifndef CLM_TEN_PASSES
#define CLM_TEN_PASSES

include "mlir/Pass/PassBase.td"

def Differentiate : Pass<"ten-differentiate", "::mlir::func::FuncOp"> {
  let summary = "Replaces `ten.gradient` by reverse-mode code";
  let description = [{
    Walks backwards from the scalar through the ops that depend on the values differentiated with respect to, asks each op's
    `Differentiable` interface for its rule, and adds up cotangents of values with several users.

        %l = ten.reduce_sum %y over [0]              %c = ten.constant 1.0
        %g = ten.gradient %l with_respect_to (%x)  =>  %b = ten.broadcast_like %c, %y ...  (the rule of reduce_sum)
                                                       ...                                 (the rule of %y's op)

    Fails at an op on the path that has no derivative. `ten.detach`, which only stops differentiation, is removed.
  }];
  let dependentDialects = ["::clm::ten::TenDialect"];
  let statistics = [Statistic<"differentiated", "differentiated-ops", "Ops whose rule was built">];
}

def InlineFunctions : Pass<"ten-inline-functions", "::mlir::ModuleOp"> {
  let summary = "Inlines the functions that `ten.apply` and `ten.call` name";
  let description = [{
    Runs after `ten-differentiate`, which needs `ten.apply` whole. Functions left without a user are erased.

        %y = ten.apply @gate derivative @gate_vjp(%x)   =>   %y = ten.sigmoid %x
  }];
  let dependentDialects = ["::clm::ten::TenDialect"];
}

def FormKernels : Pass<"ten-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Groups pointwise ops and reductions into loop nests";
  let description = [{
    Walks each block in order. An op joins the kernel of one of its operands (or the latest with the same iteration domain)
    when the domains agree and no value would have to leave the kernel and return; a reduction closes a path, because its
    result is complete only when the loop ends. Scalar constants are copied into every kernel that reads them.

        %a = ten.tanh %x : ...            %m = ten.kernel(%p = %x, %q = %g) {
        %m = ten.mul %a, %g : ...    =>     %a = ten.tanh %p
                                            %m = ten.mul %a, %q
                                            ten.yield %m }

    Run `canonicalize` and `cse` first. `max-ops=1` gives every op its own kernel.
  }];
  let options = [Option<"maxOps", "max-ops", "unsigned", "0", "Ops in one kernel at most; 0 for no limit">];
  let dependentDialects = ["::clm::ten::TenDialect"];
  let statistics = [Statistic<"kernels", "kernels", "Kernels formed">,
                    Statistic<"fused", "fused-ops", "Ops moved into a kernel">];
}

def OutlineKernels : Pass<"ten-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns kernels into private functions, equal ones shared";
  let description = [{
        %m = ten.kernel(%p = %x) { ... }   =>   %m = ten.launch @kernel_0(%x)
                                                func.func private @kernel_0(%p) attributes {clm.kernel} { ... }
  }];
  let dependentDialects = ["::clm::ten::TenDialect", "::mlir::func::FuncDialect"];
  let statistics = [Statistic<"outlined", "outlined", "Kernels outlined">,
                    Statistic<"shared", "shared", "Kernels that another place had already outlined">];
}

#endif
