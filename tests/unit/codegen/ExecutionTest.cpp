/// \file
/// Compiled code against the reference executor, with every pass on and with each left out: a pass changes the speed of
/// a program, not its numbers.
#include "../ten/OpCases.h"

#include "codegen/ManifestBuilder.h"
#include "codegen/NativeObject.h"
#include "conversion/TenToReference/TenToReference.h"
#include "driver/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "runtime/jit/Jit.h"
#include "runtime/reference/Interpreter.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using clm::runtime::reference::Tensor;

namespace {

struct Configuration {
  std::string name;
  clm::PipelineOptions options;
};

void PrintTo(const Configuration &configuration, std::ostream *stream) { *stream << configuration.name; }

std::vector<Configuration> configurations() {
  return {{"AllPasses", {}},
          {"WithoutFusion", {.fuseKernels = false}},
          {"WithoutMemorySharing", {.shareMemory = false}},
          {"WithoutSimplification", {.simplify = false}},
          {"WithoutAny", {.fuseKernels = false, .shareMemory = false, .simplify = false}}};
}

/// Adds the attributes that the manifest is made from to a function whose arguments and results have static shapes.
void describeSignature(func::FuncOp function) {
  Builder builder(function.getContext());
  auto shape = [&](Type type) { return builder.getDenseI64ArrayAttr(cast<RankedTensorType>(type).getShape()); };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    function.setArgAttr(index, "clm.kind", builder.getStringAttr("entry"));
    function.setArgAttr(index, "clm.name", builder.getStringAttr("argument" + std::to_string(index)));
    function.setArgAttr(index, "clm.shape", shape(type));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    function.setResultAttr(index, "clm.name", builder.getStringAttr("result" + std::to_string(index)));
    function.setResultAttr(index, "clm.shape", shape(type));
  }
}

/// The manifest of a module that declares no model: each argument is an entry of its own.
clm::runtime::Manifest manifestOf(ModuleOp module) {
  clm::runtime::Manifest manifest = clm::buildManifest(module);
  for (clm::runtime::ArgumentSpec &argument : manifest.functions.front().arguments) {
    argument.index = static_cast<int>(manifest.entries.size());
    manifest.entries.push_back(
        {"argument" + std::to_string(argument.index), clm::runtime::EntryRole::Parameter, false, argument.type, {}});
  }
  return manifest;
}

class ExecutionTest : public testing::TestWithParam<std::tuple<clm::test::OpCase, Configuration>> {
protected:
  ExecutionTest() {
    DialectRegistry registry;
    clm::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse() {
    const clm::test::OpCase &test = std::get<0>(GetParam());
    std::string text = std::string(clm::test::kCaseFunctions) + "func.func @f(" + test.arguments + ") -> " +
                       test.result + " {\n" + test.body + "\nreturn %r : " + test.result + "\n}\n";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  MLIRContext context;
};

clm_tensor tensorOf(Tensor &tensor) {
  clm_tensor result{tensor.values.data(), CLM_FLOAT64, static_cast<int32_t>(tensor.shape.size()), {}};
  std::copy(tensor.shape.begin(), tensor.shape.end(), result.sizes);
  return result;
}

TEST_P(ExecutionTest, EqualsReference) {
  const auto &[test, configuration] = GetParam();
  OwningOpRef<ModuleOp> module = parse();
  clm::runtime::reference::Program program;
  std::string error;
  ASSERT_TRUE(clm::convertToReference(*module, program, error)) << error;

  describeSignature(module->lookupSymbol<func::FuncOp>("f"));
  PassManager manager(&context);
  clm::addTensorPasses(manager, configuration.options);
  ASSERT_TRUE(succeeded(manager.run(*module)));
  std::string manifest = clm::runtime::printManifest(manifestOf(*module));
  PassManager lowering(&context);
  clm::addExecutionPasses(lowering, configuration.options);
  clm::addLoweringPasses(lowering, configuration.options);
  ASSERT_TRUE(succeeded(lowering.run(*module)));
  clm::addManifestConstant(*module, manifest);
  auto object = clm::emitObject(*module);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  auto executable = clm::runtime::loadObject(std::move(*object));
  ASSERT_TRUE(bool(executable)) << llvm::toString(executable.takeError());

  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(test.low, test.high);
  const auto &function = program.functions.front();
  std::vector<Tensor> arguments;
  for (int32_t index = 0; index < function.argumentCount; ++index) {
    arguments.emplace_back(function.values[index].shape);
    for (double &value : arguments.back().values)
      value = uniform(generator);
  }
  Tensor expected = execute(program, function, arguments).front();
  Tensor computed(expected.shape, -99);
  std::vector<clm_tensor> views;
  for (Tensor &argument : arguments)
    views.push_back(tensorOf(argument));
  clm_tensor result = tensorOf(computed);
  (*executable)->call((*executable)->manifest().functions.front(), views, std::span(&result, 1));
  // `cast` goes through single precision, which the reference executor does not round to.
  double tolerance = test.op == "ten.cast" ? 1e-6 : 1e-13;
  for (size_t index = 0; index < expected.values.size(); ++index)
    EXPECT_NEAR(computed.values[index], expected.values[index],
                tolerance * std::max(1.0, std::abs(expected.values[index])));
}

INSTANTIATE_TEST_SUITE_P(Ops, ExecutionTest,
                         testing::Combine(testing::ValuesIn(clm::test::opCases()), testing::ValuesIn(configurations())),
                         [](const auto &info) {
                           return std::get<0>(info.param).op.substr(4) + "_" + std::get<1>(info.param).name + "_" +
                                  std::to_string(info.index);
                         });

} // namespace
