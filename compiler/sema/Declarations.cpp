/// \file
/// Declarations of parameters, states and noise, and their distributions.
#include "sema/Elaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

bool Elaborator::declare(const Identifier &name, Value value, Scope &scope) {
  if (const Scope::Binding *earlier = scope.findHere(name.text)) {
    reporter.error(name.range, Diag::Redeclared, fmt::format("`{}` is declared twice", name.text))
        .note(earlier->range, "declared here");
    return false;
  }
  scope.bind(name.text, std::move(value), name.range);
  return true;
}

Value Elaborator::declareEntry(const VariableDecl &variable, Scope &scope, EntryRole role) {
  std::string prefix = scope.owner.path.empty() ? "" : scope.owner.path + ".";
  std::string path = prefix + variable.name.text;
  if (variable.indices.empty())
    return declareMember(variable, scope, role, path);
  if (variable.indices.size() > 1) {
    reporter.notSupported(variable.name.range, "a family over several ranges");
    return poison();
  }
  return family(variable.indices.front(), scope, [&](Scope &inner, const Value &key) {
    if (keyName(key).empty()) {
      arithmetic.mismatch({key, variable.indices.front().range->range}, "sites or parameters to declare a family over");
      return poison();
    }
    return declareMember(variable, inner, role, path + "." + keyName(key));
  });
}

/// What is stored has a size that no batch decides; the classes of a task can only be the first axis of what it owns.
bool Elaborator::checkStored(const AxisList &axes, bool perTask, SourceRange range) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    bool isClasses = axes[i]->dimension.kind == Dimension::Kind::Classes;
    if (axes[i]->isFixed() || (isClasses && perTask && i == 0))
      continue;
    reporter
        .error(range, Diag::InvalidSize,
               isClasses ? "the classes of a task can only be the first axis, of what stands in `per task`"
                         : "what is stored has no axis of samples")
        .note(range, "this is " + describeTensor(ElementType::Float32, axes));
    return false;
  }
  return true;
}

Value Elaborator::declareMember(const VariableDecl &variable, Scope &scope, EntryRole role, const std::string &path) {
  SourceRange range = variable.name.range;
  if (!variable.type) {
    reporter.error(range, Diag::MissingType, fmt::format("`{}` has no type", variable.name.text))
        .help("write `name : f32[axes]`");
    return poison();
  }
  if (variable.type->element.text == "int" || variable.type->element.text == "bool") {
    reporter.notSupported(variable.type->range, fmt::format("a table entry of type `{}`", variable.type->element.text));
    return poison();
  }
  std::optional<AxisList> axes = resolveAxes(*variable.type, scope, path);
  if (!axes || !checkStored(*axes, scope.owner.perTask, variable.type->range))
    return poison();
  const EntryInfo *entry = tables.findEntry(path);
  if (!entry) {
    bool ofNetwork = role == EntryRole::Parameter && !scope.owner.perTask && path.rfind("net.", 0) == 0;
    entry = &tables.addEntry({-1, path, role, scope.owner.perTask, ofNetwork, ElementType::Float32, *axes, range});
  } else if (entry->range.file != range.file || entry->range.begin != range.begin ||
             entry->perTask != scope.owner.perTask) {
    reporter.error(range, Diag::NameClash, fmt::format("this makes a second `{}` in the table of the model", path))
        .note(entry->range, "the first one is made here")
        .help("give the head, parameter or state another name");
    return poison();
  } else if (entry->axes != *axes) {
    reporter
        .error(range, Diag::AxisMismatch,
               fmt::format("`{}` is {} here and was {} in an earlier call of its layer", path,
                           describeTensor(entry->element, *axes), describeTensor(entry->element, entry->axes)))
        .help("make a second layer for the second kind of input");
    return poison();
  }
  if (!variable.distribution && !variable.value) {
    reporter.error(range, Diag::MissingInitialValue, fmt::format("`{}` has no first value", variable.name.text))
        .help("write `~ normal(0, 1)` or `= 0` behind its type");
    return {EntryReference{entry}};
  }
  if (!surroundings.initializes(*entry))
    return {EntryReference{entry}};
  std::optional<TensorValue> first = variable.distribution ? draw(*variable.distribution, *axes, "init/" + path, scope)
                                                           : arithmetic.toFloat32(operand(*variable.value, scope));
  if (first && !isSubsequence(first->axes, *axes)) {
    reporter
        .error(variable.value->range, Diag::AxisMismatch,
               fmt::format("found {}, which does not fill `{}`", describe(Value{*first}), path))
        .note(variable.type->range, "it is " + describeTensor(entry->element, *axes));
  } else if (first) {
    surroundings.setInitialValue(*entry, *first);
  }
  return {EntryReference{entry}};
}

