/// \file
/// The training loop on an executable that plays back validation losses and records how it is called.
#include "runtime/train/Trainer.h"

#include "AllocationCounter.h"
#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace clm::runtime;
using namespace clm::testing;

namespace {

Manifest scriptedManifest() {
  TensorSpec scalar{CLM_FLOAT32, {}}, input{CLM_FLOAT32, {kBatch, 1}}, labels{CLM_INT64, {kBatch}},
      logits{CLM_FLOAT32, {kBatch, kClasses}}, head{CLM_FLOAT32, {kClasses}}, real{CLM_FLOAT64, {}};
  Manifest manifest;
  manifest.entries = {{"steps", EntryRole::Parameter, false, scalar, {}},
                      {"clf", EntryRole::Parameter, true, head, {}},
                      {"passed", EntryRole::Accumulator, false, scalar, {}},
                      {"closed", EntryRole::State, false, scalar, {}}};
  manifest.noise = {{"u", false, input}};
  manifest.settings = {{SettingSpec::Type::Real, "c", 0.75, false, "default"}};
  ArgumentSpec steps{ArgumentKind::Entry, 0, "", scalar}, clf{ArgumentKind::Entry, 1, "", head},
      x{ArgumentKind::Input, -1, "", input}, y{ArgumentKind::Label, -1, "", labels};
  manifest.functions = {{"step",
                         {steps,
                          clf,
                          x,
                          y,
                          {ArgumentKind::Noise, 0, "", input},
                          {ArgumentKind::Scalar, -1, "progress", real},
                          {ArgumentKind::Scalar, -1, "epoch", real},
                          {ArgumentKind::Scalar, -1, "learning_rate", real},
                          {ArgumentKind::Scalar, -1, "c", real}},
                         {{0, 0, "steps", scalar}, {-1, -1, "loss", scalar}, {-1, -1, "logits", logits}}},
                        {"evaluate", {steps, clf, x, y}, {{-1, -1, "loss", scalar}, {-1, -1, "logits", logits}}},
                        {"accumulate", {{ArgumentKind::Entry, 2, "", scalar}, x}, {{0, 2, "passed", scalar}}},
                        {"finish",
                         {{ArgumentKind::Entry, 3, "", scalar}, {ArgumentKind::Entry, 2, "", scalar}},
                         {{0, 3, "closed", scalar}}}};
  manifest.passes = {{true}};
  manifest.train.batch = 4;
  return manifest;
}

struct StepCall {
  std::vector<float> images, noise;
  double progress, epoch, learningRate, setting;
};

/// `step` adds one to entry `steps`; `evaluate` plays back losses, one value a call.
class ScriptedExecutable final : public Executable {
public:
  ScriptedExecutable(std::vector<double> losses, int real = CLM_FLOAT32, Manifest manifest = scriptedManifest())
      : Executable(std::move(manifest)), losses(std::move(losses)), real(real) {}

  int realElement() const override { return real; }

  void call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
            std::span<const clm_tensor> results) override {
    auto scalar = [&](std::size_t index) { return readValues(arguments[index])[0]; };
    auto set = [](const clm_tensor &tensor, double value) { writeValues(tensor, std::vector{value}); };
    if (function.name == "accumulate")
      return set(arguments[0], scalar(0) + static_cast<double>(arguments[1].sizes[0]));
    if (function.name == "finish")
      return set(arguments[0], scalar(1));
    set(results[0], 1);
    std::vector<double> logits(static_cast<std::size_t>(elementCount(results[1])));
    for (std::size_t row = 0; row < logits.size(); row += static_cast<std::size_t>(results[1].sizes[1]))
      logits[row] = 1; // class 0 everywhere
    writeValues(results[1], logits);
    if (function.name == "evaluate")
      return set(results[0], losses.at(evaluations++));
    auto floats = [](const std::vector<double> &values) { return std::vector<float>(values.begin(), values.end()); };
    steps.push_back({floats(readValues(arguments[2])), floats(readValues(arguments[4])), scalar(5), scalar(6),
                     scalar(7), scalar(8)});
    set(arguments[0], scalar(0) + 1);
  }

