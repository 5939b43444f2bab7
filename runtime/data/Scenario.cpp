#include "runtime/data/Scenario.h"

#include "runtime/module/UserError.h"
#include "runtime/random/Philox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace clm::runtime {
namespace {

template <typename Number>
std::optional<Number> parseWhole(std::string_view text) {
  Number value = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

void shuffle(std::vector<std::int64_t> &values, NoisePlace place) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[uniformBelow(i, place, i)]);
}

std::vector<std::vector<std::int64_t>> positionsByClass(const DataPart &part, std::int64_t classes) {
  std::vector<std::vector<std::int64_t>> positions(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < part.labels.size(); ++i)
    positions[static_cast<std::size_t>(part.labels[i])].push_back(static_cast<std::int64_t>(i));
  return positions;
}

/// Moves a share of a class's samples, at most all but one, to the validation part.
void holdOut(std::vector<std::int64_t> samples, std::int64_t classId, const ScenarioOptions &options, TaskPart &task) {
  auto count = static_cast<std::size_t>(std::llround(options.validation * static_cast<double>(samples.size())));
  count = samples.empty() ? 0 : std::min(count, samples.size() - 1);
  if (count > 0)
    shuffle(samples, {noiseKey(options.seed, "validation"), static_cast<std::uint32_t>(classId), 0});
  auto middle = samples.begin() + static_cast<std::ptrdiff_t>(count);
  task.validation.insert(task.validation.end(), samples.begin(), middle);
  task.train.insert(task.train.end(), middle, samples.end());
}

} // namespace

std::vector<std::int64_t> parseClassOrder(std::string_view text, std::int64_t classes) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(classes));
  std::iota(order.begin(), order.end(), 0);
  if (text.empty() || text == "identity")
    return order;
  constexpr std::string_view seedPrefix = "seed:";
  if (text.starts_with(seedPrefix)) {
    auto seed = parseWhole<std::uint64_t>(text.substr(seedPrefix.size()));
    if (!seed)
      throw UserError(fmt::format("`--order {}`: `seed:` is followed by a whole number, as in `seed:3`", text));
    shuffle(order, {noiseKey(*seed, "classes"), 0, 0});
    return order;
  }
  std::vector<std::int64_t> given;
  for (std::size_t first = 0; first <= text.size();) {
    std::size_t comma = std::min(text.find(',', first), text.size());
    auto id = parseWhole<std::int64_t>(text.substr(first, comma - first));
    if (!id)
      throw UserError(
          fmt::format("`--order {}`: give `identity`, `seed:N`, or the class ids with commas between them", text));
    given.push_back(*id);
    first = comma + 1;
  }
  if (!std::ranges::is_permutation(given, order))
    throw UserError(
        fmt::format("`--order {}`: each of the class ids 0 to {} must stand there once", text, classes - 1));
  return given;
}

std::vector<TaskPart> splitTasks(const Dataset &dataset, const ScenarioOptions &options) {
  if (options.tasks < 1 || options.tasks > dataset.classes)
    throw UserError(fmt::format("{} tasks are asked for, and `{}` has {} classes; give --tasks a number from 1 to {}",
                                options.tasks, dataset.name, dataset.classes, dataset.classes));
  auto train = positionsByClass(dataset.train, dataset.classes);
  auto test = positionsByClass(dataset.test, dataset.classes);
  std::vector<TaskPart> tasks(static_cast<std::size_t>(options.tasks));
  std::int64_t share = dataset.classes / options.tasks, remainder = dataset.classes % options.tasks;
  auto next = options.order.begin();
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    TaskPart &task = tasks[index];
    auto end = next + share + (static_cast<std::int64_t>(index) < remainder ? 1 : 0);
    task.classes.assign(next, end);
    next = end;
    for (std::int64_t id : task.classes) {
      auto position = static_cast<std::size_t>(id);
      holdOut(train[position], id, options, task);
      task.test.insert(task.test.end(), test[position].begin(), test[position].end());
    }
    for (std::vector<std::int64_t> *part : {&task.train, &task.validation, &task.test})
      std::ranges::sort(*part);
    if (task.train.empty())
      throw UserError(fmt::format("task {} has no training pictures: `{}` in `{}` has none of class {}", index + 1,
                                  dataset.name, dataset.folder.string(), fmt::join(task.classes, ", ")));
  }
  return tasks;
}

DatasetSamples::DatasetSamples(const Dataset &dataset, const DataPart &part, const Normalization &normalization,
                               std::vector<std::int64_t> positions, std::span<const std::int64_t> classes)
    : dataset(dataset), part(part), positions(std::move(positions)),
      localLabels(static_cast<std::size_t>(dataset.classes), -1), pixelValues(normalization.mean.size()) {
  for (std::size_t i = 0; i < classes.size(); ++i)
    localLabels[static_cast<std::size_t>(classes[i])] = static_cast<std::int64_t>(i);
  for (std::size_t channel = 0; channel < pixelValues.size(); ++channel) {
    for (int pixel = 0; pixel < 256; ++pixel) {
      double scaled = static_cast<double>(pixel) / dataset.maximum;
      pixelValues[channel][static_cast<std::size_t>(pixel)] =
          static_cast<float>((scaled - normalization.mean[channel]) / normalization.deviation[channel]);
    }
  }
}

void DatasetSamples::load(std::span<const std::int64_t> indices, std::span<float> images,
                          std::span<std::int64_t> labels) const {
  auto area = static_cast<std::size_t>(dataset.shape[1] * dataset.shape[2]);
  float *out = images.data();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto position = static_cast<std::size_t>(positions[static_cast<std::size_t>(indices[i])]);
    labels[i] = localLabels[static_cast<std::size_t>(part.labels[position])];
    const std::uint8_t *pixel = part.pixels.data() + position * static_cast<std::size_t>(imageElements());
    for (const std::array<float, 256> &values : pixelValues) {
      for (std::size_t k = 0; k < area; ++k)
        *out++ = values[*pixel++];
    }
  }
}

} // namespace clm::runtime
