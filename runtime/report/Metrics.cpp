#include "runtime/report/Metrics.h"

#include <algorithm>

namespace clm::runtime {
namespace {

/// Thrown inside this file by the first value that a formula needs and the matrix lacks.
struct Undefined {
  std::string reason;
};

double at(const AccuracyMatrix &matrix, std::size_t after, std::size_t on) {
  const std::optional<double> &value = matrix.rows[after][on];
  if (!value)
    throw Undefined{"no accuracy on task " + std::to_string(on + 1) + " after task " + std::to_string(after + 1)};
  return *value;
}

void requireTasks(const AccuracyMatrix &matrix, std::size_t atLeast) {
  if (matrix.tasks() < atLeast)
    throw Undefined{atLeast == 1 ? "there are no tasks" : "it compares tasks, and there is only one"};
}

double sampleMean(const AccuracyMatrix &matrix, std::size_t after) {
  double sum = 0, samples = 0;
  for (std::size_t on = 0; on <= after; ++on) {
    sum += static_cast<double>(matrix.testSamples[on]) * at(matrix, after, on);
    samples += static_cast<double>(matrix.testSamples[on]);
  }
  if (samples == 0)
    throw Undefined{"there are no test samples"};
  return sum / samples;
}

template <typename Formula>
Metric measure(std::string name, std::string definition, Formula formula) {
  Metric metric{std::move(name), std::move(definition), std::nullopt, ""};
  try {
    metric.value = formula();
  } catch (const Undefined &undefined) {
    metric.reason = undefined.reason;
  }
  return metric;
}

} // namespace

Metric averageAccuracy(const AccuracyMatrix &matrix) {
  return measure("average_accuracy", "mean over tasks j of R[T-1][j]", [&] {
    requireTasks(matrix, 1);
    double sum = 0;
    for (std::size_t on = 0; on < matrix.tasks(); ++on)
      sum += at(matrix, matrix.tasks() - 1, on);
    return sum / static_cast<double>(matrix.tasks());
  });
}

Metric lastAccuracy(const AccuracyMatrix &matrix) {
  return measure("last_accuracy", "sum_j n_j R[T-1][j] / sum_j n_j", [&] {
    requireTasks(matrix, 1);
    return sampleMean(matrix, matrix.tasks() - 1);
  });
}

Metric averageIncrementalAccuracy(const AccuracyMatrix &matrix) {
  return measure("average_incremental_accuracy", "1/T sum_i (sum_{j<=i} n_j R[i][j] / sum_{j<=i} n_j)", [&] {
    requireTasks(matrix, 1);
    double sum = 0;
    for (std::size_t after = 0; after < matrix.tasks(); ++after)
      sum += sampleMean(matrix, after);
    return sum / static_cast<double>(matrix.tasks());
  });
}

Metric forgetting(const AccuracyMatrix &matrix) {
  return measure("forgetting", "1/(T-1) sum_{j<T-1} (max_{j<=l<=T-2} R[l][j] - R[T-1][j]), Chaudhry et al. 2018", [&] {
    requireTasks(matrix, 2);
    std::size_t last = matrix.tasks() - 1;
    double sum = 0;
    for (std::size_t on = 0; on < last; ++on) {
      double best = at(matrix, on, on);
      for (std::size_t after = on + 1; after < last; ++after)
        best = std::max(best, at(matrix, after, on));
      sum += best - at(matrix, last, on);
    }
    return sum / static_cast<double>(last);
  });
}

Metric backwardTransfer(const AccuracyMatrix &matrix) {
  return measure("backward_transfer", "1/(T-1) sum_{j<T-1} (R[T-1][j] - R[j][j]), Lopez-Paz and Ranzato 2017", [&] {
    requireTasks(matrix, 2);
    std::size_t last = matrix.tasks() - 1;
    double sum = 0;
    for (std::size_t on = 0; on < last; ++on)
      sum += at(matrix, last, on) - at(matrix, on, on);
    return sum / static_cast<double>(last);
  });
}

} // namespace clm::runtime
