/// \file
/// How classes become tasks, and samples as training sees them.
#include "runtime/data/Scenario.h"

#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace clm::runtime;
using namespace clm::testing;

/// Pictures of one pixel whose value is their class; `perClass` training and 2 test samples of each, classes
/// interleaved.
static Dataset smallDataset(std::int64_t classes, std::int64_t perClass) {
  Dataset dataset;
  dataset.name = "small";
  dataset.shape = {1, 1, 1};
  dataset.classes = classes;
  for (std::int64_t i = 0; i < classes * perClass; ++i) {
    dataset.train.labels.push_back(i % classes);
    dataset.train.pixels.push_back(static_cast<std::uint8_t>(i % classes));
  }
  for (std::int64_t i = 0; i < classes * 2; ++i) {
    dataset.test.labels.push_back(i % classes);
    dataset.test.pixels.push_back(static_cast<std::uint8_t>(i % classes));
  }
  return dataset;
}

TEST(DataScenario, ClassesAreSpreadEvenly) {
  Dataset dataset = smallDataset(10, 3);
  std::vector<TaskPart> tasks = splitTasks(dataset, {4, parseClassOrder("identity", 10), 0, 0});
  std::vector<std::vector<std::int64_t>> classes;
  for (const TaskPart &task : tasks)
    classes.push_back(task.classes);
  EXPECT_EQ(classes, (std::vector<std::vector<std::int64_t>>{{0, 1, 2}, {3, 4, 5}, {6, 7}, {8, 9}}));
  EXPECT_EQ(tasks[3].train, (std::vector<std::int64_t>{8, 9, 18, 19, 28, 29})) << "in stored order";
  EXPECT_EQ(tasks[3].test, (std::vector<std::int64_t>{8, 9, 18, 19}));
  EXPECT_TRUE(tasks[3].validation.empty());
}

TEST(DataScenario, ValidationIsAShareOfEachClass) {
  Dataset dataset = smallDataset(4, 20);
  ScenarioOptions options{2, parseClassOrder("", 4), 0.15, 7};
  std::vector<TaskPart> tasks = splitTasks(dataset, options);
  for (const TaskPart &task : tasks) {
    EXPECT_EQ(task.validation.size(), 6u);
    EXPECT_EQ(task.train.size(), 34u);
    std::map<std::int64_t, int> perClass;
    for (std::int64_t position : task.validation)
      ++perClass[dataset.train.labels[static_cast<std::size_t>(position)]];
    for (auto [id, count] : perClass)
      EXPECT_EQ(count, 3);
    std::set<std::int64_t> all(task.train.begin(), task.train.end());
    all.insert(task.validation.begin(), task.validation.end());
    EXPECT_EQ(all.size(), 40u) << "no sample is in both";
    EXPECT_TRUE(std::ranges::is_sorted(task.validation));
  }
  EXPECT_EQ(splitTasks(dataset, options)[0].validation, tasks[0].validation);
  options.seed = 8;
  EXPECT_NE(splitTasks(dataset, options)[0].validation, tasks[0].validation);
}

TEST(DataScenario, TheChoiceForAClassDoesNotDependOnItsTask) {
  Dataset dataset = smallDataset(4, 20);
  std::vector<TaskPart> two = splitTasks(dataset, {2, {0, 1, 2, 3}, 0.25, 1});
  std::vector<TaskPart> four = splitTasks(dataset, {4, {3, 2, 1, 0}, 0.25, 1});
  std::vector<std::int64_t> joined = four[3].validation;
  joined.insert(joined.end(), four[2].validation.begin(), four[2].validation.end());
  std::ranges::sort(joined);
  EXPECT_EQ(joined, two[0].validation);
}

TEST(DataScenario, OneSampleStaysForTraining) {
  Dataset dataset = smallDataset(2, 1);
  std::vector<TaskPart> tasks = splitTasks(dataset, {1, {0, 1}, 0.9, 0});
  EXPECT_EQ(tasks[0].train.size(), 2u);
}

TEST(DataScenario, Orders) {
  EXPECT_EQ(parseClassOrder("2,0,1", 3), (std::vector<std::int64_t>{2, 0, 1}));
  std::vector<std::int64_t> shuffled = parseClassOrder("seed:3", 100), identity = parseClassOrder("identity", 100);
  EXPECT_NE(shuffled, identity);
  EXPECT_EQ(shuffled, parseClassOrder("seed:3", 100));
  EXPECT_NE(shuffled, parseClassOrder("seed:4", 100));
  EXPECT_TRUE(std::ranges::is_permutation(shuffled, identity));
  for (const char *wrong : {"seed:", "seed:x", "seed:-1", "random", "0,1", "0,1,1", "0,1,3", "0,1,2,", ",", "0, 1, 2"})
    EXPECT_NE(messageOf<UserError>([&] { parseClassOrder(wrong, 3); }).find(wrong), std::string::npos);
}

TEST(DataScenario, ImpossibleSplitsAreMessages) {
  Dataset dataset = smallDataset(3, 2);
  for (std::int64_t tasks : {std::int64_t{0}, std::int64_t{4}, INT64_MAX})
    EXPECT_NE(messageOf<UserError>([&] { splitTasks(dataset, {tasks, {0, 1, 2}, 0, 0}); }).find("from 1 to 3"),
              std::string::npos);
  dataset.classes = 4; // a class id without pictures
  EXPECT_NE(messageOf<UserError>([&] { splitTasks(dataset, {4, {0, 1, 2, 3}, 0, 0}); }).find("task 4 has no training"),
            std::string::npos);
}

TEST(DataScenario, SamplesAreNormalizedWithLocalLabels) {
  Dataset dataset = smallDataset(4, 1);
  dataset.shape = {2, 1, 1};
  dataset.maximum = 4;
  dataset.train.pixels = {0, 1, 2, 3, 4, 0, 1, 2};
  DatasetSamples samples(dataset, dataset.train, {{0.5, 0.25}, {0.5, 2}}, {0, 1, 2},
                         std::vector<std::int64_t>{2, 0, 1});
  EXPECT_EQ(samples.size(), 3);
  EXPECT_EQ(samples.imageElements(), 2);
  std::vector<float> images(4);
  std::vector<std::int64_t> labels(2);
  samples.load(std::vector<std::int64_t>{2, 0}, images, labels);
  EXPECT_EQ(labels, (std::vector<std::int64_t>{0, 1})) << "classes 2 and 0";
  EXPECT_EQ(images, (std::vector<float>{1, -0.125f, -1, 0}));
}
