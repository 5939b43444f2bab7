/// \file
/// The finished function: what its results need, and whether the runtime can give that.
#include "sema/MethodElaborator.h"

#include <fmt/format.h>

namespace clm::sema {

Function MethodElaborator::finish() {
  for (const auto &[entry, node] : updates)
    function.updates.push_back({entry, node});
  bool hasLosses = kind == Kind::Step || kind == Kind::Evaluate;
  if (!hasLosses)
    function.losses.clear();
  if (!hasLosses && kind != Kind::Predict)
    function.outputs.clear();
  std::vector<NodeId *> roots;
  for (auto *list : {&function.losses, &function.outputs, &function.probes})
    for (NamedNode &named : *list)
      roots.push_back(&named.node);
  for (Update &update : function.updates)
    roots.push_back(&update.node);
  for (GradientRule &rule : function.gradientRules)
    roots.push_back(&rule.value);
  for (ClampRule &clamp : function.clamps) {
    roots.push_back(&clamp.low);
    roots.push_back(&clamp.high);
  }
  function.nodes = keepReachable(builder.all(), roots);
  checkLeaves(function);
  return std::move(function);
}

namespace {

/// Where a leaf is used first: samples and labels have no place of their own.
SourceRange placeOf(const Function &function, std::size_t leaf) {
  SourceRange place = function.nodes[leaf].range;
  for (std::size_t i = leaf + 1; !place.isValid() && i < function.nodes.size(); ++i)
    for (NodeId operand : function.nodes[i].operands)
      if (static_cast<std::size_t>(operand) == leaf)
        place = function.nodes[i].range;
  return place;
}

} // namespace

/// Each function of the model is given only some of the leaves: there are no samples at the end of a task, and no
/// progress of an epoch outside of training.
void MethodElaborator::checkLeaves(const Function &finished) {
  bool isFirstValue = kind == Kind::Init || kind == Kind::Arrive;
  for (std::size_t i = 0; i < finished.nodes.size(); ++i) {
    const Node &node = finished.nodes[i];
    SourceRange place = placeOf(finished, i);
    bool isSample = node.op == Op::Input || node.op == Op::Label;
    bool isProgress = node.op == Op::Scalar && (node.symbol == "progress" || node.symbol == "epoch");
    if (isFirstValue && (isSample || isProgress || (node.op == Op::Read && kind == Kind::Init)))
      reporter.error(place, Diag::InvalidInitialValue,
                     "a first value cannot depend on data, parameters or the progress of training");
    else if (kind == Kind::Finish && isSample)
      reporter.error(place, Diag::DataOutsidePass, "there is no batch at the end of a task")
          .help("reduce over the task's data: `mean(value for batch in data(t))`");
    else if (isProgress && kind != Kind::Step)
      reporter.error(place, Diag::ScheduleWithoutEval, "outside of training there is no progress of an epoch")
          .help("give the schedule a value there: `schedule s = anneal(...) at eval value;`");
    else if (kind == Kind::Predict && node.op == Op::Label)
      reporter.error(place, Diag::PredictionUsesLabels, "the prediction depends on the labels");
  }
}

} // namespace clm::sema
