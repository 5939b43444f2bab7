/// \file
/// Everything a model remembers: parameters, state, optimizer slots and accumulators, one row per entry of the
/// manifest. A shared entry has one tensor. A per-task entry has one tensor for each task that has arrived, stored
/// stacked as [tasks, ...] or, when its first dimension is the number of classes, joined along it; either way the part
/// of one task is contiguous and can be viewed as a tensor.
#pragma once

#include "runtime/abi/AlignedBuffer.h"
#include "runtime/module/Manifest.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace clm::runtime {

/// Bytes of one element of type CLM_FLOAT32 ... CLM_BOOL.
std::size_t elementBytes(int element);

/// Number of elements of a tensor.
std::int64_t elementCount(const clm_tensor &tensor);

/// The values of a tensor of any element type, as double; and back (converted to the tensor's type).
std::vector<double> readValues(const clm_tensor &tensor);
void writeValues(const clm_tensor &tensor, std::span<const double> values);

class StateTable {
public:
  /// All shared entries, zero. Entries that the manifest calls CLM_FLOAT32 are kept as `realElement`.
  StateTable(const Manifest &manifest, int realElement);

  /// Adds a task of `classes` classes: every per-task entry grows by one part of zeros, older parts keep their values.
  /// Invalidates all views.
  void arrive(std::int64_t classes);

  std::int64_t tasks() const { return static_cast<std::int64_t>(taskClasses.size()); }
  std::int64_t classes(std::int64_t task) const { return taskClasses.at(static_cast<std::size_t>(task)); }

  /// The tensor of an entry; for a per-task entry its part of `task`. Valid until the next arrival.
  clm_tensor view(int entry, std::int64_t task) const;

  /// Index of the entry with that path, or -1.
  int find(std::string_view path) const;

  /// Sets an entry to zero in all tasks.
  void clear(int entry);

  /// A copy of all values, to be put back before another task arrives.
  struct Snapshot {
    std::vector<std::vector<std::byte>> rows;
    std::int64_t tasks = -1;
  };
  void save(Snapshot &snapshot) const;
  void restore(const Snapshot &snapshot);

  const Manifest &manifest() const { return *description; }

private:
  struct Row {
    AlignedBuffer memory;
    int element = CLM_FLOAT32;
    bool joined = false;               // its first dimension is the number of classes
    std::int64_t fixedElements = 1;    // product of the fixed dimensions
    std::vector<std::int64_t> offsets; // per task, in elements; one more at the end
  };

  const Manifest *description;
  std::vector<Row> rows;
  std::vector<std::int64_t> taskClasses;
};

} // namespace clm::runtime
