#include "sema/ModelTables.h"

namespace clm::sema {

const EntryInfo *ModelTables::findEntry(const std::string &path) const {
  auto found = entriesByPath.find(path);
  return found == entriesByPath.end() ? nullptr : found->second.get();
}

const EntryInfo &ModelTables::addEntry(EntryInfo info) {
  info.index = static_cast<std::int32_t>(model.entries.size());
  Entry row{info.path, info.role, info.perTask, {info.element, shapeOf(info.axes)}, {}, info.range};
  for (AxisRef axis : info.axes)
    row.axes.push_back(axis->name);
  model.entries.push_back(std::move(row));
  std::unique_ptr<EntryInfo> &slot = entriesByPath[info.path];
  slot = std::make_unique<EntryInfo>(std::move(info));
  ordered.push_back(slot.get());
  return *slot;
}

std::int32_t ModelTables::noiseStream(const std::string &path, Distribution distribution, const AxisList &axes) {
  auto [place, isNew] = streams.try_emplace(path, static_cast<std::int32_t>(model.noise.size()));
  if (isNew)
    model.noise.push_back({path, distribution, {ElementType::Float32, shapeOf(axes)}});
  return place->second;
}

const SiteInfo *ModelTables::findSite(const std::string &name) const {
  for (const std::unique_ptr<SiteInfo> &site : sites)
    if (site->name == name)
      return site.get();
  return nullptr;
}

} // namespace clm::sema
