/// \file
/// A whole run: task after task is trained on a data set, and after each one all tasks seen so far are tested. Reads
/// and writes no files.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/data/Scenario.h"
#include "runtime/report/Metrics.h"
#include "runtime/train/Overrides.h"
#include "runtime/train/Session.h"
#include "runtime/train/Trainer.h"

#include <cstdint>
#include <vector>

namespace clm::runtime {

struct ExperimentOptions {
  std::int64_t tasks = 1;
  std::vector<std::int64_t> order; // of the class ids, a permutation
  /// Of initialization, dropout, the order of samples and the choice of validation samples; not of the class order.
  std::uint64_t seed = 0;
  RunConfiguration configuration;
};

/// Told about the progress of a run; all functions may be left out.
class ExperimentObserver : public TrainObserver {
public:
  virtual void onTaskBegin(std::int64_t task) {}
  /// After a task was trained, closed, and all tasks so far were tested (row `task` of the matrix).
  virtual void onTaskEnd(std::int64_t task, const TaskReport &report, const AccuracyMatrix &accuracies) {}
};

class Experiment {
public:
  /// Borrows the executable and the data set. Throws UserError when they do not fit (picture size, number of tasks).
  Experiment(Executable &executable, const Dataset &dataset, ExperimentOptions options);

  /// Trains and tests; false when the observer cancelled it.
  bool run(ExperimentObserver &observer);

  const ExperimentOptions &settings() const { return options; }
  const Dataset &data() const { return dataset; }
  const Normalization &scaling() const { return normalization; }
  const std::vector<TaskPart> &tasks() const { return parts; }
  const std::vector<TaskReport> &reports() const { return taskReports; }
  const AccuracyMatrix &accuracies() const { return matrix; }
  const Session &model() const { return session; }

private:
  DatasetSamples samples(const DataPart &part, const std::vector<std::int64_t> &positions, const TaskPart &task) const;
  void test(Trainer &trainer, std::size_t after);

  const Dataset &dataset;
  ExperimentOptions options;
  Normalization normalization;
  std::vector<TaskPart> parts;
  Session session;
  AccuracyMatrix matrix;
  std::vector<TaskReport> taskReports;
};

} // namespace clm::runtime
