/// \file
/// Kind `loop`: the whole training of one task by the runtime's training loop, on recorded samples in recorded order.

#include "Kinds.h"

#include "runtime/module/UserError.h"
#include "runtime/train/Overrides.h"
#include "runtime/train/Trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::golden {

namespace {

using runtime::UserError;

/// What the loop did, epoch by epoch.
struct Epochs {
  std::vector<double> learningRate, trainLoss, validationLoss;
};

class Recorder : public runtime::TrainObserver {
public:
  Recorder(Epochs &epochs, runtime::Trainer &trainer, const runtime::Samples &train)
      : epochs(epochs), trainer(trainer), train(train) {}

  void onEpoch(const runtime::EpochReport &report) override {
    epochs.learningRate.push_back(report.learningRate);
    epochs.trainLoss.push_back(trainer.evaluate(train).loss);
    epochs.validationLoss.push_back(report.validation.loss);
  }

private:
  Epochs &epochs;
  runtime::Trainer &trainer;
  const runtime::Samples &train;
};

/// The spec's training plan with the parts that the mapping takes from the case.
runtime::TrainPlan planOf(const Replay &replay) {
  runtime::RunConfiguration configuration = runtime::configurationOf(replay.session.manifest());
  for (const auto &[name, source] : replay.mapping.plan)
    runtime::overrideSetting(configuration, name, fmt::format("{}", replay.golden.number(source)));
  return configuration.plan;
}

/// The recorded order. Beyond the recorded epochs the last one repeats: the number of epochs shows the difference.
runtime::SampleOrder recordedOrder(Replay &replay, std::int64_t samples) {
  const Tensor &order = replay.input("order");
  if (order.shape.size() != 2 || order.shape[0] < 1 || order.shape[1] != samples)
    throw UserError(fmt::format("{}: `order` is no list of {} samples for each epoch", replay.golden.name(), samples));
  for (double index : order.values)
    if (!isWholeBelow(index, static_cast<double>(samples)))
      throw UserError(fmt::format("{}: `order` names a sample that does not exist", replay.golden.name()));
  return [order](std::int64_t, std::int64_t epoch, std::int64_t count) {
    auto first = order.values.begin() + std::min(epoch, order.shape[0] - 1) * count;
    return std::vector<std::int64_t>(first, first + count);
  };
}

Tensor listOf(std::vector<double> values) {
  Shape shape{static_cast<std::int64_t>(values.size())};
  return {std::move(shape), std::move(values)};
}

} // namespace

void replayLoop(Replay &replay) {
  replay.session.selectTask(replay.golden.task(replay.tasks()));
  replay.loadState("state.");
  Samples train = replay.samples("xtrain", "ytrain"), validation = replay.samples("xvalid", "yvalid");
  runtime::MemorySamples trainSamples(train.images, train.labels);
  runtime::MemorySamples validationSamples(validation.images, validation.labels);

  runtime::Trainer trainer(replay.session, planOf(replay), {.order = recordedOrder(replay, train.size())});
  Epochs epochs;
  Recorder recorder(epochs, trainer, trainSamples);
  trainer.trainTask(trainSamples, validationSamples, recorder);

  replay.record("", "epochs",
                {{"learning_rate", listOf(epochs.learningRate)},
                 {"train_loss", listOf(epochs.trainLoss)},
                 {"validation_loss", listOf(epochs.validationLoss)}});
  replay.recordParameters("restored.");
  replay.record("", "closed", replay.probe(train));
}

} // namespace clm::golden
