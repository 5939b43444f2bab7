/// \file
/// `after task`: new values for states, and passes over the data of the task.
#include "sema/MethodElaborator.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

using namespace syntax;

void MethodElaborator::runHook(const std::vector<Statement> &body, Scope &outer) {
  bool wasInHook = std::exchange(inHook, true);
  Scope inner(&outer);
  for (const Statement &statement : body) {
    if (const auto *let = std::get_if<LetStatement>(&statement.node)) {
      elaborator.runLet(*let, inner);
    } else if (const auto *assignment = std::get_if<AssignStatement>(&statement.node)) {
      runAssignment(*assignment, inner);
    } else if (const auto *loop = std::get_if<ForStatement>(&statement.node)) {
      elaborator.family(loop->generator, inner, [&](Scope &bound, const Value &key) {
        runHook(loop->body, bound);
        return key;
      });
    } else if (std::string_view unsupported = unsupportedStatement(statement); !unsupported.empty()) {
      reporter.notSupported(statement.range, unsupported);
    } else {
      reporter.error(statement.range, Diag::MisplacedStatement, "this cannot stand in `after task`")
          .help("there are `let`, `for` and assignments to states");
    }
  }
  inHook = wasInHook;
}

void MethodElaborator::runAssignment(const AssignStatement &assignment, Scope &inner) {
  Operand value = elaborator.operand(*assignment.value, inner);
  std::vector<Operand> path; // indices, outermost last
  const Expr *base = assignment.target.get();
  while (const auto *index = std::get_if<IndexExpr>(&base->node)) {
    for (auto written = index->indices.rbegin(); written != index->indices.rend(); ++written)
      path.push_back(elaborator.operand(**written, inner));
    base = index->base.get();
  }
  const auto *name = std::get_if<NameExpr>(&base->node);
  const Scope::Binding *binding = name ? scope.findHere(name->name) : nullptr;
  if (!binding || !states.count(name->name)) {
    Diagnostic &diagnostic =
        reporter.error(base->range, Diag::NotAssignable, "only a `state` of the method can be assigned to");
    if (binding)
      diagnostic.note(binding->range, "this is declared here");
    else if (name)
      if (std::string nearest = nearestName(name->name, {states.begin(), states.end()}); !nearest.empty())
        diagnostic.help(fmt::format("did you mean `{}`?", nearest));
    return;
  }
  bool isPoisoned = binding->value.is<Poison>() || value.value.is<Poison>();
  for (const Operand &index : path)
    isPoisoned |= index.value.is<Poison>();
  if (!isPoisoned)
    scope.bind(name->name, assignMember(binding->value, path, value, assignment), binding->range);
}

/// The state with the part that `path` names replaced.
Value MethodElaborator::assignMember(const Value &current, std::vector<Operand> &path, const Operand &value,
                                     const AssignStatement &assignment) {
  SourceRange range = assignment.target->range;
  if (const auto *perTask = current.as<PerTaskValue>()) {
    if (path.empty() || !path.back().value.is<TaskReference>())
      return elaborator.arithmetic.mismatch({current, range}, "a state of the current task");
    path.pop_back();
    Value inner = assignMember(*perTask->inner, path, value, assignment);
    return {PerTaskValue{std::make_shared<const Value>(std::move(inner)), perTask->name}};
  }
  if (path.empty())
    return assign(current, value, assignment);
  const auto *family = current.as<FamilyValue>();
  if (!family)
    return elaborator.arithmetic.mismatch({current, range}, "a family");
  Operand index = std::move(path.back());
  path.pop_back();
  std::vector<Value> members = family->family->members;
  bool found = false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (keyName(family->family->keys[i]) != keyName(index.value))
      continue;
    found = true;
    members[i] = assignMember(members[i], path, value, assignment);
  }
  if (!found)
    reporter.error(index.range, Diag::UnknownKey,
                   fmt::format("the family has no member for {}", describe(index.value)));
  return makeFamily(family->family->keys, std::move(members));
}

