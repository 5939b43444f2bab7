/// \file
/// Derivatives of the elementwise ops. Each rule is written as in a table of derivatives, with `ct` the cotangent of
/// the result; `sumToOperand` undoes broadcasting.
#include "ten/Derivatives.h"

using namespace mlir;

namespace clm::ten {

namespace {

/// Short spelling of op construction inside one rule.
struct RuleBuilder {
  OpBuilder &builder;
  Location location;

  Value add(Value a, Value b) { return builder.create<AddOp>(location, a, b); }
  Value sub(Value a, Value b) { return builder.create<SubOp>(location, a, b); }
  Value mul(Value a, Value b) { return builder.create<MulOp>(location, a, b); }
  Value div(Value a, Value b) { return builder.create<DivOp>(location, a, b); }
  Value neg(Value a) { return builder.create<NegOp>(location, a); }
  Value exp(Value a) { return builder.create<ExpOp>(location, a); }
  Value sigmoid(Value a) { return builder.create<SigmoidOp>(location, a); }
  Value constant(double number, Value like) { return constantLike(builder, location, number, like); }
  Value compare(Predicate predicate, Value a, Value b) { return builder.create<CompareOp>(location, predicate, a, b); }
  Value select(Value condition, Value a, Value b) { return builder.create<SelectOp>(location, condition, a, b); }
  Value reduce(Value cotangent, Value operand) { return sumToOperand(builder, location, cotangent, operand); }
};

} // namespace

LogicalResult AddOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.reduce(cts[0], getLhs()), rule.reduce(cts[0], getRhs())});
  return success();
}

LogicalResult SubOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.reduce(cts[0], getLhs()), rule.reduce(rule.neg(cts[0]), getRhs())});
  return success();
}

LogicalResult MulOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.reduce(rule.mul(cts[0], getRhs()), getLhs()), rule.reduce(rule.mul(cts[0], getLhs()), getRhs())});
  return success();
}

LogicalResult DivOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value byRhs = rule.div(cts[0], getRhs());
  out.assign({rule.reduce(byRhs, getLhs()), rule.reduce(rule.neg(rule.mul(byRhs, getResult())), getRhs())});
  return success();
}

/// Maximum and minimum pass the cotangent to the chosen side, and half of it to each at a tie.
static void buildChoiceVjp(RuleBuilder rule, Predicate chooses, Value lhs, Value rhs, Value ct,
                           SmallVectorImpl<Value> &out) {
  Value zero = rule.constant(0, ct), half = rule.mul(ct, rule.constant(0.5, ct));
  Value tie = rule.compare(Predicate::eq, lhs, rhs);
  Value toLhs = rule.select(tie, half, rule.select(rule.compare(chooses, lhs, rhs), ct, zero));
  Value toRhs = rule.select(tie, half, rule.select(rule.compare(chooses, rhs, lhs), ct, zero));
  out.assign({rule.reduce(toLhs, lhs), rule.reduce(toRhs, rhs)});
}

LogicalResult MaximumOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  buildChoiceVjp({builder, getLoc()}, Predicate::gt, getLhs(), getRhs(), cts[0], out);
  return success();
}

LogicalResult MinimumOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  buildChoiceVjp({builder, getLoc()}, Predicate::lt, getLhs(), getRhs(), cts[0], out);
  return success();
}

LogicalResult NegOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({RuleBuilder{builder, getLoc()}.neg(cts[0])});
  return success();
}

LogicalResult ExpOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({RuleBuilder{builder, getLoc()}.mul(cts[0], getResult())});
  return success();
}

LogicalResult LogOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({RuleBuilder{builder, getLoc()}.div(cts[0], getOperand())});
  return success();
}

LogicalResult SqrtOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.div(rule.mul(cts[0], rule.constant(0.5, cts[0])), getResult())});
  return success();
}

LogicalResult TanhOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.mul(cts[0], rule.sub(rule.constant(1, cts[0]), rule.mul(getResult(), getResult())))});
  return success();
}

LogicalResult CoshOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value twiceSinh = rule.sub(rule.exp(getOperand()), rule.exp(rule.neg(getOperand())));
  out.assign({rule.mul(cts[0], rule.mul(twiceSinh, rule.constant(0.5, cts[0])))});
  return success();
}

LogicalResult AbsOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value zero = rule.constant(0, cts[0]);
  Value negative = rule.select(rule.compare(Predicate::lt, getOperand(), zero), rule.neg(cts[0]), zero);
  out.assign({rule.select(rule.compare(Predicate::gt, getOperand(), zero), cts[0], negative)});
  return success();
}

LogicalResult ReluOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value zero = rule.constant(0, cts[0]);
  out.assign({rule.select(rule.compare(Predicate::gt, getOperand(), zero), cts[0], zero)});
  return success();
}

LogicalResult SigmoidOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  out.assign({rule.mul(cts[0], rule.mul(getResult(), rule.sigmoid(rule.neg(getOperand()))))});
  return success();
}

LogicalResult ClampOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value zero = rule.constant(0, cts[0]);
  Value below = rule.compare(Predicate::lt, getOperand(), getLow());
  Value above = rule.compare(Predicate::gt, getOperand(), getHigh());
  Value notAbove = rule.select(above, zero, cts[0]);
  out.assign({rule.reduce(rule.select(below, zero, notAbove), getOperand()),
              rule.reduce(rule.select(below, cts[0], zero), getLow()),
              rule.reduce(rule.select(above, cts[0], zero), getHigh())});
  return success();
}

LogicalResult SelectOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  RuleBuilder rule{builder, getLoc()};
  Value zero = rule.constant(0, cts[0]);
  out.assign({Value(), rule.reduce(rule.select(getCondition(), cts[0], zero), getTrueValue()),
              rule.reduce(rule.select(getCondition(), zero, cts[0]), getFalseValue())});
  return success();
}

LogicalResult CastOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  bool fromFloat = isa<FloatType>(cast<RankedTensorType>(getOperand().getType()).getElementType());
  out.assign({fromFloat ? builder.create<CastOp>(getLoc(), getOperand().getType(), cts[0]).getResult() : Value()});
  return success();
}

LogicalResult BroadcastLikeOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({sumToOperand(builder, getLoc(), cts[0], getOperand()), Value()});
  return success();
}

LogicalResult BroadcastOp::buildVjp(OpBuilder &builder, ValueRange cts, SmallVectorImpl<Value> &out) {
  out.assign({sumToOperand(builder, getLoc(), cts[0], getOperand())});
  return success();
}

} // namespace clm::ten