  std::vector<StepCall> steps;
  std::vector<double> losses;
  std::size_t evaluations = 0;
  int real;
};

/// Samples 0 .. count-1 whose picture is their number; even ones are of class 0.
MemorySamples numbered(std::int64_t count) {
  std::vector<float> images(static_cast<std::size_t>(count));
  std::iota(images.begin(), images.end(), 0.0f);
  std::vector<std::int64_t> labels(images.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::int64_t>(i % 2);
  return {images, labels};
}

SampleOrder storedOrder() {
  return [](std::int64_t, std::int64_t, std::int64_t samples) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
    std::iota(order.begin(), order.end(), 0);
    return order;
  };
}

TaskReport train(ScriptedExecutable &executable, Session &session, const TrainPlan &plan, std::int64_t validation) {
  session.arriveTask(2);
  Trainer trainer(session, plan, {.order = storedOrder()});
  return trainer.trainTask(numbered(4), numbered(validation));
}

} // namespace

// The recorded run of HAT's official code (`mlp_train_loop` of the golden data): improves for 15 epochs, then never
// again.
TEST(TrainTrainer, PlateauFollowsTheOfficialLoop) {
  std::vector<double> losses;
  for (int epoch = 0; epoch < 30; ++epoch)
    losses.push_back(epoch < 15 ? 1.0 / (epoch + 1) : 0.5);
  ScriptedExecutable executable(losses);
  Session session(executable, {});
  TrainPlan plan{.epochs = 30,
                 .batch = 4,
                 .learningRate = 0.3,
                 .plateau = true,
                 .patience = 2,
                 .factor = 3,
                 .minimumRate = 0.02,
                 .earlyStop = true,
                 .restoreBest = true,
                 .origins = {}};
  TaskReport report = train(executable, session, plan, 2);
  std::vector<double> rates;
  for (const EpochReport &epoch : report.epochs)
    rates.push_back(epoch.learningRate);
  std::vector<double> expected(17, 0.3);
  expected.insert(expected.end(), {0.3 / 3, 0.3 / 3, 0.3 / 3 / 3, 0.3 / 3 / 3});
  EXPECT_EQ(rates, expected);
  EXPECT_EQ(report.stop, StopReason::LearningRate);
  EXPECT_EQ(report.bestEpoch, 14);
  EXPECT_EQ(session.read("steps")[0], 15) << "the best epoch's values return";
  for (std::size_t epoch = 0; epoch < report.epochs.size(); ++epoch)
    EXPECT_EQ(report.epochs[epoch].improved, epoch < 15);
}

TEST(TrainTrainer, EqualLossIsNoImprovementAndNanNeither) {
  ScriptedExecutable executable({1, 1, std::nan(""), 0.5});
  Session session(executable, {});
  TaskReport report = train(executable, session, {.epochs = 4, .batch = 4, .restoreBest = true, .origins = {}}, 2);
  EXPECT_TRUE(report.epochs[0].improved);
  EXPECT_FALSE(report.epochs[1].improved);
  EXPECT_FALSE(report.epochs[2].improved);
  EXPECT_TRUE(report.epochs[3].improved);
}

TEST(TrainTrainer, WithoutEarlyStopTheRateStaysAtItsMinimum) {
  ScriptedExecutable executable(std::vector<double>(8, 1));
  Session session(executable, {});
  TaskReport report = train(executable, session,
                            {.epochs = 8,
                             .batch = 4,
                             .learningRate = 0.9,
                             .plateau = true,
                             .patience = 2,
                             .factor = 3,
                             .minimumRate = 0.2,
                             .origins = {}},
                            2);
  std::vector<double> rates;
  for (const EpochReport &epoch : report.epochs)
    rates.push_back(epoch.learningRate);
  EXPECT_EQ(rates, (std::vector{0.9, 0.9, 0.9, 0.9 / 3, 0.9 / 3, 0.2, 0.2, 0.2}));
  EXPECT_EQ(report.stop, StopReason::Epochs);
}

