#include "runtime/train/StateTable.h"

#include "runtime/module/UserError.h"

#include <algorithm>
#include <cstring>

namespace clm::runtime {

std::size_t elementBytes(int element) {
  switch (element) {
  case CLM_FLOAT32:
    return 4;
  case CLM_FLOAT64:
  case CLM_INT64:
    return 8;
  case CLM_BOOL:
    return 1;
  }
  throw InternalError("unknown element type " + std::to_string(element));
}

std::int64_t elementCount(const clm_tensor &tensor) {
  std::int64_t count = 1;
  for (int i = 0; i < tensor.rank; ++i)
    count *= tensor.sizes[i];
  return count;
}

/// Calls `visit` with the tensor's data as a span of its element type.
template <typename Visit>
static void visitElements(const clm_tensor &tensor, Visit visit) {
  auto count = static_cast<std::size_t>(elementCount(tensor));
  switch (tensor.element) {
  case CLM_FLOAT32:
    return visit(std::span(static_cast<float *>(tensor.data), count));
  case CLM_FLOAT64:
    return visit(std::span(static_cast<double *>(tensor.data), count));
  case CLM_INT64:
    return visit(std::span(static_cast<std::int64_t *>(tensor.data), count));
  case CLM_BOOL:
    return visit(std::span(static_cast<std::uint8_t *>(tensor.data), count));
  }
  throw InternalError("unknown element type " + std::to_string(tensor.element));
}

std::vector<double> readValues(const clm_tensor &tensor) {
  std::vector<double> values;
  visitElements(tensor, [&](auto elements) { values.assign(elements.begin(), elements.end()); });
  return values;
}

void writeValues(const clm_tensor &tensor, std::span<const double> values) {
  if (static_cast<std::int64_t>(values.size()) != elementCount(tensor))
    throw InternalError(std::to_string(values.size()) + " values for a tensor of " +
                        std::to_string(elementCount(tensor)));
  visitElements(tensor, [&]<typename Element>(std::span<Element> elements) {
    std::ranges::transform(values, elements.begin(), [](double value) { return static_cast<Element>(value); });
  });
}

StateTable::StateTable(const Manifest &manifest, int realElement) : description(&manifest) {
  for (const EntrySpec &entry : manifest.entries) {
    Row row;
    row.element = entry.type.element == CLM_FLOAT32 ? realElement : entry.type.element;
    row.offsets = {0};
    const std::vector<std::int64_t> &shape = entry.type.shape;
    row.joined = !shape.empty() && shape.front() == kClasses;
    for (std::size_t i = row.joined ? 1 : 0; i < shape.size(); ++i) {
      if (shape[i] < 0)
        throw InternalError("entry `" + entry.path + "` has a dimension that is not fixed");
      row.fixedElements *= shape[i];
    }
    if (row.joined && !entry.perTask)
      throw InternalError("entry `" + entry.path + "` depends on the classes of a task but is not per task");
    if (!entry.perTask)
      row.memory.resize(static_cast<std::size_t>(row.fixedElements) * elementBytes(row.element));
    rows.push_back(std::move(row));
  }
}

void StateTable::arrive(std::int64_t classes) {
  taskClasses.push_back(classes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!description->entries[i].perTask)
      continue;
    Row &row = rows[i];
    row.offsets.push_back(row.offsets.back() + row.fixedElements * (row.joined ? classes : 1));
    row.memory.resize(static_cast<std::size_t>(row.offsets.back()) * elementBytes(row.element));
  }
}

clm_tensor StateTable::view(int entry, std::int64_t task) const {
  const EntrySpec &spec = description->entries.at(static_cast<std::size_t>(entry));
  const Row &row = rows[static_cast<std::size_t>(entry)];
  if (spec.perTask && (task < 0 || task >= tasks()))
    throw InternalError("entry `" + spec.path + "` is viewed at task " + std::to_string(task) +
                        ", which has not arrived");
  std::int64_t offset = spec.perTask ? row.offsets[static_cast<std::size_t>(task)] : 0;
  clm_tensor tensor{};
  tensor.data = row.memory.data() + static_cast<std::size_t>(offset) * elementBytes(row.element);
  tensor.element = row.element;
  tensor.rank = static_cast<std::int32_t>(spec.type.shape.size());
  for (std::size_t i = 0; i < spec.type.shape.size(); ++i)
    tensor.sizes[i] = spec.type.shape[i] == kClasses ? classes(task) : spec.type.shape[i];
  return tensor;
}

int StateTable::find(std::string_view path) const {
  auto found = std::ranges::find(description->entries, path, &EntrySpec::path);
  return found == description->entries.end() ? -1 : static_cast<int>(found - description->entries.begin());
}

void StateTable::clear(int entry) {
  AlignedBuffer &memory = rows.at(static_cast<std::size_t>(entry)).memory;
  std::fill_n(memory.data(), memory.size(), std::byte{0});
}

void StateTable::save(Snapshot &snapshot) const {
  snapshot.rows.resize(rows.size());
  snapshot.tasks = tasks();
  for (std::size_t i = 0; i < rows.size(); ++i)
    snapshot.rows[i].assign(rows[i].memory.data(), rows[i].memory.data() + rows[i].memory.size());
}

void StateTable::restore(const Snapshot &snapshot) {
  if (snapshot.tasks != tasks() || snapshot.rows.size() != rows.size())
    throw InternalError("a snapshot is restored into a table of another number of tasks");
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(snapshot.rows[i], rows[i].memory.data());
}

} // namespace clm::runtime