/// New values for the entries behind `target`, which is an entry, a value assigned before, or a family of these.
Value MethodElaborator::assign(const Value &target, const Operand &value, const AssignStatement &assignment) {
  if (const auto *family = target.as<FamilyValue>()) {
    std::vector<Value> members;
    const auto *values = value.value.as<FamilyValue>();
    if (values && values->family->members.size() != family->family->members.size()) {
      reporter.error(value.range, Diag::FamilyMismatch,
                     fmt::format("found {} values for {} members", values->family->members.size(),
                                 family->family->members.size()));
      return poison();
    }
    for (std::size_t i = 0; i < family->family->members.size(); ++i)
      members.push_back(assign(family->family->members[i],
                               {values ? values->family->members[i] : value.value, value.range}, assignment));
    return makeFamily(family->family->keys, std::move(members));
  }
  const auto *reference = target.as<EntryReference>();
  if (!reference) { // poisoned, or assigned before in this hook
    if (!target.is<Poison>())
      reporter.notSupported(assignment.target->range, "a second assignment to a state");
    return poison();
  }
  const EntryInfo &entry = *reference->entry;
  std::optional<TensorValue> tensor = elaborator.arithmetic.toFloat32(value);
  if (!tensor)
    return poison();
  if (!isSubsequence(tensor->axes, entry.axes)) {
    reporter
        .error(value.range, Diag::AxisMismatch,
               fmt::format("found {}, which does not fit `{}`", describe(value.value), entry.path))
        .note(entry.range, "it is " + describeTensor(entry.element, entry.axes));
    return poison();
  }
  builder.setRange(value.range);
  if (kind == Kind::Finish)
    updates[entry.index] = builder.align(*tensor, entry.axes);
  return {*tensor};
}

//===- Passes over data -------------------------------------------------------------------------------------------===//

Value MethodElaborator::dataPass(Arithmetic::Reduction reduction, const Expr &value, Scope &inner, SourceRange range) {
  if (!inHook) {
    reporter.error(range, Diag::MisplacedStatement, "a pass over the data of the task belongs in `after task`");
    return poison();
  }
  std::string path = fmt::format("pass.{}", ++dataPasses);
  return passOver(reduction, elaborator.operand(value, inner), path);
}

/// Adds up a value over the samples of the task; the mean counts each sample once, however large its batch was.
Value MethodElaborator::passOver(Arithmetic::Reduction reduction, const Operand &value, const std::string &path) {
  if (value.value.is<Poison>())
    return poison();
  if (const auto *family = value.value.as<FamilyValue>()) {
    std::vector<Value> members;
    for (std::size_t i = 0; i < family->family->keys.size(); ++i)
      members.push_back(passOver(reduction, {family->family->members[i], value.range},
                                 path + "." + keyName(family->family->keys[i])));
    return makeFamily(family->family->keys, std::move(members));
  }
  std::optional<TensorValue> tensor = elaborator.arithmetic.toFloat32(value);
  if (!tensor)
    return poison();
  AxisRef batch = tables.inputAxes.front();
  bool isMean = reduction == Arithmetic::Reduction::Mean;
  builder.setRange(value.range);
  TensorValue samples = builder.cast(builder.extent(builder.input(tables.inputAxes), {batch}), ElementType::Float32);
  if (positionOf(batch, tensor->axes) >= 0)
    tensor = builder.reduce(Op::Sum, *tensor, {batch});
  else if (isMean)
    tensor = builder.elementwise(Op::Multiply, {*tensor, samples}, tensor->axes, ElementType::Float32);
  TensorValue sum = accumulate(path, *tensor, value.range);
  if (!isMean)
    return {sum};
  TensorValue count = accumulate(path + ".samples", samples, value.range);
  return {builder.elementwise(Op::Divide, {sum, count}, sum.axes, ElementType::Float32)};
}

/// The accumulator's value after the pass; during it, `increment` is added.
TensorValue MethodElaborator::accumulate(const std::string &path, const TensorValue &increment, SourceRange range) {
  const EntryInfo *entry = tables.findEntry(path);
  if (entry && entry->role != EntryRole::Accumulator)
    reporter
        .error(entry->range, Diag::NameClash,
               fmt::format("this makes `{}`, which a pass over data needs for itself", path))
        .note(range, "the pass is here");
  if (!entry)
    entry =
        &tables.addEntry({-1, path, EntryRole::Accumulator, false, false, ElementType::Float32, increment.axes, range});
  TensorValue sum = builder.read(*entry);
  if (kind != Kind::Accumulate)
    return sum;
  NodeId root = increment.node;
  for (const Node &node : keepReachable(builder.all(), {&root}))
    if (node.op == Op::Read && tables.entries()[static_cast<std::size_t>(node.index)]->role == EntryRole::Accumulator)
      reporter.notSupported(range, "a pass over data that uses the result of another pass");
  updates[entry->index] = builder.elementwise(Op::Add, {sum, increment}, increment.axes, ElementType::Float32).node;
  return sum;
}

} // namespace clm::sema
