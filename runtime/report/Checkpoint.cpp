#include "runtime/report/Checkpoint.h"

#include "runtime/module/UserError.h"
#include "runtime/report/Safetensors.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::runtime {
namespace {

/// All tensors of a table that a checkpoint keeps, under their names there.
std::vector<StoredTensor> storedTensors(const StateTable &table) {
  std::vector<StoredTensor> tensors;
  const std::vector<EntrySpec> &entries = table.manifest().entries;
  auto add = [&](std::string name, const clm_tensor &view) {
    StoredTensor tensor;
    tensor.name = std::move(name);
    tensor.element = view.element;
    tensor.shape.assign(view.sizes, view.sizes + view.rank);
    tensor.bytes = {static_cast<const std::byte *>(view.data),
                    static_cast<std::size_t>(elementCount(view)) * elementBytes(view.element)};
    tensors.push_back(std::move(tensor));
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto index = static_cast<int>(i);
    if (entries[i].role == EntryRole::Accumulator)
      continue;
    if (!entries[i].perTask)
      add(entries[i].path, table.view(index, -1));
    for (std::int64_t task = 0; entries[i].perTask && task < table.tasks(); ++task)
      add(fmt::format("tasks.{}.{}", task, entries[i].path), table.view(index, task));
  }
  return tensors;
}

} // namespace

void writeCheckpoint(const std::filesystem::path &path, const StateTable &table,
                     std::map<std::string, std::string> metadata) {
  std::string classes;
  for (std::int64_t task = 0; task < table.tasks(); ++task)
    classes += fmt::format("{}{}", task == 0 ? "" : ",", table.classes(task));
  metadata["format"] = "clm-checkpoint-1";
  metadata["model"] = table.manifest().name;
  metadata["spec_hash"] = table.manifest().specHash;
  metadata["classes_per_task"] = classes;
  writeSafetensors(path, storedTensors(table), metadata);
}

void readCheckpoint(const std::filesystem::path &path, StateTable &table) {
  SafetensorsFile file = SafetensorsFile::read(path);
  std::vector<StoredTensor> places = storedTensors(table);
  for (const StoredTensor &place : places) {
    const StoredTensor *found = file.find(place.name);
    if (!found)
      throw UserError(fmt::format("`{}` has no `{}`: it belongs to another model", path.string(), place.name));
    if (found->shape != place.shape || found->element != place.element)
      throw UserError(fmt::format("`{}` has `{}` in another shape or precision: it belongs to another model",
                                  path.string(), place.name));
  }
  if (file.tensors().size() != places.size())
    throw UserError(fmt::format("`{}` has {} tensors and the model {}: it belongs to another model", path.string(),
                                file.tensors().size(), places.size()));
  for (const StoredTensor &place : places) {
    // The places are views of the table, which hands them out as read-only bytes only to this file's writer.
    auto *target = const_cast<std::byte *>(place.bytes.data());
    std::ranges::copy(file.find(place.name)->bytes, target);
  }
}

} // namespace clm::runtime