void Elaborator::declareNoise(const VariableDecl &variable, SourceRange range, Scope &scope) {
  Value value = poison();
  std::string path = freshPath(scope.owner.path + "." + variable.name.text);
  if (!variable.indices.empty()) {
    reporter.notSupported(variable.name.range, "a family of noise");
  } else if (!variable.type) {
    reporter.error(range, Diag::MissingType, fmt::format("`{}` has no type", variable.name.text))
        .help("write `noise u : like(x) ~ uniform(0, 1);`");
  } else if (!variable.distribution) {
    reporter.error(range, Diag::MissingInitialValue, fmt::format("noise `{}` has no distribution", variable.name.text))
        .help("write `~ uniform(0, 1)` behind its type");
  } else if (std::optional<AxisList> axes = resolveAxes(*variable.type, scope, path)) {
    if (std::optional<TensorValue> drawn = draw(*variable.distribution, *axes, path, scope))
      value = {*drawn};
  }
  declare(variable.name, std::move(value), scope);
}

std::optional<TensorValue> Elaborator::draw(const Expr &distribution, const AxisList &axes, const std::string &stream,
                                            Scope &scope) {
  const std::vector<std::string> known = {"kaiming_uniform", "normal", "uniform"};
  const auto *call = std::get_if<CallExpr>(&distribution.node);
  const auto *name = call ? std::get_if<NameExpr>(&call->callee->node) : nullptr;
  SourceRange range = distribution.range;
  if (name && isPlannedName(name->name)) {
    reporter.notSupported(call->callee->range, fmt::format("`{}`", name->name));
    return std::nullopt;
  }
  bool isKnown = name && std::find(known.begin(), known.end(), name->name) != known.end();
  if (!isKnown) {
    reporter
        .unknown(range, Diag::UnknownDistribution,
                 name ? fmt::format("unknown distribution `{}`", name->name) : "found no distribution behind `~`",
                 name ? name->name : "", known)
        .note(range, "known are `uniform(low, high)`, `normal(mean, std)` and `kaiming_uniform(a)`");
    return std::nullopt;
  }
  bool isKaiming = name->name == "kaiming_uniform", isNormal = name->name == "normal";
  std::vector<std::string> parameters = {"low", "high"};
  if (isNormal)
    parameters = {"mean", "std"};
  if (isKaiming)
    parameters = {"a"};
  auto arguments = assignArguments(parameters, parameters.size(), *call, range, fmt::format("`{}`", name->name), {});
  if (!arguments)
    return std::nullopt;
  std::vector<Operand> values;
  for (const CallArgument *argument : *arguments) {
    values.push_back(operand(*argument->value, scope));
    if (values.back().value.is<Poison>())
      return std::nullopt;
  }
  if (isNormal)
    return scaleNoise(Distribution::Normal, values[1], values[0], axes, stream, range);
  if (isKaiming) {
    std::optional<Operand> bound = kaimingBound(values[0], axes, range);
    if (!bound)
      return std::nullopt;
    values = {{arithmetic.negate(*bound, range), range}, *bound};
  }
  Operand width{arithmetic.apply(Op::Subtract, {values[1], values[0]}, range), range};
  return scaleNoise(Distribution::Uniform, width, values[0], axes, stream, range);
}

/// sqrt(6 / ((1 + a²) fan_in)), where fan_in counts the elements that feed one output: all axes behind the first.
std::optional<Operand> Elaborator::kaimingBound(const Operand &slope, const AxisList &axes, SourceRange range) {
  AxisList inputs(axes.begin() + (axes.empty() ? 0 : 1), axes.end());
  bool isFixed = !inputs.empty();
  for (AxisRef axis : inputs)
    isFixed &= axis->isFixed();
  if (!isFixed) {
    reporter
        .error(range, Diag::InvalidInitialValue,
               "`kaiming_uniform` needs a tensor with inputs: two or more axes, of known size behind the first")
        .note(range, "this one is " + describeTensor(ElementType::Float32, axes));
    return std::nullopt;
  }
  auto fanIn = static_cast<double>(countElements(inputs).value_or(maximalElements));
  auto number = [&](double value) { return Operand{{Real{value}}, range}; };
  Operand square{arithmetic.apply(Op::Multiply, {slope, slope}, range), range};
  Operand gain{arithmetic.apply(Op::Add, {square, number(1)}, range), range};
  Operand variance{arithmetic.apply(Op::Divide, {number(6 / fanIn), gain}, range), range};
  return Operand{arithmetic.apply(Op::Sqrt, {variance}, range), range};
}

/// Standard noise times a scale plus a shift.
std::optional<TensorValue> Elaborator::scaleNoise(Distribution distribution, const Operand &scale, const Operand &shift,
                                                  const AxisList &axes, const std::string &stream, SourceRange range) {
  builder.setRange(range);
  Operand result{{builder.noise(tables.noiseStream(stream, distribution, axes), axes)}, range};
  if (plainNumber(scale.value) != 1.0)
    result.value = arithmetic.apply(Op::Multiply, {result, scale}, range);
  if (plainNumber(shift.value) != 0.0)
    result.value = arithmetic.apply(Op::Add, {result, shift}, range);
  if (result.value.is<Poison>())
    return std::nullopt;
  return arithmetic.toFloat32(result);
}

} // namespace clm::sema
