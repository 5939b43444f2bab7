#include "runtime/report/ResultFile.h"

#include "runtime/aten/Aten.h"
#include "runtime/report/AtomicFile.h"
#include "runtime/report/Checkpoint.h"

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace clm::runtime {
namespace {

Json orNull(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json describeData(const Experiment &experiment) {
  const Dataset &data = experiment.data();
  return {{"name", data.name},
          {"shape", data.shape},
          {"classes", data.classes},
          {"train_samples", data.train.size()},
          {"test_samples", data.test.size()},
          {"normalization",
           {{"formula", "(pixel / scale - mean) / std, by channel, mean and std of the training part"},
            {"scale", data.maximum},
            {"mean", experiment.scaling().mean},
            {"std", experiment.scaling().deviation}}}};
}

Json describeTasks(const Experiment &experiment) {
  static constexpr const char *stopReasons[] = {"epochs", "learning rate", "cancelled"};
  Json list = Json::array();
  for (std::size_t i = 0; i < experiment.reports().size(); ++i) {
    const TaskPart &part = experiment.tasks()[i];
    const TaskReport &report = experiment.reports()[i];
    list.push_back({{"classes", part.classes},
                    {"train_samples", part.train.size()},
                    {"validation_samples", part.validation.size()},
                    {"test_samples", part.test.size()},
                    {"epochs_run", report.epochs.size()},
                    {"best_epoch", report.bestEpoch < 0 ? Json(nullptr) : Json(report.bestEpoch)},
                    {"stopped_by", stopReasons[static_cast<int>(report.stop)]}});
  }
  return list;
}

Json describeMatrix(const AccuracyMatrix &matrix) {
  Json rows = Json::array();
  for (const auto &row : matrix.rows) {
    Json values = Json::array();
    for (const std::optional<double> &value : row)
      values.push_back(orNull(value));
    rows.push_back(std::move(values));
  }
  return rows;
}

void addMetrics(Json &json, const AccuracyMatrix &matrix) {
  Json definitions = Json::object(), undefined = Json::object();
  for (const Metric &metric : {averageAccuracy(matrix), forgetting(matrix), backwardTransfer(matrix),
                               lastAccuracy(matrix), averageIncrementalAccuracy(matrix)}) {
    json[metric.name] = orNull(metric.value);
    definitions[metric.name] = metric.definition;
    if (!metric.value)
      undefined[metric.name] = metric.reason;
  }
  json["definitions"] = std::move(definitions);
  json["undefined"] = std::move(undefined);
}

Json describeSettings(const RunConfiguration &configuration) {
  Json json = Json::object();
  auto add = [&](const std::vector<SettingSpec> &settings) {
    for (const SettingSpec &setting : settings) {
      Json value = setting.type == SettingSpec::Type::Real      ? Json(setting.value)
                   : setting.type == SettingSpec::Type::Integer ? Json(static_cast<std::int64_t>(setting.value))
                                                                : Json(setting.value != 0);
      json[setting.name] = {{"value", std::move(value)}, {"origin", setting.origin}};
    }
  };
  add(configuration.settings);
  add(planSettings(configuration.plan));
  return json;
}

} // namespace

std::string printResult(const Experiment &experiment, const RunDescription &description) {
  const Manifest &manifest = experiment.model().manifest();
  const ExperimentOptions &options = experiment.settings();
  Json json;
  json["schema"] = "clm-result-1";
  json["model"] = manifest.name;
  json["spec_hash"] = manifest.specHash;
  json["scenario"] = manifest.scenario;
  json["data"] = describeData(experiment);
  json["seed"] = options.seed;
  json["order"] = options.order;
  json["tasks"] = describeTasks(experiment);
  json["task_accuracy"] = describeMatrix(experiment.accuracies());
  addMetrics(json, experiment.accuracies());
  json["settings"] = describeSettings(options.configuration);
  json["precision"] = description.doublePrecision ? "float64" : "float32";
  json["threads"] = description.threads;
  json["versions"] = {{"clm", description.version}, {"abi", CLM_ABI_VERSION}, {"libtorch", torchVersion()}};
  return json.dump(2) + "\n";
}

void writeResults(const std::filesystem::path &folder, const Experiment &experiment,
                  const RunDescription &description) {
  writeCheckpoint(folder / "final.safetensors", experiment.model().table());
  const std::string text = printResult(experiment, description);
  writeAtomically(folder / "result.json", [&](std::ostream &out) { out << text; });
}

} // namespace clm::runtime