TEST(TrainTrainer, TheRateRestartsInEveryTask) {
  ScriptedExecutable executable(std::vector<double>(100, 1));
  Session session(executable, {});
  TrainPlan plan{.epochs = 3,
                 .batch = 4,
                 .learningRate = 0.9,
                 .plateau = true,
                 .patience = 1,
                 .factor = 3,
                 .minimumRate = 0.01,
                 .origins = {}};
  train(executable, session, plan, 2);
  TaskReport second = train(executable, session, plan, 2);
  EXPECT_EQ(second.epochs[0].learningRate, 0.9);
  EXPECT_EQ(second.epochs[2].learningRate, 0.9 / 3) << "the first loss is always the best so far";
}

TEST(TrainTrainer, ScalarsBatchesAndTheLastSmallOne) {
  ScriptedExecutable executable(std::vector<double>(100, 1));
  Session session(executable, {.seed = 5});
  session.setSetting("c", 0.5);
  session.arriveTask(2);
  Trainer trainer(session, {.epochs = 2, .batch = 4, .learningRate = 0.1, .origins = {}}, {.order = storedOrder()});
  trainer.trainTask(numbered(10), MemorySamples());
  ASSERT_EQ(executable.steps.size(), 6u);
  EXPECT_EQ(executable.steps[1].images, (std::vector<float>{4, 5, 6, 7}));
  EXPECT_EQ(executable.steps[2].images, (std::vector<float>{8, 9}));
  EXPECT_EQ(executable.steps[2].progress, 8.0 / 10);
  EXPECT_EQ(executable.steps[3].progress, 0);
  EXPECT_EQ(executable.steps[3].epoch, 1);
  EXPECT_EQ(executable.steps[3].learningRate, 0.1);
  EXPECT_EQ(executable.steps[3].setting, 0.5);
  EXPECT_NE(executable.steps[0].noise, executable.steps[1].noise);
  EXPECT_NE(executable.steps[0].noise, executable.steps[3].noise);
  EXPECT_EQ(executable.evaluations, 0u) << "nothing asks for a validation";
  EXPECT_EQ(session.read("closed")[0], 10) << "the pass over data saw every sample once";
}

