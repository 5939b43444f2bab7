/// \file
/// One `clm.function` at a time becomes a `func.func`. `Signature` collects arguments and results, `TrainingEmitter`
/// writes what follows the gradient.
#include "conversion/ClmToTen/Signature.h"
#include "conversion/ClmToTen/TrainingEmitter.h"
#include "conversion/Passes.h"

#include "clm/Clm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "ten/Ten.h"

using namespace mlir;

namespace clm {
#define GEN_PASS_DEF_CONVERTCLMTOTEN
#include "conversion/Passes.h.inc"
namespace {

/// The gate [n] in the shape that stretches along `dim` of a value: size 1 behind it.
Value alignGate(OpBuilder &builder, decl::MaskOp mask, Value gate, Value value) {
  auto valueType = cast<RankedTensorType>(value.getType());
  auto gateType = cast<RankedTensorType>(gate.getType());
  SmallVector<int64_t> shape{gateType.getDimSize(0)};
  shape.append(valueType.getRank() - 1 - static_cast<int64_t>(mask.getDim()), 1);
  return builder.createOrFold<ten::ReshapeOp>(mask.getLoc(), RankedTensorType::get(shape, gateType.getElementType()),
                                              gate);
}

struct ConvertClmToTen : impl::ConvertClmToTenBase<ConvertClmToTen> {
  using ConvertClmToTenBase::ConvertClmToTenBase;

  void runOnOperation() override {
    for (decl::ModelOp model : getOperation().getOps<decl::ModelOp>())
      for (decl::FunctionOp function : llvm::make_early_inc_range(model.getBody().front().getOps<decl::FunctionOp>())) {
        if (failed(convert(model, function)))
          return signalPassFailure();
        function.erase();
      }
  }

  LogicalResult convert(decl::ModelOp model, decl::FunctionOp source) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointToEnd(getOperation().getBody());
    auto function = builder.create<func::FuncOp>(source.getLoc(), source.getSymName(), builder.getFunctionType({}, {}));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    Signature signature(model, *body);

    IRMapping mapping;
    SmallVector<Operation *> effects;
    for (Operation &op : source.getBody().front()) {
      if (op.getNumResults() == 0)
        effects.push_back(&op);
      else if (failed(emitValue(builder, signature, mapping, op)))
        return failure();
    }
    emitLosses(builder, signature, mapping, effects);
    TrainingEmitter(builder, signature, mapping, probes).emit(effects);
    for (Operation *op : effects) {
      if (auto output = dyn_cast<decl::OutputOp>(op); output && (!output.getProbe() || probes))
        signature.addOutput(output.getName(), mapping.lookup(output.getValue()), output.getShape());
      if (auto update = dyn_cast<decl::UpdateOp>(op)) {
        bool first = source.getSymName() == "init" || source.getSymName() == "arrive";
        signature.addUpdate(update.getEntry(), mapping.lookup(update.getValue()), first);
      }
    }
    signature.finish(builder, function);
    return success();
  }

  /// Translates an op that has a result.
  static LogicalResult emitValue(OpBuilder &builder, Signature &signature, IRMapping &mapping, Operation &op) {
    if (auto read = dyn_cast<decl::ReadOp>(op))
      mapping.map(op.getResult(0), signature.entry(read.getEntry(), op.getLoc()));
    else if (isa<decl::InputOp>(op))
      mapping.map(op.getResult(0), signature.input(op.getResult(0).getType(), op.getLoc()));
    else if (isa<decl::LabelOp>(op))
      mapping.map(op.getResult(0), signature.label(op.getResult(0).getType(), op.getLoc()));
    else if (auto scalar = dyn_cast<decl::ScalarOp>(op))
      mapping.map(op.getResult(0), signature.scalar(scalar.getName(), op.getLoc()));
    else if (auto draw = dyn_cast<decl::DrawOp>(op))
      mapping.map(op.getResult(0), signature.noise(draw.getStream(), op.getLoc()));
    else if (auto mask = dyn_cast<decl::MaskOp>(op)) {
      Value value = mapping.lookup(mask.getValue());
      Value gate = alignGate(builder, mask, mapping.lookup(mask.getGate()), value);
      mapping.map(op.getResult(0), builder.create<ten::MulOp>(op.getLoc(), value.getType(), value, gate).getResult());
    } else if (isa<ten::TenDialect>(op.getDialect()))
      builder.clone(op, mapping);
    else
      return op.emitOpError("has no meaning inside a function of a model");
    return success();
  }

  /// Adds up the losses and returns each under its name.
  static void emitLosses(OpBuilder &builder, Signature &signature, IRMapping &mapping, ArrayRef<Operation *> effects) {
    Value total;
    for (Operation *op : effects)
      if (auto loss = dyn_cast<decl::LossOp>(op)) {
        Value value = mapping.lookup(loss.getValue());
        signature.addOutput("loss." + loss.getName(), value, {});
        total = total ? builder.create<ten::AddOp>(op->getLoc(), total, value).getResult() : value;
      }
    if (!total)
      return;
    signature.addOutput("loss", total, {});
    signature.setLoss(total);
  }
};

} // namespace
} // namespace clm
