/// \file
/// Declarations, functions and rules of the model as ops of the `clm` dialect.
#include "conversion/ModelToClm/ModelToClm.h"

#include "clm/Clm.h"
#include "conversion/ModelToClm/NodeEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ten/Ten.h"

using namespace mlir;

namespace clm {

namespace {

class ModelEmitter {
public:
  ModelEmitter(const sema::Model &model, const SourceManager &sources, MLIRContext &context)
      : model(model), sources(sources), builder(&context) {}

  OwningOpRef<ModuleOp> emit() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    for (const sema::DerivativeFunction &function : model.derivativeFunctions)
      emitDerivativeFunction(function);
    auto op = builder.create<decl::ModelOp>(builder.getUnknownLoc(), model.name, model.data, model.inputShape,
                                            model.scenario, model.tasks);
    builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
    emitDeclarations();
    for (const sema::Function &function : model.functions)
      emitFunction(function);
    return module;
  }

private:
  void emitDerivativeFunction(const sema::DerivativeFunction &function) {
    SmallVector<Type> inputs;
    for (const sema::TensorType &type : function.inputs)
      inputs.push_back(tensorTypeOf(type, builder.getContext()));
    Type result = tensorTypeOf(function.result, builder.getContext());
    emitFunctionBody(function.name, inputs, result, function.forwardNodes, {function.forward});
    SmallVector<Type> derivativeInputs(inputs);
    derivativeInputs.append({result, result});
    emitFunctionBody(function.name + ".derivative", derivativeInputs, inputs, function.derivativeNodes,
                     function.cotangents);
  }

  void emitFunctionBody(const std::string &name, TypeRange inputs, TypeRange results, std::span<const sema::Node> nodes,
                        ArrayRef<sema::NodeId> returned) {
    OpBuilder::InsertionGuard guard(builder);
    auto function =
        builder.create<func::FuncOp>(builder.getUnknownLoc(), name, builder.getFunctionType(inputs, results));
    function.setPrivate();
    builder.setInsertionPointToEnd(function.addEntryBlock());
    NodeEmitter emitter(builder, model, sources,
                        [&](const sema::Node &node, Location) { return function.getArgument(node.index); });
    emitter.emit(nodes);
    SmallVector<Value> values;
    for (sema::NodeId node : returned)
      values.push_back(emitter.value(node));
    builder.create<func::ReturnOp>(builder.getUnknownLoc(), values);
  }

  void emitDeclarations() {
    Location unknown = builder.getUnknownLoc();
    for (const sema::Setting &setting : model.settings)
      builder.create<decl::SettingOp>(unknown, setting.name, settingKind(setting.type), llvm::APFloat(setting.value),
                                      setting.fixed, setting.origin);
    for (const sema::Entry &entry : model.entries) {
      SmallVector<StringRef> axes(entry.axes.begin(), entry.axes.end());
      builder.create<decl::EntryOp>(unknown, entry.path, entryRole(entry.role), entry.perTask,
                                    tensorTypeOf(entry.type, builder.getContext()), shapeAttributeOf(entry.type),
                                    builder.getStrArrayAttr(axes));
    }
    for (const sema::NoiseStream &stream : model.noise)
      builder.create<decl::NoiseOp>(unknown, stream.path,
                                    stream.distribution == sema::Distribution::Normal ? "normal" : "uniform",
                                    tensorTypeOf(stream.type, builder.getContext()), shapeAttributeOf(stream.type));
    for (const sema::DataPass &pass : model.passes)
      builder.create<decl::PassOp>(unknown, pass.train ? "train" : "validation");
    const sema::TrainPlan &plan = model.train;
    SmallVector<NamedAttribute> origins;
    for (const auto &[name, origin] : plan.origins)
      origins.push_back(builder.getNamedAttr(name, builder.getStringAttr(origin)));
    builder.create<decl::TrainOp>(unknown, plan.epochs, plan.batch, llvm::APFloat(plan.validation),
                                  llvm::APFloat(plan.learningRate), plan.plateau, plan.patience,
                                  llvm::APFloat(plan.factor), llvm::APFloat(plan.minimumRate), plan.earlyStop,
                                  plan.restoreBest, builder.getDictionaryAttr(origins));
  }

