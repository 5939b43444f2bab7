/// \file
/// Every derivative of the dialect against central differences in double precision. The functions are executed by the
/// reference executor, before differentiation for the differences and after it for the derivative.
#include "OpCases.h"

#include "conversion/TenToReference/TenToReference.h"
#include "driver/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/reference/Interpreter.h"
#include "ten/Ten.h"
#include "ten/transforms/Passes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace mlir;
using clm::runtime::reference::Tensor;

namespace {

/// A function of the reference executor together with what it calls.
struct Executable {
  clm::runtime::reference::Program program;

  std::vector<Tensor> run(const std::vector<Tensor> &arguments) const {
    return execute(program, program.functions.front(), arguments);
  }
};

class DerivativeTest : public testing::TestWithParam<clm::test::OpCase> {
protected:
  DerivativeTest() {
    DialectRegistry registry;
    clm::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The function of the case and, with `differentiate`, the weighted sum of its result with its gradients.
  std::string source(bool differentiate) const {
    const clm::test::OpCase &test = GetParam();
    std::string text = std::string(clm::test::kCaseFunctions) + "func.func @f(" + test.arguments +
                       ", %weight: " + test.result + ") -> (tensor<f64>";
    std::vector<std::pair<std::string, std::string>> arguments = splitArguments();
    if (differentiate)
      for (const auto &[name, type] : arguments)
        text += ", " + type;
    text += ") {\n" + test.body + "\n%weighted = ten.mul %r, %weight : (" + test.result + ", " + test.result + ") -> " +
            test.result + "\n%value = ten.reduce_sum %weighted over " + allDims() + " : (" + test.result +
            ") -> tensor<f64>\n";
    std::string names, types;
    for (const auto &[name, type] : arguments) {
      names += (names.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + type;
    }
    if (!differentiate)
      return text + "return %value : tensor<f64>\n}\n";
    text += "%g:" + std::to_string(arguments.size()) + " = ten.gradient %value with_respect_to (" + names +
            ") : (tensor<f64>, " + types + ") -> (" + types + ")\nreturn %value";
    for (size_t index = 0; index < arguments.size(); ++index)
      text += ", %g#" + std::to_string(index);
    return text + " : tensor<f64>, " + types + "\n}\n";
  }

  std::vector<std::pair<std::string, std::string>> splitArguments() const {
    std::vector<std::pair<std::string, std::string>> result;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(GetParam().arguments).split(parts, ", ");
    for (llvm::StringRef part : parts) {
      auto [name, type] = part.split(": ");
      result.emplace_back(name.str(), type.str());
    }
    return result;
  }

  std::string allDims() const {
    size_t rank = llvm::StringRef(GetParam().result).count('x');
    std::string dims = "[";
    for (size_t dim = 0; dim < rank; ++dim)
      dims += (dim ? ", " : "") + std::to_string(dim);
    return dims + "]";
  }

  Executable build(bool differentiate) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source(differentiate), &context);
    EXPECT_TRUE(module) << source(differentiate);
    if (differentiate) {
      PassManager manager(&context);
      manager.addNestedPass<func::FuncOp>(clm::ten::createDifferentiate());
      manager.addPass(clm::ten::createInlineFunctions());
      EXPECT_TRUE(succeeded(manager.run(*module)));
    }
    Executable result;
    std::string error;
    EXPECT_TRUE(clm::convertToReference(*module, result.program, error)) << error;
    return result;
  }

  MLIRContext context;
};

TEST_P(DerivativeTest, EqualsCentralDifferences) {
  const clm::test::OpCase &test = GetParam();
  Executable forward = build(false), differentiated = build(true);
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(test.low, test.high);
  std::vector<Tensor> arguments;
  const auto &function = forward.program.functions.front();
  for (int32_t index = 0; index < function.argumentCount; ++index) {
    Tensor tensor(function.values[index].shape);
    for (double &value : tensor.values)
      value = uniform(generator);
    arguments.push_back(std::move(tensor));
  }

  std::vector<Tensor> results = differentiated.run(arguments);
  ASSERT_EQ(results.size(), arguments.size()); // the value, then a gradient for each argument but the weight
  constexpr double step = 1e-6;
  for (size_t argument = 0; argument + 1 < arguments.size(); ++argument)
    for (size_t element = 0; element < arguments[argument].values.size(); ++element) {
      std::vector<Tensor> above = arguments, below = arguments;
      above[argument].values[element] += step;
      below[argument].values[element] -= step;
      double difference = (forward.run(above)[0].values[0] - forward.run(below)[0].values[0]) / (2 * step);
      EXPECT_NEAR(results[argument + 1].values[element], difference, 1e-7 * std::max(1.0, std::abs(difference)))
          << test.op << " argument " << argument << " element " << element;
    }
}

INSTANTIATE_TEST_SUITE_P(Ops, DerivativeTest, testing::ValuesIn(clm::test::opCases()),
                         [](const testing::TestParamInfo<clm::test::OpCase> &info) {
                           std::string name = info.param.op.substr(4) + "_" + std::to_string(info.index);
                           return name;
                         });

TEST(TenDialect, EveryOpHasATestedDerivativeOrNone) {
  DialectRegistry registry;
  clm::registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::set<std::string> tested;
  for (const clm::test::OpCase &test : clm::test::opCases())
    tested.insert(test.op);
  unsigned ops = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "ten")
      continue;
    ++ops;
    std::string text = name.getStringRef().str();
    bool differentiable = name.hasInterface<clm::ten::Differentiable>();
    EXPECT_NE(differentiable, name.hasTrait<clm::ten::NoGradient>())
        << text << " needs either a derivative or the trait NoGradient";
    EXPECT_EQ(differentiable, tested.contains(text)) << text << " needs a case in OpCases.h";
  }
  EXPECT_GT(ops, 30u);
}

} // namespace
