/// \file
/// Tables of deviations, and the dump.

#include "Report.h"

#include "runtime/report/Safetensors.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::golden {

namespace {

std::size_t missesOf(const Group &group) {
  return group.problems.size() + (group.tensors > 0 && group.worst.missed() ? 1 : 0);
}

std::string verdict(const Comparison &comparison) {
  std::size_t misses = 0;
  for (const Group &group : comparison.groups)
    misses += missesOf(group);
  if (comparison.compared == 0)
    return "MISS: nothing was compared";
  std::string text = misses ? fmt::format("MISS: {} of {} groups", misses, comparison.groups.size())
                            : fmt::format("ok: {} tensors within tolerance", comparison.compared);
  if (!comparison.notCompared.empty())
    text += fmt::format(", {} not compared as a whole", comparison.notCompared.size());
  return text;
}

} // namespace

std::string printComparison(const std::string &title, const Comparison &comparison) {
  std::size_t width = 5;
  for (const Group &group : comparison.groups)
    width = std::max(width, group.name.size());
  std::string text = fmt::format("{}\n  {:<{}}  tensors  deviation  tolerance\n", title, "group", width);
  for (const Group &group : comparison.groups) {
    if (group.tensors > 0) {
      text += fmt::format("  {:<{}}  {:>7}  {:>9.2e}  {:>9.2e}", group.name, width, group.tensors,
                          group.worst.relative(), group.worst.limit.relative);
      if (group.worst.missed())
        text += fmt::format("  MISS in {}: {:.3e} is not within {:.3e}", group.worstTensor, group.worst.largest,
                            group.worst.allowed);
      text += '\n';
    }
    for (const std::string &problem : group.problems)
      text += fmt::format("  MISS {}\n", problem);
  }
  return text + fmt::format("  {}\n", verdict(comparison));
}

std::string reportHeading() {
  return "| case | kind | executor | compared | worst group | deviation | tolerance | result |\n"
         "|---|---|---|---|---|---|---|---|\n";
}

std::string reportLine(const std::string &name, const std::string &kind, const std::string &executor,
                       const Comparison &comparison) {
  const Group *worst = comparison.worst();
  std::string group =
      worst ? fmt::format("`{}` | {:.1e} | {:.1e}", worst->name, worst->worst.relative(), worst->worst.limit.relative)
            : "| |";
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, kind, executor, comparison.compared, group,
                     comparison.passed() ? "ok" : "MISS");
}

void dump(const std::string &path, const TensorMap &tensors) {
  std::vector<std::vector<float>> rounded;
  std::vector<runtime::StoredTensor> stored;
  rounded.reserve(tensors.size()); // `stored` points into it
  for (const auto &[name, tensor] : tensors) {
    rounded.emplace_back(tensor.values.begin(), tensor.values.end());
    stored.push_back({name, CLM_FLOAT32, tensor.shape, std::as_bytes(std::span(rounded.back()))});
  }
  runtime::writeSafetensors(path, stored, {});
}

} // namespace clm::golden
