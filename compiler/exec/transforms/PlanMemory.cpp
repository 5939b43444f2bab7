/// \file
/// Static memory planning with sizes known only at run time: the assignment of buffers to slots is fixed when
/// compiling, the slots' sizes and offsets are arithmetic at the start of the function.
#include "exec/transforms/Passes.h"

using namespace mlir;

namespace clm::exec {
#define GEN_PASS_DEF_PLANMEMORY
#include "exec/transforms/Passes.h.inc"
namespace {

constexpr int64_t alignment = 64;

/// A temporary and the positions of its first and last use in the block.
struct Buffer {
  AllocOp alloc;
  unsigned first = 0, last = 0;
  unsigned slot = 0;
};

struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    SmallVector<Buffer> all = collect(getOperation().front());
    if (all.empty())
      return;
    unsigned slotCount = assignSlots(all);
    buffers += all.size();
    slots += slotCount;
    rewrite(all, slotCount);
  }

  static SmallVector<Buffer> collect(Block &block) {
    DenseMap<Operation *, unsigned> position;
    for (auto [index, op] : llvm::enumerate(block))
      position[&op] = index;
    SmallVector<Buffer> all;
    for (AllocOp alloc : block.getOps<AllocOp>()) {
      Buffer buffer{alloc, position[alloc], position[alloc]};
      // A view of a buffer keeps it alive.
      SmallVector<Value> pending{alloc.getBuffer()};
      while (!pending.empty())
        for (Operation *user : pending.pop_back_val().getUsers()) {
          buffer.last = std::max(buffer.last, position[user]);
          if (isa<memref::ReinterpretCastOp>(user))
            pending.push_back(user->getResult(0));
        }
      all.push_back(buffer);
    }
    return all;
  }

  /// Linear scan: a buffer takes the slot that became free latest, which keeps the cache warm.
  unsigned assignSlots(MutableArrayRef<Buffer> all) const {
    SmallVector<unsigned> lastUse;
    for (Buffer &buffer : all) {
      int best = -1;
      for (auto [slot, last] : llvm::enumerate(lastUse))
        if (share && last < buffer.first && (best < 0 || last > lastUse[best]))
          best = static_cast<int>(slot);
      if (best < 0) {
        best = static_cast<int>(lastUse.size());
        lastUse.push_back(0);
      }
      buffer.slot = best;
      lastUse[best] = buffer.last;
    }
    return lastUse.size();
  }

  /// Size of a buffer in bytes, rounded up to the alignment.
  static Value byteSize(OpBuilder &builder, AllocOp alloc) {
    Location location = alloc.getLoc();
    auto type = cast<MemRefType>(alloc.getBuffer().getType());
    int64_t fixed = std::max(1u, type.getElementTypeBitWidth() / 8);
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        fixed *= size;
    if (alloc.getSizes().empty())
      return builder.create<arith::ConstantIndexOp>(location, llvm::alignTo(fixed, alignment));
    Value bytes = builder.create<arith::ConstantIndexOp>(location, fixed);
    for (Value size : alloc.getSizes())
      bytes = builder.create<arith::MulIOp>(location, bytes, size);
    Value padding = builder.create<arith::ConstantIndexOp>(location, alignment - 1);
    Value mask = builder.create<arith::ConstantIndexOp>(location, ~(alignment - 1));
    return builder.create<arith::AndIOp>(location, builder.create<arith::AddIOp>(location, bytes, padding), mask);
  }

  static void rewrite(MutableArrayRef<Buffer> all, unsigned slotCount) {
    // Sizes come from arguments, so that everything the plan needs can be computed before the first buffer.
    OpBuilder builder(all.front().alloc);
    Location location = all.front().alloc.getLoc();
    SmallVector<Value> slotSizes(slotCount);
    for (Buffer &buffer : all) {
      for (Value size : buffer.alloc.getSizes())
        if (Operation *producer = size.getDefiningOp(); producer && !producer->isBeforeInBlock(all.front().alloc))
          producer->moveBefore(all.front().alloc);
      Value bytes = byteSize(builder, buffer.alloc);
      Value &slot = slotSizes[buffer.slot];
      slot = slot ? builder.create<arith::MaxUIOp>(location, slot, bytes).getResult() : bytes;
    }
    SmallVector<Value> offsets;
    Value total = builder.create<arith::ConstantIndexOp>(location, 0);
    for (Value size : slotSizes) {
      offsets.push_back(total);
      total = builder.create<arith::AddIOp>(location, total, size);
    }
    auto workspaceType = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
    Value workspace = builder.create<WorkspaceOp>(location, workspaceType, total);
    for (Buffer &buffer : all) {
      builder.setInsertionPoint(buffer.alloc);
      Value view = builder.create<memref::ViewOp>(location, buffer.alloc.getBuffer().getType(), workspace,
                                                  offsets[buffer.slot], buffer.alloc.getSizes());
      buffer.alloc.getBuffer().replaceAllUsesWith(view);
      buffer.alloc.erase();
    }
  }
};

} // namespace
} // namespace clm::exec
