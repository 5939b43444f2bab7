#include "runtime/report/Experiment.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::runtime {
namespace {

void checkShape(const Manifest &manifest, const Dataset &dataset) {
  if (!std::ranges::equal(manifest.inputShape, dataset.shape))
    throw UserError(
        fmt::format("`{}` was compiled for pictures of {} (channels x rows x columns), and those of `{}` in "
                    "`{}` are {}; compile it with --data {}",
                    manifest.name, fmt::join(manifest.inputShape, "x"), dataset.name, dataset.folder.string(),
                    fmt::join(dataset.shape, "x"), dataset.name));
}

ScenarioOptions scenarioOf(const ExperimentOptions &options) {
  return {options.tasks, options.order, options.configuration.plan.validation, options.seed};
}

std::vector<std::int64_t> testSizes(const std::vector<TaskPart> &parts) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(parts.size());
  for (const TaskPart &part : parts)
    sizes.push_back(static_cast<std::int64_t>(part.test.size()));
  return sizes;
}

} // namespace

Experiment::Experiment(Executable &executable, const Dataset &dataset, ExperimentOptions given)
    : dataset(dataset), options(std::move(given)), normalization(measureNormalization(dataset)),
      parts(splitTasks(dataset, scenarioOf(options))), session(executable, {options.seed}), matrix(testSizes(parts)) {
  checkShape(executable.manifest(), dataset);
  checkPlan(options.configuration.plan);
  for (const SettingSpec &setting : options.configuration.settings)
    session.setSetting(setting.name, setting.value);
}

DatasetSamples Experiment::samples(const DataPart &part, const std::vector<std::int64_t> &positions,
                                   const TaskPart &task) const {
  return DatasetSamples(dataset, part, normalization, positions, task.classes);
}

bool Experiment::run(ExperimentObserver &observer) {
  Trainer trainer(session, options.configuration.plan, {.order = shuffledOrder(options.seed)});
  session.initialize();
  for (std::size_t index = 0; index < parts.size(); ++index) {
    const TaskPart &part = parts[index];
    auto task = static_cast<std::int64_t>(index);
    observer.onTaskBegin(task);
    session.arriveTask(static_cast<std::int64_t>(part.classes.size()));
    DatasetSamples train = samples(dataset.train, part.train, part);
    DatasetSamples validation = samples(dataset.train, part.validation, part);
    taskReports.push_back(trainer.trainTask(train, validation, observer));
    if (taskReports.back().stop == StopReason::Cancelled)
      return false;
    test(trainer, index);
    observer.onTaskEnd(task, taskReports.back(), matrix);
  }
  return true;
}

void Experiment::test(Trainer &trainer, std::size_t after) {
  for (std::size_t on = 0; on <= after; ++on) {
    if (parts[on].test.empty())
      continue;
    session.selectTask(static_cast<std::int64_t>(on));
    matrix.rows[after][on] = trainer.evaluate(samples(dataset.test, parts[on].test, parts[on])).accuracy;
  }
  session.selectTask(static_cast<std::int64_t>(after));
}

} // namespace clm::runtime
