/// \file
/// Reverse-mode differentiation of straight-line `ten` code. One `ten.gradient` at a time: the ops between the values
/// differentiated with respect to and the scalar are visited once, in reverse order.
#include "ten/Derivatives.h"
#include "ten/transforms/Passes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace clm::ten {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "ten/transforms/Passes.h.inc"
namespace {

/// Cotangents collected so far, by value.
class Cotangents {
public:
  Cotangents(OpBuilder &builder, Location location) : builder(builder), location(location) {}

  void add(Value value, Value cotangent) {
    Value &sum = sums[value];
    sum = sum ? builder.create<AddOp>(location, sum, cotangent).getResult() : cotangent;
  }
  Value lookup(Value value) const { return sums.lookup(value); }

private:
  OpBuilder &builder;
  Location location;
  DenseMap<Value, Value> sums;
};

struct Differentiate : impl::DifferentiateBase<Differentiate> {
  void runOnOperation() override {
    SmallVector<GradientOp> gradients;
    getOperation().walk([&](GradientOp op) { gradients.push_back(op); });
    for (GradientOp gradient : gradients)
      if (failed(expand(gradient)))
        return signalPassFailure();
    // With the gradients expanded, `ten.detach` has done its work.
    getOperation().walk([](DetachOp detach) {
      detach.replaceAllUsesWith(detach.getOperand());
      detach.erase();
    });
  }

  /// Ops of the block before `gradient` whose results depend on a value differentiated with respect to, in order.
  static SmallVector<Operation *> dependentOps(GradientOp gradient, DenseSet<Value> &dependent) {
    dependent.insert(gradient.getWithRespectTo().begin(), gradient.getWithRespectTo().end());
    SmallVector<Operation *> ops;
    for (Operation &op : *gradient->getBlock()) {
      if (&op == gradient.getOperation())
        break;
      if (op.hasTrait<NoGradient>() || llvm::none_of(op.getOperands(), [&](Value v) { return dependent.contains(v); }))
        continue;
      dependent.insert(op.result_begin(), op.result_end());
      ops.push_back(&op);
    }
    return ops;
  }

  LogicalResult expand(GradientOp gradient) {
    OpBuilder builder(gradient);
    Cotangents cotangents(builder, gradient.getLoc());
    DenseSet<Value> dependent;
    SmallVector<Operation *> ops = dependentOps(gradient, dependent);
    cotangents.add(gradient.getValue(), constantLike(builder, gradient.getLoc(), 1, gradient.getValue()));

    for (Operation *op : llvm::reverse(ops)) {
      Value cotangent = op->getNumResults() == 1 ? cotangents.lookup(op->getResult(0)) : Value();
      if (!cotangent)
        continue;
      auto differentiable = dyn_cast<Differentiable>(op);
      if (!differentiable)
        return op->emitOpError("has no derivative");
      SmallVector<Value> operandCotangents;
      if (failed(differentiable.buildVjp(builder, cotangent, operandCotangents)))
        return failure();
      ++differentiated;
      for (auto [operand, operandCotangent] : llvm::zip_equal(op->getOperands(), operandCotangents))
        if (operandCotangent && dependent.contains(operand))
          cotangents.add(operand, operandCotangent);
    }

    SmallVector<Value> results;
    for (Value value : gradient.getWithRespectTo()) {
      Value cotangent = cotangents.lookup(value);
      if (!cotangent) {
        Value zero = constantLike(builder, gradient.getLoc(), 0, value);
        cotangent = builder.createOrFold<BroadcastLikeOp>(gradient.getLoc(), value.getType(), zero, value);
      }
      results.push_back(cotangent);
    }
    gradient.replaceAllUsesWith(results);
    gradient.erase();
    return success();
  }
};

} // namespace
} // namespace clm::ten
