/// \file
/// A whole run of a compiled module on the digits that ship with the project, and what is written about it.
#include "TemporaryFolder.h"
#include "runtime/data/Scenario.h"
#include "runtime/module/UserError.h"
#include "runtime/report/Console.h"
#include "runtime/report/ResultFile.h"
#include "runtime/report/Safetensors.h"

#include <nlohmann/json.hpp>

using namespace clm::runtime;
using namespace clm::testing;

namespace {

struct DigitsRun {
  explicit DigitsRun(std::uint64_t seed, const std::string &order = "identity", std::int64_t tasks = 5) {
    std::string error;
    executable = loadSharedObject(CLM_LINEAR_MODULE, error);
    EXPECT_TRUE(executable) << error;
    ExperimentOptions options;
    options.tasks = tasks;
    options.order = parseClassOrder(order, dataset.classes);
    options.seed = seed;
    options.configuration = configurationOf(executable->manifest());
    options.configuration.plan.epochs = 3;
    experiment.emplace(*executable, dataset, options);
    ExperimentObserver silent;
    EXPECT_TRUE(experiment->run(silent));
  }

  std::string result() const { return printResult(*experiment, {1, false, "0"}); }

  Dataset dataset = loadDataset("digits", "");
  std::unique_ptr<Executable> executable;
  std::optional<Experiment> experiment;
};

} // namespace

TEST(RuntimeRun, LearnsAndReports) {
  DigitsRun run(0);
  nlohmann::json result = nlohmann::json::parse(run.result());
  EXPECT_GT(result.at("average_accuracy"), 0.9);
  EXPECT_EQ(result.at("forgetting"), 0.0) << "heads share nothing";
  ASSERT_EQ(result.at("task_accuracy").size(), 5u);
  EXPECT_TRUE(result["task_accuracy"][0][1].is_null());
  EXPECT_TRUE(result["task_accuracy"][4][0].is_number());
  EXPECT_EQ(result["tasks"][1]["classes"], (std::vector<int>{2, 3}));
  EXPECT_EQ(result["settings"]["train.epochs"]["value"], 3);
  EXPECT_EQ(result["settings"]["method.heads"]["origin"], "spec");
  EXPECT_EQ(result["data"]["normalization"]["scale"], 16);
  EXPECT_TRUE(result.at("undefined").empty());
  EXPECT_EQ(run.experiment->model().read("closed")[0], 5);
}

TEST(RuntimeRun, TheSameRunWritesTheSameBytes) {
  TemporaryFolder folder;
  for (const char *name : {"a", "b"}) {
    DigitsRun run(3, "seed:2");
    std::filesystem::create_directory(folder / name);
    writeResults(folder / name, *run.experiment, {1, false, "0"});
  }
  EXPECT_EQ(readFile(folder / "a/result.json"), readFile(folder / "b/result.json"));
  EXPECT_EQ(readFile(folder / "a/final.safetensors"), readFile(folder / "b/final.safetensors"));
  EXPECT_EQ(SafetensorsFile::read(folder / "a/final.safetensors").tensors().size(), 11u);
  EXPECT_NE(DigitsRun(4, "seed:2").result(), readFile(folder / "a/result.json"));
}

TEST(RuntimeRun, TheOrderPermutesTasks) {
  DigitsRun run(0, "9,8,7,6,5,4,3,2,1,0");
  EXPECT_EQ(run.experiment->tasks()[0].classes, (std::vector<std::int64_t>{9, 8}));
}

TEST(RuntimeRun, OneTaskHasNoForgetting) {
  nlohmann::json result = nlohmann::json::parse(DigitsRun(0, "identity", 1).result());
  EXPECT_TRUE(result.at("forgetting").is_null());
  EXPECT_EQ(result["undefined"]["forgetting"], "it compares tasks, and there is only one");
}

TEST(RuntimeRun, TablesCountFromOneInPercent) {
  AccuracyMatrix matrix({10, 10});
  matrix.rows = {{0.5, std::nullopt}, {0.25, 1.0}};
  std::string text = printSummary(matrix);
  EXPECT_NE(text.find("percent, tasks from 1"), std::string::npos);
  EXPECT_NE(text.find("     1   50.00\n     2   25.00  100.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("average accuracy  62.50 %"), std::string::npos) << text;
  EXPECT_NE(text.find("forgetting        25.00 %"), std::string::npos) << text;
}

TEST(RuntimeRun, AnotherPictureSizeIsAMessage) {
  DigitsRun run(0, "identity", 1);
  Dataset other = run.dataset;
  other.shape = {1, 4, 16};
  ExperimentOptions options = run.experiment->settings();
  std::string message = messageOf<UserError>([&] { Experiment(*run.executable, other, options); });
  EXPECT_NE(message.find("1x8x8"), std::string::npos) << message;
  EXPECT_NE(message.find("1x4x16"), std::string::npos) << message;
}
