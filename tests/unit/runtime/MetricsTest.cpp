/// \file
/// Metrics on matrices made by hand, against numbers worked out from the published definitions.
#include "runtime/report/Metrics.h"

#include <gtest/gtest.h>

using namespace clm::runtime;

static AccuracyMatrix matrixOf(std::vector<std::int64_t> samples, std::vector<std::vector<double>> percent) {
  AccuracyMatrix matrix(std::move(samples));
  for (std::size_t i = 0; i < percent.size(); ++i)
    for (std::size_t j = 0; j < percent[i].size(); ++j)
      matrix.rows[i][j] = percent[i][j] / 100;
  return matrix;
}

// Unequal sizes; task 1 ends better than it ever was (so its share is negative), task 2 falls from a later peak. Tools
// in use print 12.00, 10.33, 5.67 or 1.67 as the forgetting of this matrix.
TEST(Metrics, PublishedDefinitions) {
  AccuracyMatrix matrix = matrixOf({1000, 1000, 2000, 500}, {{90}, {80, 85}, {84, 88, 86}, {92, 78, 60, 92}});
  EXPECT_NEAR(averageAccuracy(matrix).value.value(), 0.8050, 1e-12);
  EXPECT_NEAR(lastAccuracy(matrix).value.value(), 0.7467, 5e-5);
  EXPECT_NEAR(averageIncrementalAccuracy(matrix).value.value(), 0.8329, 5e-5);
  EXPECT_NEAR(forgetting(matrix).value.value(), 0.1133, 5e-5);
  EXPECT_NEAR(backwardTransfer(matrix).value.value(), -0.1033, 5e-5);
}

TEST(Metrics, ForgettingMayBeNegative) {
  AccuracyMatrix matrix = matrixOf({1, 1}, {{50}, {70, 60}});
  EXPECT_NEAR(forgetting(matrix).value.value(), -0.2, 1e-12);
  EXPECT_NEAR(backwardTransfer(matrix).value.value(), 0.2, 1e-12);
}

TEST(Metrics, OneTaskHasNoForgetting) {
  AccuracyMatrix matrix = matrixOf({10}, {{75}});
  EXPECT_NEAR(averageAccuracy(matrix).value.value(), 0.75, 1e-12);
  EXPECT_FALSE(forgetting(matrix).value);
  EXPECT_EQ(forgetting(matrix).reason, "it compares tasks, and there is only one");
  EXPECT_FALSE(backwardTransfer(matrix).value);
}

TEST(Metrics, MissingValuesAreNamed) {
  AccuracyMatrix matrix = matrixOf({10, 10}, {{75}, {70}});
  EXPECT_FALSE(averageAccuracy(matrix).value);
  EXPECT_EQ(averageAccuracy(matrix).reason, "no accuracy on task 2 after task 2");
  EXPECT_NEAR(forgetting(matrix).value.value(), 0.05, 1e-12) << "does not need the last task's own accuracy";
}