  static StringRef settingKind(sema::Setting::Type type) {
    switch (type) {
    case sema::Setting::Type::Real:
      return "real";
    case sema::Setting::Type::Integer:
      return "integer";
    case sema::Setting::Type::Boolean:
      return "boolean";
    }
    llvm_unreachable("unknown setting type");
  }

  static StringRef entryRole(sema::EntryRole role) {
    switch (role) {
    case sema::EntryRole::Parameter:
      return "parameter";
    case sema::EntryRole::State:
      return "state";
    case sema::EntryRole::Accumulator:
      return "accumulator";
    }
    llvm_unreachable("unknown entry role");
  }

  FlatSymbolRefAttr entrySymbol(std::int32_t entry) {
    return FlatSymbolRefAttr::get(builder.getContext(), model.entries[entry].path);
  }

  ArrayAttr entrySymbols(const std::vector<std::int32_t> &entries) {
    SmallVector<Attribute> symbols;
    for (std::int32_t entry : entries)
      symbols.push_back(entrySymbol(entry));
    return builder.getArrayAttr(symbols);
  }

  void emitFunction(const sema::Function &function) {
    OpBuilder::InsertionGuard guard(builder);
    auto op = builder.create<decl::FunctionOp>(builder.getUnknownLoc(), function.name);
    builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
    NodeEmitter emitter(builder, model, sources, [&](const sema::Node &node, Location location) -> Value {
      Type type = tensorTypeOf(node.type, builder.getContext());
      return builder.create<decl::ReadOp>(location, type, entrySymbol(node.index));
    });
    emitter.emit(function.nodes);
    emitValues(function, emitter);
    emitTraining(function, emitter);
  }

  void emitValues(const sema::Function &function, const NodeEmitter &emitter) {
    auto placed = [&](sema::NodeId node) { return emitter.location(function.nodes[node].range); };
    for (const sema::NamedNode &loss : function.losses)
      builder.create<decl::LossOp>(placed(loss.node), loss.name, emitter.value(loss.node));
    auto output = [&](const sema::NamedNode &named, bool probe) {
      builder.create<decl::OutputOp>(placed(named.node), named.name, probe, emitter.value(named.node),
                                     shapeAttributeOf(function.nodes[named.node].type));
    };
    for (const sema::NamedNode &named : function.outputs)
      output(named, false);
    for (const sema::NamedNode &named : function.probes)
      output(named, true);
    for (const sema::Update &update : function.updates)
      builder.create<decl::UpdateOp>(placed(update.node), entrySymbol(update.entry),
                                     stretched(emitter.value(update.node), model.entries[update.entry].type));
  }

  /// A first value may be a scalar (`state claimed = 0`).
  Value stretched(Value value, const sema::TensorType &type) {
    RankedTensorType target = tensorTypeOf(type, builder.getContext());
    if (value.getType() == target)
      return value;
    return builder.create<ten::BroadcastOp>(value.getLoc(), target, value);
  }

  void emitTraining(const sema::Function &function, const NodeEmitter &emitter) {
    for (const sema::GradientRule &rule : function.gradientRules) {
      Location where = emitter.location(rule.range);
      Value value = emitter.value(rule.value);
      if (rule.kind == sema::GradientRule::Kind::Scale)
        builder.create<decl::ScaleGradientOp>(where, entrySymbol(rule.entries.front()), value,
                                              builder.getI64IntegerAttr(rule.rule));
      else
        builder.create<decl::ClipNormOp>(where, entrySymbols(rule.entries), value,
                                         builder.getI64IntegerAttr(rule.rule));
    }
    if (function.optimizer)
      builder.create<decl::OptimizeOp>(builder.getUnknownLoc(), function.optimizer->kind,
                                       entrySymbols(function.trained));
    for (const sema::ClampRule &clamp : function.clamps)
      builder.create<decl::ClampOp>(builder.getUnknownLoc(), entrySymbol(clamp.entry), emitter.value(clamp.low),
                                    emitter.value(clamp.high));
  }

  const sema::Model &model;
  const SourceManager &sources;
  OpBuilder builder;
};

} // namespace

OwningOpRef<ModuleOp> convertModelToClm(const sema::Model &model, const SourceManager &sources, MLIRContext &context) {
  context.loadDialect<decl::ClmDialect, ten::TenDialect, func::FuncDialect>();
  return ModelEmitter(model, sources, context).emit();
}

} // namespace clm
