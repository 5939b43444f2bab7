/// \file
/// Metrics of continual learning, computed from the accuracy matrix after the run and never from callbacks. Notation of
/// the literature: R[i][j] is the test accuracy on task j after training task i, both from 0, T tasks, n_j test
/// samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clm::runtime {

/// Accuracies in 0..1. Values that were not measured (tasks not yet seen, tasks without test samples) are absent.
struct AccuracyMatrix {
  std::vector<std::vector<std::optional<double>>> rows; // R, T rows of T values
  std::vector<std::int64_t> testSamples;                // n_j

  explicit AccuracyMatrix(std::vector<std::int64_t> testSamples)
      : rows(testSamples.size(), std::vector<std::optional<double>>(testSamples.size())),
        testSamples(std::move(testSamples)) {}
  std::size_t tasks() const { return rows.size(); }
};

/// A number with its definition, or why it is not defined for this run.
struct Metric {
  std::string name;
  std::string definition;
  std::optional<double> value;
  std::string reason; // when there is no value
};

/// ACC: mean over tasks of R[T-1][j].
Metric averageAccuracy(const AccuracyMatrix &matrix);

/// Mean over test samples of all tasks after the last one: sum n_j R[T-1][j] / sum n_j.
Metric lastAccuracy(const AccuracyMatrix &matrix);

/// Mean over i of the sample mean after task i: 1/T sum_i (sum_{j<=i} n_j R[i][j] / sum_{j<=i} n_j).
Metric averageIncrementalAccuracy(const AccuracyMatrix &matrix);

/// Chaudhry et al. 2018: 1/(T-1) sum_{j<T-1} (max_{j<=l<=T-2} R[l][j] - R[T-1][j]); may be negative.
Metric forgetting(const AccuracyMatrix &matrix);

/// BWT of Lopez-Paz and Ranzato 2017: 1/(T-1) sum_{j<T-1} (R[T-1][j] - R[j][j]).
Metric backwardTransfer(const AccuracyMatrix &matrix);

} // namespace clm::runtime
