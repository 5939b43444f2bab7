/// \file
/// The training loop: what a manifest's TrainPlan says, on samples that a caller gives. Knows no method, no files and
/// no user; progress goes to an observer. Order of samples, plan and data can all be given, so that a recorded run can
/// be replayed.
///
///     Trainer trainer(session, manifest.train, {.order = shuffledOrder(0)});
///     TaskReport report = trainer.trainTask(train, validation, observer);   // of the session's current task
///     double accuracy = trainer.evaluate(test).accuracy;
#pragma once

#include "runtime/data/Samples.h"
#include "runtime/train/Session.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace clm::runtime {

/// Means over samples, in evaluation mode.
struct Evaluation {
  double loss = 0;     // the sum of all losses
  double accuracy = 0; // share of samples whose largest logit is at their label
  std::int64_t samples = 0;
};

struct EpochReport {
  std::int64_t epoch = 0;  // from 0
  double learningRate = 0; // during this epoch
  double trainLoss = 0;    // mean over the samples as they were trained on
  /// On the validation part, or the training part where there is none. Absent (`validated` false) when nothing asks for
  /// it.
  bool validated = false;
  Evaluation validation;
  bool improved = false; // strictly smaller validation loss than ever before in this task
};

/// Why a task ended.
enum class StopReason { Epochs, LearningRate, Cancelled };

struct TaskReport {
  std::vector<EpochReport> epochs;
  std::int64_t bestEpoch = -1; // -1 when nothing was validated
  StopReason stop = StopReason::Epochs;
};

/// Told about progress. All functions may be left out.
class TrainObserver {
public:
  virtual ~TrainObserver() = default;
  /// Before each step, after `done` of `total` samples of an epoch; returning false ends the task as cancelled.
  virtual bool onStep(std::int64_t epoch, std::int64_t done, std::int64_t total, double lastLoss) { return true; }
  virtual void onEpoch(const EpochReport &report) {}
};

/// Order in which an epoch visits samples 0 .. samples-1.
using SampleOrder =
    std::function<std::vector<std::int64_t>(std::int64_t task, std::int64_t epoch, std::int64_t samples)>;

/// A counter-based shuffle: depends on the seed, the task and the epoch only.
SampleOrder shuffledOrder(std::uint64_t seed);

struct TrainerOptions {
  /// Samples of a batch when evaluating and in passes over data.
  std::int64_t evaluationBatch = 256;
  /// Empty: `shuffledOrder(0)`.
  SampleOrder order;
};

class Trainer {
public:
  /// `session` must outlive the trainer.
  Trainer(Session &session, TrainPlan plan, TrainerOptions options = {});

  /// Trains the session's current task and closes it: epochs, plateau, early stop, best values restored when the plan
  /// says so, passes over data, `finish`. `validation` may be empty; then the training part takes its place. A
  /// cancelled task is not closed.
  ///
  /// The learning rate starts at the plan's in every task. After each epoch the validation loss counts as better only
  /// when it is strictly smaller than the best so far. Otherwise patience drops by one; when it is used up the rate is
  /// divided by `factor` and patience refills. With `earlyStop` training ends instead when that rate is below
  /// `minimumRate`; without it the rate stays at `minimumRate`.
  TaskReport trainTask(const Samples &train, const Samples &validation, TrainObserver &observer);
  TaskReport trainTask(const Samples &train, const Samples &validation);

  /// Losses and accuracy of the session's current task on samples of it.
  Evaluation evaluate(const Samples &samples);

  const TrainPlan &trainPlan() const { return plan; }

private:
  /// Trains one epoch; false when cancelled.
  bool trainEpoch(const Samples &train, EpochReport &report, TrainObserver &observer);
  void closeTask(const Samples &train, const Samples &validation);
  Batch load(const Samples &samples, std::span<const std::int64_t> indices);
  /// Calls `visit` with batches of all samples in stored order, the last one smaller.
  template <typename Visit>
  void forEachStoredBatch(const Samples &samples, Visit visit);

  Session &session;
  TrainPlan plan;
  TrainerOptions options;
  std::vector<float> images;
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> stored; // indices 0 .. n-1 of a batch in stored order
};

} // namespace clm::runtime
