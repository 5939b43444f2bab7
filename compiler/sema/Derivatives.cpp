/// \file
/// Functions with a derivative of their own: built once for each list of argument types, applied by name.
#include "sema/Elaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

namespace {

/// Surroundings of a body that stands alone: no network, no table.
class NoSurroundings : public Surroundings {
public:
  explicit NoSurroundings(Reporter &reporter) : reporter(reporter) {}

  Value attach(const SiteInfo &, const Operand &value) override { return value.value; }
  bool initializes(const EntryInfo &) override { return false; }
  void setInitialValue(const EntryInfo &, const TensorValue &) override {}
  Value callNetwork(const Operand &, SourceRange range) override { return refuse(range); }
  Value sites(SourceRange range) override { return refuse(range); }
  AxisList gatedAxes(const EntryInfo &) override { return {}; }
  Value dataPass(Arithmetic::Reduction, const Expr &, Scope &, SourceRange range) override { return refuse(range); }

private:
  Value refuse(SourceRange range) {
    reporter.notSupported(range, "the network inside of a function with a derivative");
    return poison();
  }

  Reporter &reporter;
};

/// Elements of `operands` that a derivative function takes as inputs.
std::string typeKey(const std::vector<TensorValue> &inputs) {
  std::string key;
  for (const TensorValue &input : inputs) {
    key += fmt::format("({}", static_cast<int>(input.element));
    for (AxisRef axis : input.axes)
      key += fmt::format(" {}", axis->name);
    key += ")";
  }
  return key;
}

} // namespace

Value Elaborator::applyDerivativeFunction(const CallableReference &callable, const std::vector<Operand> &inputs,
                                          SourceRange range) {
  std::vector<TensorValue> tensors;
  for (const Operand &input : inputs) {
    std::optional<TensorValue> tensor = arithmetic.toFloat32(input);
    if (!tensor)
      return poison();
    tensors.push_back(*tensor);
  }
  const std::string &base = callable.declaration->name.text;
  std::string key = fmt::format("{} {} {} {}", callable.declaration->name.range.file, base, training, typeKey(tensors));
  auto [built, isNew] = tables.derivatives.try_emplace(key);
  if (isNew) {
    std::string name = base;
    auto isTaken = [&] {
      return std::any_of(tables.model.derivativeFunctions.begin(), tables.model.derivativeFunctions.end(),
                         [&](const DerivativeFunction &function) { return function.name == name; });
    };
    for (int i = 2; isTaken(); ++i)
      name = fmt::format("{}_{}", base, i);
    built->second = buildDerivativeFunction(callable, tensors, name, range);
  }
  if (!built->second)
    return poison();
  builder.setRange(range);
  return {builder.apply(built->second->name, tensors, ElementType::Float32, built->second->axes)};
}

std::optional<DerivativeInfo> Elaborator::buildDerivativeFunction(const CallableReference &callable,
                                                                  const std::vector<TensorValue> &inputs,
                                                                  const std::string &name, SourceRange range) {
  const CallableDecl &declaration = *callable.declaration;
  DerivativeFunction function;
  function.name = name;
  NoSurroundings alone(reporter);
  std::vector<Operand> arguments;
  auto addArgument = [&](FunctionBuilder &target, const AxisList &axes, SourceRange where) {
    auto index = static_cast<std::int32_t>(arguments.size());
    arguments.push_back({{target.argument(index, ElementType::Float32, axes)}, where});
  };

  FunctionBuilder forward;
  Elaborator forwardElaborator(tables, reporter, forward, alone, training);
  forwardElaborator.activeBodies = activeBodies;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    addArgument(forward, inputs[i].axes, declaration.inputs[i].name.range);
    function.inputs.push_back({ElementType::Float32, shapeOf(inputs[i].axes)});
  }
  Operand value{forwardElaborator.applyFunction(callable, arguments, range), declaration.name.range};
  std::optional<TensorValue> result =
      value.value.is<Poison>() ? std::nullopt : forwardElaborator.arithmetic.toFloat32(value);
  if (!result)
    return std::nullopt;
  function.result = {ElementType::Float32, shapeOf(result->axes)};
  function.forward = result->node;
  function.forwardNodes = keepReachable(forward.all(), {&function.forward});

  if (declaration.derivatives.size() != inputs.size()) {
    reporter.error(declaration.name.range, Diag::DerivativeMismatch,
                   fmt::format("`{}` has {} inputs and {} derivatives", declaration.name.text, inputs.size(),
                               declaration.derivatives.size()));
    return std::nullopt;
  }
  FunctionBuilder backward;
  Elaborator backwardElaborator(tables, reporter, backward, alone, training);
  backwardElaborator.activeBodies = activeBodies;
  Scope scope(*callable.module, Owner{declaration.name.text, false});
  arguments.clear();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    addArgument(backward, inputs[i].axes, declaration.inputs[i].name.range);
  backwardElaborator.bindInputs(declaration, arguments, scope);
  for (const Identifier &extra : *declaration.derivativeNames) {
    addArgument(backward, result->axes, extra.range);
    backwardElaborator.declare(extra, arguments.back().value, scope);
  }
  std::vector<NodeId *> roots;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Expr &written = *declaration.derivatives[i];
    Operand derivative = backwardElaborator.operand(written, scope);
    std::optional<TensorValue> cotangent =
        derivative.value.is<Poison>() ? std::nullopt : backwardElaborator.arithmetic.toFloat32(derivative);
    if (!cotangent)
      return std::nullopt;
    if (cotangent->axes != inputs[i].axes) {
      reporter.error(written.range, Diag::DerivativeMismatch,
                     fmt::format("the derivative for `{}` is {}; it must be as its input, {}",
                                 declaration.inputs[i].name.text, describeTensor(cotangent->element, cotangent->axes),
                                 describeTensor(inputs[i].element, inputs[i].axes)));
      return std::nullopt;
    }
    function.cotangents.push_back(cotangent->node);
  }
  for (NodeId &cotangent : function.cotangents)
    roots.push_back(&cotangent);
  function.derivativeNodes = keepReachable(backward.all(), roots);
  tables.model.derivativeFunctions.push_back(std::move(function));
  return DerivativeInfo{name, result->axes};
}

} // namespace clm::sema