// Both executors see the same numbers although they compute in different precision.
TEST(TrainTrainer, NoiseIsEqualInBothPrecisionsAndCanBeReplaced) {
  std::vector<std::vector<float>> drawn;
  for (int real : {CLM_FLOAT32, CLM_FLOAT64}) {
    ScriptedExecutable executable({}, real);
    Session session(executable, {.seed = 3});
    session.arriveTask(2);
    std::vector<float> images = {1, 2};
    std::vector<std::int64_t> labels = {0, 1};
    session.step({images, labels}, {});
    drawn.push_back(executable.steps.back().noise);
    session.setNoise("u", {0.25f, 0.75f});
    session.step({images, labels}, {});
    EXPECT_EQ(executable.steps.back().noise, (std::vector{0.25f, 0.75f}));
    EXPECT_THROW(session.step({std::span(images).first(1), std::span(labels).first(1)}, {}), UserError);
    session.clearNoise();
    session.setStepCount(0);
    session.step({images, labels}, {});
    EXPECT_EQ(executable.steps.back().noise, drawn.back()) << "the counter decides, not the history";
  }
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST(TrainTrainer, EvaluationIsAMeanOverSamples) {
  ScriptedExecutable executable({1, 4});
  Session session(executable, {});
  session.arriveTask(2);
  Trainer trainer(session, {.origins = {}}, {.evaluationBatch = 3, .order = {}});
  Evaluation evaluation = trainer.evaluate(numbered(4));
  EXPECT_DOUBLE_EQ(evaluation.loss, (3 * 1 + 1 * 4) / 4.0);
  EXPECT_DOUBLE_EQ(evaluation.accuracy, 0.5);
  EXPECT_EQ(evaluation.samples, 4);
}

TEST(TrainTrainer, CancellingLeavesTheTaskOpen) {
  class Impatient : public TrainObserver {
  public:
    bool onStep(std::int64_t epoch, std::int64_t, std::int64_t, double) override { return epoch < 2; }
  } observer;
  ScriptedExecutable executable({});
  Session session(executable, {});
  session.arriveTask(2);
  Trainer trainer(session, {.epochs = 9, .batch = 4, .origins = {}});
  TaskReport report = trainer.trainTask(numbered(4), MemorySamples(), observer);
  EXPECT_EQ(report.stop, StopReason::Cancelled);
  EXPECT_EQ(executable.steps.size(), 2u);
  EXPECT_EQ(session.read("closed")[0], 0);
}

TEST(TrainTrainer, ShuffledOrdersArePermutationsOfTheirOwn) {
  SampleOrder order = shuffledOrder(1);
  std::vector<std::int64_t> first = order(0, 0, 50);
  EXPECT_TRUE(std::ranges::is_permutation(first, storedOrder()(0, 0, 50)));
  EXPECT_EQ(first, shuffledOrder(1)(0, 0, 50));
  EXPECT_NE(first, order(0, 1, 50));
  EXPECT_NE(first, order(1, 0, 50));
  EXPECT_NE(first, shuffledOrder(2)(0, 0, 50));
}

TEST(TrainSession, ViewsCombineTasks) {
  ScriptedExecutable executable({1, 1, 1});
  Session session(executable, {});
  session.arriveTask(2);
  session.arriveTask(3);
  std::vector<float> image = {1};
  std::vector<std::int64_t> label = {0};
  EXPECT_EQ(session.evaluate({image, label}).tensor("logits").sizes[1], 3);
  session.setView("clf", 0);
  EXPECT_EQ(session.evaluate({image, label}).tensor("logits").sizes[1], 2) << "the viewed head has two classes";
  session.clearViews();
  EXPECT_EQ(session.evaluate({image, label}).tensor("logits").sizes[1], 3);
}

TEST(TrainSession, MisuseIsAMessage) {
  ScriptedExecutable executable({});
  Session session(executable, {});
  std::vector<float> images = {1, 2};
  std::vector<std::int64_t> label = {0};
  EXPECT_THROW(session.step({images, label}, {}), InternalError) << "no task has arrived";
  session.arriveTask(2);
  EXPECT_THROW(session.step({images, label}, {}), UserError) << "two images, one label";
  EXPECT_THROW(session.read("absent"), UserError);
  EXPECT_THROW(session.write("clf", std::vector<double>(3), 0), UserError);
  EXPECT_THROW(session.setSetting("absent", 1), UserError);
  EXPECT_THROW(session.setNoise("absent", {}), UserError);
  EXPECT_THROW(session.selectTask(1), UserError);
  EXPECT_THROW(session.predict(images), InternalError) << "this module has no `predict`";
}

TEST(TrainSession, AStepAllocatesNothing) {
  class Idle final : public Executable {
  public:
    Idle() : Executable(scriptedManifest()) {}
    void call(const FunctionSpec &, std::span<const clm_tensor>, std::span<const clm_tensor>) override {}
  } executable;
  Session session(executable, {});
  session.arriveTask(2);
  std::vector<float> images(8);
  std::vector<std::int64_t> labels(8);
  session.step({images, labels}, {}); // buffers grow to this batch
  std::size_t before = allocationCount();
  for (std::size_t size : {8u, 3u, 8u})
    session.step({std::span(images).first(size), std::span(labels).first(size)}, {}).scalar("loss");
  EXPECT_EQ(allocationCount(), before);
}
