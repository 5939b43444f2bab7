/// \file
/// Turns each `ten.kernel` into a private function. Kernels with equal bodies and types share one.
#include "ten/transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace clm::ten {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "ten/transforms/Passes.h.inc"
namespace {

struct OutlineKernels : impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    // Each group of equal kernels, the first of which gives the function its body.
    SmallVector<SmallVector<KernelOp>> groups;
    DenseMap<unsigned, SmallVector<size_t>> groupsByHash;
    getOperation().walk([&](KernelOp kernel) {
      SmallVector<size_t> &candidates = groupsByHash[hash(kernel)];
      auto same = llvm::find_if(candidates, [&](size_t group) { return areEqual(groups[group].front(), kernel); });
      if (same != candidates.end()) {
        groups[*same].push_back(kernel);
        ++shared;
        return;
      }
      candidates.push_back(groups.size());
      groups.push_back({kernel});
    });
    SymbolTable symbols(getOperation());
    for (auto [number, group] : llvm::enumerate(groups))
      outline(group, "kernel_" + std::to_string(number), symbols);
  }

  static unsigned hash(KernelOp kernel) {
    llvm::hash_code code = llvm::hash_value(kernel->getNumOperands());
    for (Operation &op : kernel.getBody().front())
      code = llvm::hash_combine(code, op.getName().getAsOpaquePointer(), op.getNumOperands());
    return static_cast<unsigned>(code);
  }

  static bool areEqual(KernelOp a, KernelOp b) {
    return a.getOperandTypes() == b.getOperandTypes() && a.getResultTypes() == b.getResultTypes() &&
           OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
  }

  void outline(ArrayRef<KernelOp> group, const std::string &name, SymbolTable &symbols) {
    KernelOp first = group.front();
    OpBuilder builder(&getContext());
    auto type = builder.getFunctionType(first->getOperandTypes(), first->getResultTypes());
    auto function = func::FuncOp::create(first.getLoc(), name, type);
    function.setPrivate();
    function->setAttr("clm.kernel", builder.getUnitAttr());
    symbols.insert(function, getOperation().getBody()->end());
    IRMapping mapping;
    first.getBody().cloneInto(&function.getBody(), mapping);
    Operation *yield = function.front().getTerminator();
    builder.setInsertionPoint(yield);
    builder.create<func::ReturnOp>(yield->getLoc(), yield->getOperands());
    yield->erase();
    ++outlined;
    for (KernelOp kernel : group) {
      builder.setInsertionPoint(kernel);
      auto launch = builder.create<LaunchOp>(kernel.getLoc(), kernel.getResultTypes(),
                                             FlatSymbolRefAttr::get(function.getSymNameAttr()), kernel.getInputs());
      kernel.replaceAllUsesWith(launch.getOutputs());
      kernel.erase();
    }
  }
};

} // namespace
} // namespace clm::ten
