/// \file
/// A model's state as a safetensors file. Names are the paths of the state table: `net.fc1.w`, and `tasks.3.e.h1` for
/// the part of task 3 (from 0) of a per-task entry. Accumulators are not kept: they mean something only inside a pass.
#pragma once

#include "runtime/train/StateTable.h"

#include <filesystem>
#include <map>
#include <string>

namespace clm::runtime {

/// Writes the table; `metadata` is added to what the checkpoint says about itself. Throws UserError when it cannot.
void writeCheckpoint(const std::filesystem::path &path, const StateTable &table,
                     std::map<std::string, std::string> metadata = {});

/// Fills a table of the same model to which as many tasks have arrived. Throws UserError for a damaged file and for
/// names, shapes or element types that differ.
void readCheckpoint(const std::filesystem::path &path, StateTable &table);

} // namespace clm::runtime
