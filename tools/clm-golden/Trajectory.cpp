/// \file
/// Kind `trajectory`: several tasks of an epoch each, every task closed and evaluated.

#include "Kinds.h"

#include <fmt/format.h>

namespace clm::golden {

namespace {

std::string stepPrefix(std::int64_t task, std::int64_t step) { return fmt::format("task{}.step{}.", task, step); }

/// All batches of a task: its steps, in order.
std::vector<Samples> batchesOf(Replay &replay, std::int64_t task) {
  std::vector<Samples> batches;
  for (std::int64_t step = 0; replay.golden.has(stepPrefix(task, step) + "x"); ++step)
    batches.push_back(replay.samples(stepPrefix(task, step) + "x", stepPrefix(task, step) + "y"));
  return batches;
}

Samples joined(const std::vector<Samples> &batches) {
  Samples all;
  for (const Samples &batch : batches) {
    all.images.insert(all.images.end(), batch.images.begin(), batch.images.end());
    all.labels.insert(all.labels.end(), batch.labels.begin(), batch.labels.end());
  }
  return all;
}

void replaySteps(Replay &replay, std::int64_t task, const std::vector<Samples> &batches) {
  double total = 0, done = 0;
  for (const Samples &batch : batches)
    total += static_cast<double>(batch.size());
  for (std::size_t step = 0; step < batches.size(); ++step) {
    std::string prefix = stepPrefix(task, static_cast<std::int64_t>(step));
    replay.loadParameters(prefix + "before.");
    replay.loadNoise(prefix);
    runtime::StepScalars scalars{done / total, 0, replay.golden.number(replay.mapping.learningRate)};
    replay.record(prefix, "step", replay.step(batches[step], scalars, prefix));
    replay.recordParameters(prefix + "param.");
    replay.session.clearNoise();
    done += static_cast<double>(batches[step].size());
  }
}

/// Every task so far, on its own samples: losses and accuracies on those it was trained with, logits on its `eval_x`.
void evaluateTasks(Replay &replay, std::int64_t last) {
  Observation observation;
  for (std::int64_t task = 0; task <= last; ++task) {
    replay.session.selectTask(task);
    if (std::vector<Samples> batches = batchesOf(replay, task); !batches.empty())
      observation.merge(replay.evaluate(joined(batches)));
    if (std::string images = fmt::format("task{}.eval_x", task); replay.golden.has(images)) {
      std::string logits = fmt::format("logits.{}", task);
      observation[logits] = replay.predict(replay.samples(images, fmt::format("task{}.eval_y", task))).at(logits);
    }
  }
  replay.record(fmt::format("task{}.eval.", last), "evaluation", observation);
}

} // namespace

void replayTrajectory(Replay &replay) {
  for (std::int64_t task = 0; task < replay.tasks(); ++task) {
    std::vector<Samples> batches = batchesOf(replay, task);
    if (batches.empty())
      continue;
    replay.session.selectTask(task);
    replaySteps(replay, task, batches);
    replay.recordParameters(fmt::format("task{}.final.", task));
    replay.session.finishTask();
    replay.record(fmt::format("task{}.after.", task), "closed", replay.probe(batches.front()));
    evaluateTasks(replay, task);
  }
}

} // namespace clm::golden
