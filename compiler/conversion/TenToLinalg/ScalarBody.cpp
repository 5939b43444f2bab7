/// \file
/// See ScalarBody.h. The code must mean exactly what TenOps.td says, NaN included: comparisons are ordered except `ne`,
/// maximum and minimum pass NaN on, relu passes NaN on.
#include "conversion/TenToLinalg/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "ten/Ten.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace clm {

namespace {

Value floatConstant(OpBuilder &builder, Location location, Type type, double number) {
  return builder.create<arith::ConstantOp>(location, builder.getFloatAttr(type, number));
}

Value emitCompare(OpBuilder &builder, ten::CompareOp op, ValueRange operands) {
  if (isa<FloatType>(operands[0].getType())) {
    using P = arith::CmpFPredicate;
    constexpr P predicates[] = {P::OLT, P::OLE, P::OGT, P::OGE, P::OEQ, P::UNE};
    return builder.create<arith::CmpFOp>(op.getLoc(), predicates[static_cast<unsigned>(op.getPredicate())], operands[0],
                                         operands[1]);
  }
  using P = arith::CmpIPredicate;
  constexpr P predicates[] = {P::slt, P::sle, P::sgt, P::sge, P::eq, P::ne};
  return builder.create<arith::CmpIOp>(op.getLoc(), predicates[static_cast<unsigned>(op.getPredicate())], operands[0],
                                       operands[1]);
}

Value emitCast(OpBuilder &builder, ten::CastOp op, Value operand) {
  Type from = operand.getType(), to = cast<RankedTensorType>(op.getType()).getElementType();
  if (from == to)
    return operand;
  if (isa<FloatType>(from) && isa<FloatType>(to)) {
    if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
      return builder.create<arith::TruncFOp>(op.getLoc(), to, operand);
    return builder.create<arith::ExtFOp>(op.getLoc(), to, operand);
  }
  if (from.isInteger(1) && isa<FloatType>(to))
    return builder.create<arith::UIToFPOp>(op.getLoc(), to, operand);
  if (isa<FloatType>(to))
    return builder.create<arith::SIToFPOp>(op.getLoc(), to, operand);
  if (isa<FloatType>(from))
    return builder.create<arith::FPToSIOp>(op.getLoc(), to, operand);
  if (from.isInteger(1))
    return builder.create<arith::ExtUIOp>(op.getLoc(), to, operand);
  return Value();
}

Value emitSigmoid(OpBuilder &builder, Location location, Value x) {
  Value one = floatConstant(builder, location, x.getType(), 1);
  Value exponential = builder.create<math::ExpOp>(location, builder.create<arith::NegFOp>(location, x));
  return builder.create<arith::DivFOp>(location, one, builder.create<arith::AddFOp>(location, one, exponential));
}

Value emitCosh(OpBuilder &builder, Location location, Value x) {
  Value positive = builder.create<math::ExpOp>(location, x);
  Value negative = builder.create<math::ExpOp>(location, builder.create<arith::NegFOp>(location, x));
  return builder.create<arith::MulFOp>(location, floatConstant(builder, location, x.getType(), 0.5),
                                       builder.create<arith::AddFOp>(location, positive, negative));
}

Value emitRelu(OpBuilder &builder, Location location, Value x) {
  Value zero = floatConstant(builder, location, x.getType(), 0);
  Value negative = builder.create<arith::CmpFOp>(location, arith::CmpFPredicate::OLT, x, zero);
  return builder.create<arith::SelectOp>(location, negative, zero, x);
}

/// Column number equals label.
Value emitOneHot(OpBuilder &builder, ten::OneHotOp op, ValueRange operands) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  Value column = builder.create<linalg::IndexOp>(op.getLoc(), 1);
  Value label = builder.create<arith::IndexCastOp>(op.getLoc(), builder.getIndexType(), operands[0]);
  Value equal = builder.create<arith::CmpIOp>(op.getLoc(), arith::CmpIPredicate::eq, column, label);
  return builder.create<arith::UIToFPOp>(op.getLoc(), element, equal);
}

} // namespace

Value emitScalar(OpBuilder &builder, Operation *op, ValueRange in) {
  Location location = op->getLoc();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ten::AddOp) { return builder.create<arith::AddFOp>(location, in[0], in[1]); })
      .Case([&](ten::SubOp) { return builder.create<arith::SubFOp>(location, in[0], in[1]); })
      .Case([&](ten::MulOp) { return builder.create<arith::MulFOp>(location, in[0], in[1]); })
      .Case([&](ten::DivOp) { return builder.create<arith::DivFOp>(location, in[0], in[1]); })
      .Case([&](ten::MaximumOp) { return builder.create<arith::MaximumFOp>(location, in[0], in[1]); })
      .Case([&](ten::MinimumOp) { return builder.create<arith::MinimumFOp>(location, in[0], in[1]); })
      .Case([&](ten::NegOp) { return builder.create<arith::NegFOp>(location, in[0]); })
      .Case([&](ten::ExpOp) { return builder.create<math::ExpOp>(location, in[0]); })
      .Case([&](ten::LogOp) { return builder.create<math::LogOp>(location, in[0]); })
      .Case([&](ten::SqrtOp) { return builder.create<math::SqrtOp>(location, in[0]); })
      .Case([&](ten::TanhOp) { return builder.create<math::TanhOp>(location, in[0]); })
      .Case([&](ten::AbsOp) { return builder.create<math::AbsFOp>(location, in[0]); })
      .Case([&](ten::CoshOp) { return emitCosh(builder, location, in[0]); })
      .Case([&](ten::SigmoidOp) { return emitSigmoid(builder, location, in[0]); })
      .Case([&](ten::ReluOp) { return emitRelu(builder, location, in[0]); })
      .Case([&](ten::ClampOp) -> Value {
        Value raised = builder.create<arith::MaximumFOp>(location, in[0], in[1]);
        return builder.create<arith::MinimumFOp>(location, raised, in[2]);
      })
      .Case([&](ten::CompareOp compare) { return emitCompare(builder, compare, in); })
      .Case([&](ten::SelectOp) { return builder.create<arith::SelectOp>(location, in[0], in[1], in[2]); })
      .Case([&](ten::CastOp castOp) { return emitCast(builder, castOp, in[0]); })
      .Case([&](ten::OneHotOp oneHot) { return emitOneHot(builder, oneHot, in); })
      .Case<ten::DetachOp, ten::BroadcastOp, ten::BroadcastLikeOp>([&](auto) { return in[0]; })
      .Default([](Operation *) { return Value(); });
}

Value emitAccumulate(OpBuilder &builder, Operation *reduction, Value accumulator, Value element) {
  if (isa<ten::ReduceMaxOp>(reduction))
    return builder.create<arith::MaximumFOp>(reduction->getLoc(), accumulator, element);
  // Only the order of summation is free: without it a sum cannot be vectorized.
  return builder.create<arith::AddFOp>(reduction->getLoc(), accumulator, element, arith::FastMathFlags::reassoc);
}

Value emitNeutral(OpBuilder &builder, Operation *reduction, Type element) {
  double neutral = isa<ten::ReduceMaxOp>(reduction) ? -std::numeric_limits<double>::infinity() : 0.0;
  return floatConstant(builder, reduction->getLoc(), element, neutral);
}

} // namespace clm
