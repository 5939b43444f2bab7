/// \file
/// See TrainingEmitter.h.
#include "conversion/ClmToTen/TrainingEmitter.h"

#include "ten/Derivatives.h"

using namespace mlir;

namespace clm {

void TrainingEmitter::emit(ArrayRef<Operation *> effects) {
  auto *found = llvm::find_if(effects, [](Operation *op) { return isa<decl::OptimizeOp>(op); });
  if (found == effects.end())
    return;
  auto optimizer = cast<decl::OptimizeOp>(*found);
  takeGradient(optimizer);
  probeGradients("gradient.raw.");

  // Expansions of one rule stand together; probes are taken where the rule number changes.
  std::optional<uint64_t> current;
  auto startRule = [&](std::optional<uint64_t> rule) {
    if (current && current != rule)
      probeGradients("gradient.rule" + Twine(*current) + ".");
    current = rule;
  };
  for (Operation *op : effects) {
    if (auto rule = dyn_cast<decl::ScaleGradientOp>(op)) {
      startRule(rule.getRule());
      scale(rule);
    } else if (auto rule = dyn_cast<decl::ClipNormOp>(op)) {
      startRule(rule.getRule());
      clipNorm(rule);
    }
  }
  startRule(std::nullopt);
  probeGradients("gradient.final.");

  optimize(optimizer);
  for (StringRef entry : entries)
    probe("unclamped." + entry, values[entry], signature.declaration(entry).getShape());
  for (Operation *op : effects)
    if (auto clampOp = dyn_cast<decl::ClampOp>(op))
      clamp(clampOp);
  for (StringRef entry : entries)
    signature.addUpdate(entry, values[entry], /*first=*/false);
}

void TrainingEmitter::takeGradient(decl::OptimizeOp optimize) {
  SmallVector<Value> parameters;
  for (auto symbol : optimize.getEntries().getAsRange<FlatSymbolRefAttr>()) {
    entries.push_back(symbol.getValue());
    parameters.push_back(signature.entry(symbol.getValue(), optimize.getLoc()));
  }
  auto gradient = builder.create<ten::GradientOp>(optimize.getLoc(), ValueRange(parameters).getTypes(),
                                                  signature.loss(), parameters);
  for (auto [entry, value] : llvm::zip(entries, gradient.getGradients()))
    gradients[entry] = value;
}

Value TrainingEmitter::castTo(Value value, Value like) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = cast<RankedTensorType>(like.getType()).getElementType();
  if (type.getElementType() == element)
    return value;
  return builder.create<ten::CastOp>(value.getLoc(), RankedTensorType::get(type.getShape(), element), value);
}

void TrainingEmitter::scale(decl::ScaleGradientOp rule) {
  Value &gradient = gradients[rule.getEntry()];
  Value factor = castTo(mapping.lookup(rule.getFactor()), gradient);
  gradient = builder.create<ten::MulOp>(rule.getLoc(), gradient.getType(), gradient, factor);
  SmallVector<int64_t> shape;
  for (auto [size, entrySize] : llvm::zip(llvm::reverse(cast<RankedTensorType>(factor.getType()).getShape()),
                                          llvm::reverse(signature.declaration(rule.getEntry()).getShape())))
    shape.insert(shape.begin(), ShapedType::isDynamic(size) ? entrySize : size);
  probe("factor.rule" + Twine(rule.getRule()) + "." + rule.getEntry(), factor, shape);
}

/// torch.nn.utils.clip_grad_norm_: g <- g * min(1, bound / (norm + 1e-6)).
void TrainingEmitter::clipNorm(decl::ClipNormOp rule) {
  Location location = rule.getLoc();
  Value sum;
  for (auto symbol : rule.getEntries().getAsRange<FlatSymbolRefAttr>()) {
    Value gradient = gradients[symbol.getValue()];
    SmallVector<int64_t> all =
        llvm::to_vector(llvm::seq<int64_t>(cast<RankedTensorType>(gradient.getType()).getRank()));
    Value square = builder.create<ten::MulOp>(location, gradient, gradient);
    Value part = builder.create<ten::ReduceSumOp>(location, square, all);
    sum = sum ? builder.create<ten::AddOp>(location, sum, part).getResult() : part;
  }
  Value norm = builder.create<ten::SqrtOp>(location, sum);
  Value bound = castTo(mapping.lookup(rule.getBound()), norm);
  Value shifted = builder.create<ten::AddOp>(location, norm, ten::constantLike(builder, location, 1e-6, norm));
  Value ratio = builder.create<ten::DivOp>(location, bound, shifted);
  Value coefficient = builder.create<ten::MinimumOp>(location, ten::constantLike(builder, location, 1, norm), ratio);
  for (auto symbol : rule.getEntries().getAsRange<FlatSymbolRefAttr>()) {
    Value &gradient = gradients[symbol.getValue()];
    gradient = builder.create<ten::MulOp>(location, gradient.getType(), gradient, coefficient);
  }
  probe("norm.rule" + Twine(rule.getRule()), norm, {});
}

void TrainingEmitter::optimize(decl::OptimizeOp optimize) {
  Location location = optimize.getLoc();
  Value rate = signature.scalar("learning_rate", location);
  for (StringRef entry : entries) {
    Value parameter = signature.entry(entry, location), gradient = gradients[entry];
    Value change = builder.create<ten::MulOp>(location, gradient.getType(), gradient, castTo(rate, gradient));
    values[entry] = builder.create<ten::SubOp>(location, parameter.getType(), parameter, change);
  }
}

void TrainingEmitter::clamp(decl::ClampOp clamp) {
  Value &value = values[clamp.getEntry()];
  Value low = castTo(mapping.lookup(clamp.getLow()), value), high = castTo(mapping.lookup(clamp.getHigh()), value);
  value = builder.create<ten::ClampOp>(clamp.getLoc(), value.getType(), value, low, high);
}

void TrainingEmitter::probeGradients(const Twine &stage) {
  for (StringRef entry : entries)
    probe(stage + entry, gradients[entry], signature.declaration(entry).getShape());
}

void TrainingEmitter::probe(const Twine &name, Value value, ArrayRef<int64_t> shape) {
  if (probes)
    signature.addOutput(name, value, shape);
}

} // namespace clm
