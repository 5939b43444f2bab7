/// \file
/// What is found once for the whole model, while its functions are elaborated one after the other: entries, noise
/// streams, axes and sites, each under its path.
#pragma once

#include "sema/Value.h"

namespace clm::sema {

/// A function with its own derivative, built for certain argument types.
struct DerivativeInfo {
  std::string name;
  AxisList axes; // of the result
};

class ModelTables {
public:
  Model model;
  AxisPool axes;
  /// Sites of the network, in the order written.
  std::vector<std::unique_ptr<SiteInfo>> sites;
  /// Settings that something was decided by.
  std::set<int> fixedSettings;
  /// A bound on the size of the spec was exceeded and reported; nothing more is evaluated.
  bool isExhausted = false;
  /// Axes of the batch: samples, channels, rows, columns.
  AxisList inputAxes;

  /// Derivative functions by declaration and argument types; nothing where the body has errors.
  std::map<std::string, std::optional<DerivativeInfo>> derivatives;

  /// The entry under a path, or null.
  const EntryInfo *findEntry(const std::string &path) const;
  /// Adds a row to the state table; `info.index` is set here.
  const EntryInfo &addEntry(EntryInfo info);
  /// All entries, in the order of the table.
  const std::vector<const EntryInfo *> &entries() const { return ordered; }

  /// Index of the noise stream `path`, made when it is new.
  std::int32_t noiseStream(const std::string &path, Distribution distribution, const AxisList &axes);

  const SiteInfo *findSite(const std::string &name) const;

private:
  std::map<std::string, std::unique_ptr<EntryInfo>> entriesByPath;
  std::vector<const EntryInfo *> ordered;
  std::map<std::string, std::int32_t> streams;
};

} // namespace clm::sema
