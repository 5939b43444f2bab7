/// \file
/// See ManifestBuilder.h.
#include "codegen/ManifestBuilder.h"

#include "clm/Clm.h"
#include "conversion/ClmToTen/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace clm {

namespace {

class ManifestBuilder {
public:
  explicit ManifestBuilder(ModuleOp module) : module(module) {}

  runtime::Manifest build() {
    for (decl::ModelOp model : module.getOps<decl::ModelOp>())
      addModel(model);
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (!function.isPrivate())
        addFunction(function);
    return std::move(manifest);
  }

private:
  static int elementOf(Type type) {
    Type element = cast<RankedTensorType>(type).getElementType();
    if (element.isF32())
      return CLM_FLOAT32;
    if (element.isF64())
      return CLM_FLOAT64;
    return element.isInteger(1) ? CLM_BOOL : CLM_INT64;
  }

  static runtime::TensorSpec spec(Type type, ArrayRef<int64_t> shape) {
    return {elementOf(type), {shape.begin(), shape.end()}};
  }

  void addModel(decl::ModelOp model) {
    manifest.name = model.getSymName().str();
    manifest.data = model.getData().str();
    manifest.inputShape.assign(model.getInput().begin(), model.getInput().end());
    manifest.scenario = model.getScenario().str();
    manifest.tasks = static_cast<int64_t>(model.getTasks());
    for (Operation &op : model.getBody().front()) {
      if (auto setting = dyn_cast<decl::SettingOp>(op))
        addSetting(setting);
      else if (auto entry = dyn_cast<decl::EntryOp>(op))
        addEntry(entry);
      else if (auto noise = dyn_cast<decl::NoiseOp>(op)) {
        streams[noise.getSymName()] = static_cast<int>(manifest.noise.size());
        manifest.noise.push_back(
            {noise.getSymName().str(), noise.getDistribution() == "normal", spec(noise.getType(), noise.getShape())});
      } else if (auto pass = dyn_cast<decl::PassOp>(op))
        manifest.passes.push_back({pass.getPart() == "train"});
      else if (auto train = dyn_cast<decl::TrainOp>(op))
        addTrain(train);
    }
  }

  void addSetting(decl::SettingOp op) {
    using Type = runtime::SettingSpec::Type;
    auto type = llvm::StringSwitch<Type>(op.getKind())
                    .Case("integer", Type::Integer)
                    .Case("boolean", Type::Boolean)
                    .Default(Type::Real);
    manifest.settings.push_back(
        {type, op.getSymName().str(), op.getValue().convertToDouble(), op.getFixed(), op.getOrigin().str()});
  }

  void addEntry(decl::EntryOp op) {
    entries[op.getSymName()] = static_cast<int>(manifest.entries.size());
    auto role = llvm::StringSwitch<runtime::EntryRole>(op.getRole())
                    .Case("state", runtime::EntryRole::State)
                    .Case("accumulator", runtime::EntryRole::Accumulator)
                    .Default(runtime::EntryRole::Parameter);
    runtime::EntrySpec entry{op.getSymName().str(), role, op.getPerTask(), spec(op.getType(), op.getShape()), {}};
    for (StringRef axis : op.getAxes().getAsValueRange<StringAttr>())
      entry.axes.push_back(axis.str());
    manifest.entries.push_back(std::move(entry));
  }

  void addTrain(decl::TrainOp op) {
    runtime::TrainPlan &plan = manifest.train;
    plan.epochs = static_cast<int64_t>(op.getEpochs());
    plan.batch = static_cast<int64_t>(op.getBatch());
    plan.validation = op.getValidation().convertToDouble();
    plan.learningRate = op.getLearningRate().convertToDouble();
    plan.plateau = op.getPlateau();
    plan.patience = static_cast<int64_t>(op.getPatience());
    plan.factor = op.getFactor().convertToDouble();
    plan.minimumRate = op.getMinimumRate().convertToDouble();
    plan.earlyStop = op.getEarlyStop();
    plan.restoreBest = op.getRestoreBest();
    for (NamedAttribute origin : op.getOrigins())
      plan.origins[origin.getName().str()] = cast<StringAttr>(origin.getValue()).str();
  }

  void addFunction(func::FuncOp function) {
    runtime::FunctionSpec result{function.getSymName().str(), {}, {}};
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      StringRef kind = function.getArgAttrOfType<StringAttr>(index, signature::kKind).getValue();
      StringRef name = function.getArgAttrOfType<StringAttr>(index, signature::kName).getValue();
      runtime::ArgumentSpec argument;
      argument.type = spec(type, function.getArgAttrOfType<DenseI64ArrayAttr>(index, signature::kShape));
      argument.kind = llvm::StringSwitch<runtime::ArgumentKind>(kind)
                          .Case("entry", runtime::ArgumentKind::Entry)
                          .Case("input", runtime::ArgumentKind::Input)
                          .Case("label", runtime::ArgumentKind::Label)
                          .Case("noise", runtime::ArgumentKind::Noise)
                          .Default(runtime::ArgumentKind::Scalar);
      if (argument.kind == runtime::ArgumentKind::Entry)
        argument.index = entries.lookup(name);
      if (argument.kind == runtime::ArgumentKind::Noise)
        argument.index = streams.lookup(name);
      if (argument.kind == runtime::ArgumentKind::Scalar)
        argument.scalar = name.str();
      result.arguments.push_back(std::move(argument));
    }
    for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
      runtime::ResultSpec output;
      output.name = function.getResultAttrOfType<StringAttr>(index, signature::kName).getValue().str();
      output.type = spec(type, function.getResultAttrOfType<DenseI64ArrayAttr>(index, signature::kShape));
      if (auto tied = function.getResultAttrOfType<IntegerAttr>(index, signature::kTied))
        output.argument = static_cast<int>(tied.getInt());
      if (function.getResultAttr(index, signature::kFirst) || output.argument >= 0)
        output.entry = entries.lookup(output.name);
      result.results.push_back(std::move(output));
    }
    manifest.functions.push_back(std::move(result));
  }

  ModuleOp module;
  runtime::Manifest manifest;
  llvm::StringMap<int> entries, streams;
};

} // namespace

runtime::Manifest buildManifest(ModuleOp module) { return ManifestBuilder(module).build(); }

void addManifestConstant(ModuleOp module, const std::string &text) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  std::string terminated = text + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  builder.create<LLVM::GlobalOp>(module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::External,
                                 CLM_MANIFEST_SYMBOL, builder.getStringAttr(terminated));
}

} // namespace clm
