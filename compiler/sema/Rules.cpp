/// \file
/// Rules on gradients and parameters, expanded to one for each entry they reach.
#include "sema/MethodElaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

namespace {

/// A list may hold itself twice over, again and again; no model has this many parameters.
constexpr std::size_t maximalTargets = 100'000;

bool contains(const std::vector<std::int32_t> &entries, std::int32_t entry) {
  return std::find(entries.begin(), entries.end(), entry) != entries.end();
}

} // namespace

std::vector<std::int32_t> MethodElaborator::trainedEntries() const {
  const std::vector<Node> &nodes = builder.all();
  std::vector<bool> reached(nodes.size(), false);
  for (const NamedNode &loss : function.losses)
    reached[static_cast<std::size_t>(loss.node)] = true;
  std::set<std::int32_t> trained;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Node &node = nodes[i];
    bool hasDerivative =
        node.op != Op::Detach && node.op != Op::Compare && node.op != Op::OneHot && node.op != Op::Extent;
    if (!reached[i] || !hasDerivative)
      continue;
    for (NodeId operand : node.operands)
      reached[static_cast<std::size_t>(operand)] = true;
    if (node.op == Op::Read && tables.entries()[static_cast<std::size_t>(node.index)]->role == EntryRole::Parameter)
      trained.insert(node.index);
  }
  return {trained.begin(), trained.end()};
}

void MethodElaborator::runRules() {
  function.trained = trainedEntries();
  function.optimizer = Optimizer{};
  for (const Statement *statement : rules) {
    if (const auto *gradient = std::get_if<syntax::GradientRule>(&statement->node))
      runGradientRule(*gradient, statement->range);
    else if (const auto *clip = std::get_if<ClipRule>(&statement->node))
      runClipRule(*clip, statement->range, scope);
    else if (const auto *clamp = std::get_if<syntax::ClampRule>(&statement->node))
      runClampRule(*clamp);
  }
  Scope trainScope(*spec.module, Owner{"train", false});
  for (const auto &[clip, range] : spec.clips)
    runClipRule(*clip, range, trainScope);
}

namespace {

/// Number of the rule at a place among those of its function.
std::int32_t ruleNumber(const Function &function, SourceRange range) {
  if (function.gradientRules.empty())
    return 0;
  const GradientRule &last = function.gradientRules.back();
  bool isSame = last.range.file == range.file && last.range.begin == range.begin;
  return last.rule + (isSame ? 0 : 1);
}

} // namespace

/// Entries that a rule names: a parameter, a family of them, a head, a list, the network.
std::optional<std::vector<const EntryInfo *>> MethodElaborator::ruleTargets(const Expr &target, Scope &inner) {
  Operand written = elaborator.operand(target, inner);
  std::vector<const EntryInfo *> entries;
  std::vector<Value> open = {written.value};
  std::size_t visited = 0;
  while (!open.empty()) {
    if (++visited > maximalTargets) {
      reporter.error(target.range, Diag::ProgramTooLarge,
                     fmt::format("the rule names more than {} things", maximalTargets));
      return std::nullopt;
    }
    Value value = std::move(open.back());
    open.pop_back();
    if (const auto *perTask = value.as<PerTaskValue>()) {
      open.push_back(*perTask->inner);
    } else if (const auto *family = value.as<FamilyValue>()) {
      open.insert(open.end(), family->family->members.rbegin(), family->family->members.rend());
    } else if (const auto *list = value.as<ListValue>()) {
      open.insert(open.end(), list->elements->rbegin(), list->elements->rend());
    } else if (const auto *entry = value.as<EntryReference>(); entry && entry->entry->role == EntryRole::Parameter) {
      entries.push_back(entry->entry);
    } else if (const auto *instance = value.as<InstanceReference>()) {
      std::string prefix = instance->instance->path + ".";
      for (const EntryInfo *candidate : tables.entries())
        if (candidate->path.rfind(prefix, 0) == 0)
          entries.push_back(candidate);
    } else if (value.is<NetworkReference>()) {
      for (const EntryInfo *candidate : tables.entries())
        if (candidate->ofNetwork)
          entries.push_back(candidate);
    } else {
      if (!value.is<Poison>())
        reporter.error(target.range, Diag::TypeMismatch, fmt::format("found {}, expected parameters", describe(value)));
      return std::nullopt;
    }
  }
  return entries;
}

