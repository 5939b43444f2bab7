/// \file
/// Inlines the straight-line functions behind `ten.apply` and `ten.call`.
#include "ten/transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace clm::ten {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "ten/transforms/Passes.h.inc"
namespace {

struct InlineFunctions : impl::InlineFunctionsBase<InlineFunctions> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<Operation *> inlined;
    // Functions may apply functions; sema has excluded recursion, so that this ends.
    for (bool changed = true; changed;) {
      SmallVector<Operation *> calls;
      getOperation().walk([&](Operation *op) {
        if (isa<ApplyOp, CallOp>(op))
          calls.push_back(op);
      });
      changed = !calls.empty();
      for (Operation *call : calls) {
        StringRef callee = isa<ApplyOp>(call) ? cast<ApplyOp>(call).getForward() : cast<CallOp>(call).getCallee();
        auto function = symbols.lookup<func::FuncOp>(callee);
        inlined.insert(function);
        if (auto apply = dyn_cast<ApplyOp>(call))
          inlined.insert(symbols.lookup(apply.getDerivative()));
        inlineCall(call, function);
      }
    }
    for (Operation *function : inlined)
      if (SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function->erase();
  }

  static void inlineCall(Operation *call, func::FuncOp function) {
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(function.getArguments(), call->getOperands());
    for (Operation &op : function.front().without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : function.front().getTerminator()->getOperands())
      results.push_back(mapping.lookup(value));
    call->replaceAllUsesWith(results);
    call->erase();
  }
};

} // namespace
} // namespace clm::ten
