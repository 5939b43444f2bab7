/// \file
/// How a data set becomes a sequence of tasks, and the samples of a task as training sees them.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/data/Samples.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace clm::runtime {

struct ScenarioOptions {
  std::int64_t tasks = 1;
  std::vector<std::int64_t> order; // of the class ids, a permutation
  double validation = 0;           // share of each class's training samples that is held out, in [0, 1)
  std::uint64_t seed = 0;          // of the choice of held-out samples
};

/// One task: its classes in the order of their local labels, and positions of its samples in the parts of the data set,
/// in stored order.
struct TaskPart {
  std::vector<std::int64_t> classes;
  std::vector<std::int64_t> train, validation, test;
};

/// `identity`, `seed:N` (a shuffle), or class ids with commas between. Throws UserError for anything else.
std::vector<std::int64_t> parseClassOrder(std::string_view text, std::int64_t classes);

/// Task-incremental: the classes in their order, cut into `tasks` parts as even as possible; the first parts take what
/// remains. Throws UserError for more tasks than classes or a task without training samples.
std::vector<TaskPart> splitTasks(const Dataset &dataset, const ScenarioOptions &options);

/// Normalized pictures of a task with local labels. Borrows the data set.
class DatasetSamples final : public Samples {
public:
  DatasetSamples(const Dataset &dataset, const DataPart &part, const Normalization &normalization,
                 std::vector<std::int64_t> positions, std::span<const std::int64_t> classes);

  std::int64_t size() const override { return static_cast<std::int64_t>(positions.size()); }
  std::int64_t imageElements() const override { return dataset.imageElements(); }
  void load(std::span<const std::int64_t> indices, std::span<float> images,
            std::span<std::int64_t> labels) const override;

private:
  const Dataset &dataset;
  const DataPart &part;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> localLabels;           // by class id
  std::vector<std::array<float, 256>> pixelValues; // normalized, by channel and pixel
};

} // namespace clm::runtime
