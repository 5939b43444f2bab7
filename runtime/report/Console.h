/// \file
/// What a run shows to a person: the plan, progress, the final table. Accuracies are percentages here and tasks count
/// from 1; the first line of a table says so.
#pragma once

#include "runtime/report/Experiment.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>

namespace clm::runtime {

/// The plan of a run, before it starts: model, data, tasks with their class ids, seed, order, training.
std::string printPlan(const Experiment &experiment);

/// The accuracy matrix as a table, average accuracy and forgetting.
std::string printSummary(const AccuracyMatrix &matrix);

/// What a person should know before believing the numbers: tasks whose loss was not a number. Empty when all is well.
std::string printWarnings(const Experiment &experiment);

/// Shows progress on a stream: one line that is rewritten on a terminal, otherwise a line at most every two seconds.
/// Cancels the run when `interrupted` becomes true.
class ProgressDisplay final : public ExperimentObserver {
public:
  ProgressDisplay(std::FILE *stream, bool quiet, const Experiment &experiment, const std::atomic<bool> &interrupted);
  ~ProgressDisplay() override;

  void onTaskBegin(std::int64_t task) override;
  bool onStep(std::int64_t epoch, std::int64_t done, std::int64_t total, double lastLoss) override;
  void onEpoch(const EpochReport &report) override;
  void onTaskEnd(std::int64_t task, const TaskReport &report, const AccuracyMatrix &accuracies) override;

private:
  using Clock = std::chrono::steady_clock;
  /// Shows `text` if it is time to; `always` for lines that must not be lost.
  void show(const std::string &text, bool always);
  std::string position() const;

  std::FILE *stream;
  bool quiet;
  bool terminal;
  const Experiment &experiment;
  const std::atomic<bool> &interrupted;
  std::int64_t task = 0, epoch = 0;
  std::string judgement; // of the last epoch
  Clock::time_point lastShown = Clock::now();
  Clock::time_point taskBegin = Clock::now();
  bool lineOpen = false; // a line on the terminal that will be rewritten
};

} // namespace clm::runtime
