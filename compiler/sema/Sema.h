/// \file
/// From syntax trees to the typed model: names, types, axes, instances, rules.
#pragma once

#include "sema/Model.h"
#include "support/Diagnostics.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clm::sema {

struct SemaOptions {
  /// Folder of the standard library (`std.nets.mlp` is `nets/mlp.clm` in it).
  std::string standardLibrary;
  /// `--set name=value`, in the order given; a later one wins.
  std::vector<std::pair<std::string, std::string>> overrides;
  /// Data set that fixes the input shape instead of the spec's `data` (`digits`, `mnist`, `cifar10`, `cifar100`).
  std::optional<std::string> data;
  /// Channels, rows, columns; wins over any data set.
  std::optional<std::vector<std::int64_t>> inputShape;
};

/// Reads `path` and everything it imports, checks it and builds the model. Returns nothing when errors were reported,
/// and when the compiler itself is at fault: then none was, and `violation`, if given, says what is wrong with the
/// model.
std::optional<Model> analyze(SourceManager &sources, const std::string &path, const SemaOptions &options,
                             DiagnosticEngine &diagnostics, std::string *violation = nullptr);

} // namespace clm::sema