void MethodElaborator::runGradientRule(const syntax::GradientRule &rule, SourceRange range) {
  if (rule.generator) {
    elaborator.family(*rule.generator, scope, [&](Scope &inner, const Value &key) {
      const auto *reference = key.as<EntryReference>();
      if (!reference)
        return elaborator.arithmetic.mismatch({key, rule.generator->range->range}, "parameters, such as `net.params`");
      addScale(*reference->entry, elaborator.operand(*rule.factor, inner), range);
      return key;
    });
    return;
  }
  std::optional<std::vector<const EntryInfo *>> entries = ruleTargets(*rule.target, scope);
  Operand factor = elaborator.operand(*rule.factor, scope);
  if (!entries)
    return;
  const auto *family = factor.value.as<FamilyValue>();
  if (!family) {
    for (const EntryInfo *entry : *entries)
      addScale(*entry, factor, range);
    return;
  }
  if (family->family->members.size() != entries->size()) {
    reporter
        .error(factor.range, Diag::FamilyMismatch,
               fmt::format("found {} factors for {} parameters", family->family->members.size(), entries->size()))
        .note(rule.target->range, "these are the parameters");
    return;
  }
  for (std::size_t i = 0; i < entries->size(); ++i)
    addScale(*(*entries)[i], {family->family->members[i], factor.range}, range);
}

void MethodElaborator::addScale(const EntryInfo &entry, const Operand &factor, SourceRange range) {
  bool isTrained = contains(function.trained, entry.index);
  if (factor.value.is<Nothing>() || factor.value.is<Poison>() || !isTrained)
    return;
  std::optional<TensorValue> tensor = elaborator.arithmetic.toFloat32(factor);
  if (!tensor)
    return;
  if (!containsAll(entry.axes, tensor->axes) || !isSubsequence(tensor->axes, entry.axes)) {
    reporter
        .error(factor.range, Diag::AxisMismatch,
               fmt::format("the factor is {}, whose axes are not those of `{}`", describe(factor.value), entry.path))
        .note(entry.range, "which is " + describeTensor(entry.element, entry.axes));
    return;
  }
  builder.setRange(factor.range);
  NodeId value = builder.align(*tensor, entry.axes);
  function.gradientRules.push_back(
      {sema::GradientRule::Kind::Scale, {entry.index}, value, ruleNumber(function, range), range});
}

void MethodElaborator::runClipRule(const ClipRule &rule, SourceRange range, Scope &inner) {
  if (rule.kind.text != "norm") {
    reporter.notSupported(range, fmt::format("`clip {}`; `clip norm` is", rule.kind.text));
    return;
  }
  Operand bound = elaborator.operand(*rule.bound, inner);
  std::vector<std::int32_t> entries = rule.over.empty() ? function.trained : std::vector<std::int32_t>();
  for (const ExprPtr &over : rule.over)
    for (const EntryInfo *entry : ruleTargets(*over, inner).value_or(std::vector<const EntryInfo *>()))
      if (contains(function.trained, entry->index) && !contains(entries, entry->index))
        entries.push_back(entry->index);
  std::optional<TensorValue> tensor =
      bound.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toTensor(bound, ElementType::Float64);
  if (!tensor || entries.empty())
    return;
  if (!tensor->axes.empty() || tensor->element == ElementType::Bool || tensor->element == ElementType::Int64) {
    elaborator.arithmetic.mismatch(bound, "a scalar of type f32");
    return;
  }
  builder.setRange(bound.range);
  NodeId value = builder.cast(*tensor, ElementType::Float64).node;
  function.gradientRules.push_back(
      {sema::GradientRule::Kind::ClipNorm, std::move(entries), value, ruleNumber(function, range), range});
}

void MethodElaborator::runClampRule(const syntax::ClampRule &rule) {
  std::optional<std::vector<const EntryInfo *>> entries = ruleTargets(*rule.target, scope);
  Operand low = elaborator.operand(*rule.low, scope), high = elaborator.operand(*rule.high, scope);
  if (!entries || low.value.is<Poison>() || high.value.is<Poison>())
    return;
  std::optional<TensorValue> lowest = elaborator.arithmetic.toFloat32(low);
  std::optional<TensorValue> highest = elaborator.arithmetic.toFloat32(high);
  if (!lowest || !highest)
    return;
  for (const auto &[tensor, written] : {std::pair(*lowest, low), std::pair(*highest, high)})
    if (!tensor.axes.empty()) {
      elaborator.arithmetic.mismatch(written, "a scalar");
      return;
    }
  for (const EntryInfo *entry : *entries)
    function.clamps.push_back({entry->index, lowest->node, highest->node});
}

} // namespace clm::sema
