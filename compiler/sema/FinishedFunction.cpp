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

/// Each function of the model is given only some of the leaves: there are no samples at the end of a task, and no
/// progress of an epoch outside of training.
void MethodElaborator::checkLeaves(const Function &finished) {
  bool isFirstValue = kind == Kind::Init || kind == Kind::Arrive;
  for (const Node &node : finished.nodes) {
    bool isSample = node.op == Op::Input || node.op == Op::Label;
    bool isProgress = node.op == Op::Scalar && (node.symbol == "progress" || node.symbol == "epoch");
    if (isFirstValue && (isSample || isProgress || (node.op == Op::Read && kind == Kind::Init)))
      reporter.error(node.range, Diag::InvalidInitialValue,
                     "a first value cannot depend on data, parameters or the progress of training");
    else if (kind == Kind::Finish && isSample)
      reporter.error(node.range, Diag::DataOutsidePass, "there is no batch at the end of a task")
          .help("reduce over the task's data: `mean(value for batch in data(t))`");
    else if (isProgress && kind != Kind::Step)
      reporter.error(node.range, Diag::ScheduleWithoutEval, "outside of training there is no progress of an epoch")
          .help("give the schedule a value there: `schedule s = anneal(...) at eval value;`");
    else if (kind == Kind::Predict && node.op == Op::Label)
      reporter.error(node.range, Diag::PredictionUsesLabels, "the prediction depends on the labels");
  }
}

} // namespace clm::sema
