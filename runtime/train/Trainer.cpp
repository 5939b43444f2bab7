#include "runtime/train/Trainer.h"

#include "runtime/module/UserError.h"
#include "runtime/random/Philox.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace clm::runtime {
namespace {

/// The plateau rule and its patience, as a value that the loop feeds with validation losses.
class Plateau {
public:
  explicit Plateau(const TrainPlan &plan) : plan(plan), rate(plan.learningRate), patience(plan.patience) {}

  double learningRate() const { return rate; }
  bool stopped() const { return stop; }

  /// Takes the loss of an epoch; true when it is the best so far. NaN never is.
  bool observe(double loss) {
    if (loss < best) {
      best = loss;
      patience = plan.patience;
      return true;
    }
    if (plan.plateau && --patience <= 0)
      decay();
    return false;
  }

private:
  void decay() {
    rate /= plan.factor;
    if (rate < plan.minimumRate) {
      if (plan.earlyStop) {
        stop = true;
        return;
      }
      rate = plan.minimumRate;
    }
    patience = plan.patience;
  }

  const TrainPlan &plan;
  double rate;
  std::int64_t patience;
  double best = std::numeric_limits<double>::infinity();
  bool stop = false;
};

/// Number of rows whose largest logit stands at their label; the first of equal ones counts.
std::int64_t countHits(const clm_tensor &logits, std::span<const std::int64_t> labels) {
  auto classes = logits.sizes[1];
  auto count = [&](const auto *values) {
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < labels.size(); ++i, values += classes)
      hits += std::max_element(values, values + classes) - values == labels[i];
    return hits;
  };
  if (logits.element == CLM_FLOAT64)
    return count(static_cast<const double *>(logits.data));
  return count(static_cast<const float *>(logits.data));
}

} // namespace

SampleOrder shuffledOrder(std::uint64_t seed) {
  std::uint64_t key = noiseKey(seed, "order");
  return [key](std::int64_t task, std::int64_t epoch, std::int64_t samples) {
    NoisePlace place{key, static_cast<std::uint32_t>(task), static_cast<std::uint32_t>(epoch)};
    std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) // Fisher and Yates
      std::swap(order[i - 1], order[uniformBelow(i, place, i)]);
    return order;
  };
}

Trainer::Trainer(Session &session, TrainPlan plan, TrainerOptions options)
    : session(session), plan(std::move(plan)), options(std::move(options)) {
  if (!this->options.order)
    this->options.order = shuffledOrder(0);
  if (this->plan.batch < 1 || this->plan.epochs < 0 || this->options.evaluationBatch < 1)
    throw UserError("a training plan needs a batch of at least one sample and no negative number of epochs");
}

Batch Trainer::load(const Samples &samples, std::span<const std::int64_t> indices) {
  images.resize(indices.size() * static_cast<std::size_t>(samples.imageElements()));
  labels.resize(indices.size());
  samples.load(indices, images, labels);
  return {images, labels};
}

template <typename Visit>
void Trainer::forEachStoredBatch(const Samples &samples, Visit visit) {
  for (std::int64_t first = 0; first < samples.size(); first += options.evaluationBatch) {
    stored.resize(static_cast<std::size_t>(std::min(options.evaluationBatch, samples.size() - first)));
    std::iota(stored.begin(), stored.end(), first);
    visit(load(samples, stored));
  }
}

Evaluation Trainer::evaluate(const Samples &samples) {
  Evaluation result;
  std::int64_t hits = 0;
  forEachStoredBatch(samples, [&](const Batch &batch) {
    const Outputs &outputs = session.evaluate(batch);
    result.loss += outputs.scalar("loss") * static_cast<double>(batch.labels.size());
    hits += countHits(outputs.tensor("logits"), batch.labels);
  });
  result.samples = samples.size();
  if (result.samples > 0) {
    result.loss /= static_cast<double>(result.samples);
    result.accuracy = static_cast<double>(hits) / static_cast<double>(result.samples);
  }
  return result;
}

bool Trainer::trainEpoch(const Samples &train, EpochReport &report, TrainObserver &observer) {
  const std::vector<std::int64_t> order = options.order(session.currentTask(), report.epoch, train.size());
  auto total = static_cast<std::int64_t>(order.size());
  double lossSum = 0, lastLoss = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t first = 0; first < total; first += plan.batch) {
    if (!observer.onStep(report.epoch, first, total, lastLoss))
      return false;
    auto size = static_cast<std::size_t>(std::min(plan.batch, total - first));
    Batch batch = load(train, std::span(order).subspan(static_cast<std::size_t>(first), size));
    StepScalars scalars{.progress = static_cast<double>(first) / static_cast<double>(total),
                        .epoch = static_cast<double>(report.epoch),
                        .learningRate = report.learningRate};
    lastLoss = session.step(batch, scalars).scalar("loss");
    lossSum += lastLoss * static_cast<double>(size);
  }
  report.trainLoss = total > 0 ? lossSum / static_cast<double>(total) : 0;
  return true;
}

TaskReport Trainer::trainTask(const Samples &train, const Samples &validation, TrainObserver &observer) {
  const Samples &judge = validation.size() > 0 ? validation : train;
  bool validates = plan.plateau || plan.restoreBest || validation.size() > 0;
  TaskReport report;
  Plateau plateau(plan);
  StateTable::Snapshot best;
  for (std::int64_t epoch = 0; epoch < plan.epochs; ++epoch) {
    EpochReport current;
    current.epoch = epoch;
    current.learningRate = plateau.learningRate();
    if (!trainEpoch(train, current, observer)) {
      report.stop = StopReason::Cancelled;
      return report;
    }
    if (validates) {
      current.validated = true;
      current.validation = evaluate(judge);
      current.improved = plateau.observe(current.validation.loss);
      if (current.improved) {
        report.bestEpoch = epoch;
        if (plan.restoreBest)
          session.table().save(best);
      }
    }
    observer.onEpoch(current);
    report.epochs.push_back(current);
    if (plateau.stopped()) {
      report.stop = StopReason::LearningRate;
      break;
    }
  }
  if (report.bestEpoch >= 0 && plan.restoreBest)
    session.table().restore(best);
  closeTask(train, validation);
  return report;
}

TaskReport Trainer::trainTask(const Samples &train, const Samples &validation) {
  TrainObserver silent;
  return trainTask(train, validation, silent);
}

void Trainer::closeTask(const Samples &train, const Samples &validation) {
  session.clearAccumulators();
  for (const DataPass &pass : session.manifest().passes) {
    const Samples &samples = pass.train || validation.size() == 0 ? train : validation;
    forEachStoredBatch(samples, [&](const Batch &batch) { session.accumulate(batch); });
  }
  session.finishTask();
}

} // namespace clm::runtime
