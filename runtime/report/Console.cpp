#include "runtime/report/Console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace clm::runtime {
namespace {

using namespace std::chrono_literals;

std::string percent(const std::optional<double> &value) { return value ? fmt::format("{:.2f}", 100 * *value) : ""; }

std::string describeMetric(const char *label, const Metric &metric) {
  if (!metric.value)
    return fmt::format("{:<18}undefined: {}\n", label, metric.reason);
  return fmt::format("{:<18}{:.2f} %   ({})\n", label, 100 * *metric.value, metric.definition);
}

std::string describePlan(const TrainPlan &plan) {
  std::string text = fmt::format("{} epochs, batch {}, learning rate {:g}", plan.epochs, plan.batch, plan.learningRate);
  if (plan.plateau)
    text += fmt::format(", divided by {:g} after {} epochs without improvement, {} {:g}", plan.factor, plan.patience,
                        plan.earlyStop ? "until below" : "not below", plan.minimumRate);
  if (plan.restoreBest)
    text += ", best epoch restored";
  return text;
}

} // namespace

std::string printPlan(const Experiment &experiment) {
  const Manifest &manifest = experiment.model().manifest();
  const Dataset &data = experiment.data();
  const ExperimentOptions &options = experiment.settings();
  std::string text = fmt::format("model     {}, {}\n", manifest.name, manifest.scenario);
  text += fmt::format("data      {}: {} training and {} test pictures of {}, {} classes\n", data.name,
                      data.train.size(), data.test.size(), fmt::join(data.shape, "x"), data.classes);
  text += fmt::format("training  {}\n", describePlan(options.configuration.plan));
  text += fmt::format("seed      {}\n", options.seed);
  for (std::size_t i = 0; i < experiment.tasks().size(); ++i) {
    const TaskPart &part = experiment.tasks()[i];
    text += fmt::format("task {:<4} classes {}: {} training, {} validation, {} test pictures\n", i + 1,
                        fmt::join(part.classes, " "), part.train.size(), part.validation.size(), part.test.size());
  }
  return text;
}

std::string printSummary(const AccuracyMatrix &matrix) {
  std::string text = "Test accuracy in percent, tasks from 1; row: after training that task, column: on task\n";
  text += fmt::format("{:>6}", "");
  for (std::size_t on = 0; on < matrix.tasks(); ++on)
    text += fmt::format("{:>8}", on + 1);
  text += "\n";
  for (std::size_t after = 0; after < matrix.tasks(); ++after) {
    text += fmt::format("{:>6}", after + 1);
    for (std::size_t on = 0; on <= after; ++on)
      text += fmt::format("{:>8}", percent(matrix.rows[after][on]));
    text += "\n";
  }
  text += describeMetric("average accuracy", averageAccuracy(matrix));
  text += describeMetric("forgetting", forgetting(matrix));
  return text;
}

std::string printWarnings(const Experiment &experiment) {
  std::vector<std::size_t> diverged;
  auto isBroken = [](const EpochReport &epoch) { return !std::isfinite(epoch.trainLoss); };
  for (std::size_t i = 0; i < experiment.reports().size(); ++i) {
    if (std::ranges::any_of(experiment.reports()[i].epochs, isBroken))
      diverged.push_back(i + 1);
  }
  if (diverged.empty())
    return "";
  return fmt::format(
      "warning: the loss of task {} was not a finite number in some epoch; a smaller learning rate (--lr) "
      "usually helps\n",
      fmt::join(diverged, ", "));
}

ProgressDisplay::ProgressDisplay(std::FILE *stream, bool quiet, const Experiment &experiment,
                                 const std::atomic<bool> &interrupted)
    : stream(stream), quiet(quiet), terminal(isatty(fileno(stream)) == 1), experiment(experiment),
      interrupted(interrupted) {}

ProgressDisplay::~ProgressDisplay() {
  if (lineOpen)
    std::fputc('\n', stream);
}

std::string ProgressDisplay::position() const {
  return fmt::format("task {}/{}  epoch {}/{}", task + 1, experiment.tasks().size(), epoch + 1,
                     experiment.settings().configuration.plan.epochs);
}

void ProgressDisplay::show(const std::string &text, bool always) {
  auto now = Clock::now();
  if (quiet || (!always && now - lastShown < (terminal ? 100ms : 2000ms)))
    return;
  lastShown = now;
  if (!terminal) {
    fmt::print(stream, "{}\n", text);
  } else {
    constexpr const char *eraseLine = "\r\x1b[K";
    fmt::print(stream, "{}{}{}", eraseLine, text, always ? "\n" : "");
    lineOpen = !always;
  }
  std::fflush(stream);
}

void ProgressDisplay::onTaskBegin(std::int64_t begun) {
  task = begun;
  epoch = 0;
  judgement.clear();
  taskBegin = Clock::now();
}

bool ProgressDisplay::onStep(std::int64_t atEpoch, std::int64_t done, std::int64_t total, double lastLoss) {
  epoch = atEpoch;
  auto shown = terminal ? 100ms : 2000ms;
  if (!quiet && Clock::now() - lastShown >= shown)
    show(fmt::format("{}  {:3}%{}{}", position(), total > 0 ? 100 * done / total : 0,
                     std::isnan(lastLoss) ? "" : fmt::format("  loss {:.4f}", lastLoss), judgement),
         false);
  return !interrupted.load(std::memory_order_relaxed);
}

void ProgressDisplay::onEpoch(const EpochReport &report) {
  judgement = fmt::format("  lr {:.3g}", report.learningRate);
  if (report.validated)
    judgement += fmt::format("  validation loss {:.4f}, accuracy {:.2f} %", report.validation.loss,
                             100 * report.validation.accuracy);
}

void ProgressDisplay::onTaskEnd(std::int64_t ended, const TaskReport &report, const AccuracyMatrix &accuracies) {
  const auto &row = accuracies.rows[static_cast<std::size_t>(ended)];
  double sum = 0;
  int count = 0;
  for (const std::optional<double> &value : row) {
    sum += value.value_or(0);
    count += value.has_value();
  }
  std::chrono::duration<double> seconds = Clock::now() - taskBegin;
  std::string accuracy =
      row[static_cast<std::size_t>(ended)] ? percent(row[static_cast<std::size_t>(ended)]) + " %" : "not tested";
  show(fmt::format("task {}/{}  done in {:.1f} s and {} epochs{}  test accuracy {}, {:.2f} % over {} task{}", ended + 1,
                   experiment.tasks().size(), seconds.count(), report.epochs.size(),
                   report.bestEpoch < 0 ? "" : fmt::format(" (best: {})", report.bestEpoch + 1), accuracy,
                   count > 0 ? 100 * sum / count : 0, count, count == 1 ? "" : "s"),
       true);
}

} // namespace clm::runtime
