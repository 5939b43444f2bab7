/// \file
/// Groups pointwise ops and reductions into kernels, each of which becomes one loop nest. The grouping is greedy in
/// block order; correctness rests on two facts that are checked for each op that joins: the iteration domains agree,
/// and the group stays convex (no value leaves it and comes back).
#include "ten/transforms/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace clm::ten {
#define GEN_PASS_DEF_FORMKERNELS
#include "ten/transforms/Passes.h.inc"
namespace {

ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

bool isFusible(Operation *op) { return op->hasTrait<Pointwise>() || op->hasTrait<Reduction>(); }

/// Shape of the loop nest that an op needs.
ArrayRef<int64_t> domainOf(Operation *op) {
  return op->hasTrait<Reduction>() ? shapeOf(op->getOperand(0)) : shapeOf(op->getResult(0));
}

/// A kernel being grown.
struct Group {
  SmallVector<Operation *> members;
  SmallVector<int64_t> domain;
  /// Values known to have exactly the size of the domain. Types alone do not tell two dynamic sizes apart.
  DenseSet<Value> anchors;
};

class Grouping {
public:
  Grouping(Block &block, unsigned maxOps) : maxOps(maxOps) {
    for (Operation &op : block)
      if (isFusible(&op))
        place(&op);
  }

  ArrayRef<std::unique_ptr<Group>> all() const { return groups; }

private:
  void place(Operation *op) {
    Group *home = findHome(op);
    if (!home) {
      groups.push_back(std::make_unique<Group>());
      home = groups.back().get();
      home->domain.assign(domainOf(op).begin(), domainOf(op).end());
    }
    home->members.push_back(op);
    groupOf[op] = home;
    for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()), SmallVector<Value>(op->getResults())))
      if (shapeOf(value) == ArrayRef(home->domain))
        home->anchors.insert(value);
  }

  Group *findHome(Operation *op) {
    for (const std::unique_ptr<Group> &group : llvm::reverse(groups))
      if (accepts(*group, op))
        return group.get();
    return nullptr;
  }

  bool accepts(Group &group, Operation *op) {
    if (maxOps && group.members.size() >= maxOps)
      return false;
    if (domainOf(op) != ArrayRef(group.domain) || !sharesDomain(group, op))
      return false;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer)
        continue;
      if (groupOf.lookup(producer) == &group ? producer->hasTrait<Reduction>() : reaches(&group, producer))
        return false;
    }
    return true;
  }

  /// Whether the op iterates over the same sizes as the group, not only over the same type.
  static bool sharesDomain(Group &group, Operation *op) {
    if (!ShapedType::isDynamicShape(group.domain))
      return group.domain.empty() || llvm::any_of(op->getOperands(), [&](Value v) { return touches(group, v); });
    return llvm::any_of(op->getOperands(), [&](Value v) { return group.anchors.contains(v); });
  }

  /// Fusing static siblings pays only when they read a common value.
  static bool touches(Group &group, Value value) {
    return llvm::any_of(group.members, [&](Operation *member) {
      return llvm::is_contained(member->getOperands(), value) || llvm::is_contained(member->getResults(), value);
    });
  }

  /// Whether `op`, which is outside of `group`, runs after something in it.
  bool reaches(Group *group, Operation *op) {
    SmallVector<Operation *> pending{op};
    DenseSet<Operation *> seen{op};
    while (!pending.empty()) {
      Operation *current = pending.pop_back_val();
      Group *currentGroup = groupOf.lookup(current);
      if (currentGroup == group)
        return true;
      // A kernel runs as a whole: it waits for the operands of all its members.
      ArrayRef<Operation *> unit = currentGroup ? ArrayRef<Operation *>(currentGroup->members) : ArrayRef(current);
      for (Operation *member : unit)
        for (Value operand : member->getOperands())
          if (Operation *producer = operand.getDefiningOp(); producer && seen.insert(producer).second)
            pending.push_back(producer);
    }
    return false;
  }

  unsigned maxOps;
  std::vector<std::unique_ptr<Group>> groups;
  DenseMap<Operation *, Group *> groupOf;
};

struct FormKernels : impl::FormKernelsBase<FormKernels> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    if (getOperation().isExternal() || getOperation()->hasAttr("clm.kernel"))
      return;
    Block &block = getOperation().front();
    Grouping grouping(block, maxOps);
    for (const std::unique_ptr<Group> &group : grouping.all())
      build(*group);
    sortTopologically(&block);
    for (ConstantOp constant : llvm::make_early_inc_range(block.getOps<ConstantOp>())) {
      if (constant.use_empty())
        constant.erase();
      else
        build(Group{{constant}, {}, {}}); // returned as it is, or viewed: needs a buffer
    }
  }

  /// Moves the members of a group into a new kernel op.
  void build(const Group &group) {
    DenseSet<Operation *> inside(group.members.begin(), group.members.end());
    llvm::SetVector<Value> inputs;
    SmallVector<Value> outputs;
    for (Operation *member : group.members) {
      for (Value operand : member->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            !isa_and_nonnull<ConstantOp>(producer) && !inside.contains(producer))
          inputs.insert(operand);
      for (Value result : member->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(user); }))
          outputs.push_back(result);
    }
    OpBuilder builder(group.members.back());
    SmallVector<Location> locations;
    for (Operation *member : group.members)
      locations.push_back(member->getLoc());
    auto kernel =
        builder.create<KernelOp>(builder.getFusedLoc(locations), ValueRange(outputs).getTypes(), inputs.getArrayRef());
    fillBody(kernel, group, inputs.getArrayRef(), outputs);
    for (auto [output, result] : llvm::zip(outputs, kernel.getOutputs()))
      output.replaceUsesWithIf(result, [&](OpOperand &use) { return !inside.contains(use.getOwner()); });
    for (Operation *member : llvm::reverse(group.members))
      member->erase();
    ++kernels;
    fused += group.members.size();
  }

  static void fillBody(KernelOp kernel, const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
    Block &body = kernel.getBody().emplaceBlock();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    for (Operation *member : group.members) {
      for (Value operand : member->getOperands())
        if (auto constant = operand.getDefiningOp<ConstantOp>(); constant && !mapping.contains(operand))
          builder.clone(*constant, mapping);
      builder.clone(*member, mapping);
    }
    SmallVector<Value> yielded;
    for (Value output : outputs)
      yielded.push_back(mapping.lookup(output));
    builder.create<YieldOp>(kernel.getLoc(), yielded);
  }
};

} // namespace
} // namespace clm::ten
