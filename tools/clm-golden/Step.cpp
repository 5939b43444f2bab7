/// \file
/// Kind `step`: one training step, seen from all sides.

#include "Kinds.h"

namespace clm::golden {

namespace {

/// Index of the batch's first sample over the samples of the epoch; only the last batch may be smaller. 0 for a case
/// that does not say where in an epoch it stands.
double progressOf(const Case &golden) {
  std::optional<double> index = golden.find("step_index"), batches = golden.find("batches_in_epoch");
  if (!index || !batches)
    return 0;
  double batch = golden.number("batch"), last = golden.find("last_batch").value_or(batch);
  return *index * batch / ((*batches - 1) * batch + last);
}

} // namespace

void replayStep(Replay &replay) {
  const Case &golden = replay.golden;
  replay.session.selectTask(golden.task(replay.tasks()));
  replay.loadState("state.");
  replay.loadNoise("step.");
  Samples samples = replay.samples("step.x", "step.y");
  runtime::StepScalars scalars{progressOf(golden), 0, golden.number(replay.mapping.learningRate)};
  Observation observation = replay.step(samples, scalars, "step.");
  replay.record("step.", "step", observation);
  replay.recordParameters("step.param.");
  replay.record("state.", "closed", observation);
}

} // namespace clm::golden
