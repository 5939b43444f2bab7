/// \file
/// clm-golden: replays recorded cases and says how far the results are from the recorded ones.
///
/// Exit code 0 when every case is within its tolerances, 1 when one is not or cannot be replayed, 2 for wrong usage, 70
/// for an internal error.

#include "Comparison.h"
#include "Execution.h"
#include "Kinds.h"
#include "Report.h"

#include "runtime/module/UserError.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <ranges>

namespace {

using namespace clm::golden;
using clm::runtime::UserError;

struct Options {
  std::vector<std::string> cases;
  std::string executor = "jit";
  std::string dump;
  std::string mapping;
  std::string spec;
  bool report = false;
};

/// The shortest text that reads back as the number.
std::string settingText(double value) { return fmt::format("{}", value); }

clm::runtime::CompileRequest compileRequest(const Case &golden, const Mapping &mapping, const Options &options) {
  clm::runtime::CompileRequest request;
  request.specPath = options.spec.empty() ? mapping.spec : options.spec;
  request.probes = true;
  request.inputShape = golden.sizes(mapping.inputKey);
  for (const auto &[name, source] : mapping.settings)
    if (std::optional<double> value = golden.find(source))
      request.overrides.emplace_back(name, settingText(*value));
  for (const Variant &variant : mapping.variants)
    if (variant.appliesTo(golden))
      request.overrides.insert(request.overrides.end(), variant.settings.begin(), variant.settings.end());
  return request;
}

/// Replays one case. Returns whether it is within its tolerances.
bool replayCase(const std::string &folder, const Options &options) {
  Case golden = Case::load(folder);
  Mapping mapping =
      options.mapping.empty() ? Mapping::choose(CLM_GOLDEN_MAPPINGS, golden) : Mapping::load(options.mapping);
  golden.tolerances.addFoldings(mapping.foldings);
  golden.checkComplete();
  std::string kind = mapping.kindOf(golden);
  auto found = kinds().find(kind);
  if (found == kinds().end())
    throw UserError(fmt::format("{}: cases of the kind `{}` cannot be replayed by this version; it knows {}",
                                golden.name(), kind, fmt::join(std::views::keys(kinds()), ", ")));

  std::unique_ptr<clm::runtime::Executable> executable =
      makeExecutable(compileRequest(golden, mapping, options), options.executor);
  Replay replay(golden, mapping, *executable);
  found->second(replay);

  Comparison comparison = compare(golden, mapping, replay.computed(), replay.inputs(), options.executor);
  std::string text =
      options.report ? reportLine(golden.name(), kind, options.executor, comparison)
                     : printComparison(fmt::format("{} ({}, {})", golden.name(), kind, options.executor), comparison);
  fmt::print("{}", text);
  std::fflush(stdout);
  if (!options.dump.empty())
    dump(options.dump, replay.computed());
  return comparison.passed();
}

int replayCases(const Options &options) {
  if (options.report)
    fmt::print("{}", reportHeading());
  bool passed = true;
  for (const std::string &folder : options.cases) {
    try {
      passed = replayCase(folder, options) && passed;
    } catch (const UserError &error) {
      fmt::print(stderr, "clm-golden: {}\n", error.what());
      passed = false;
    }
  }
  return passed ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Replays recorded cases and compares the results with the recorded ones.", "clm-golden");
  app.add_option("CASE", options.cases, "Folders with `case.json` and `data.safetensors`")->required();
  app.add_option("--exec", options.executor, "How to run the spec: jit, so or reference")
      ->check(CLI::IsMember(executors()))
      ->capture_default_str();
  app.add_option("--dump", options.dump, "Write what was computed, under the case's tensor names (one case only)");
  app.add_option("--mapping", options.mapping, "Mapping file, instead of the one for the case's method and network");
  app.add_option("--spec", options.spec, "Spec, instead of the mapping's");
  app.add_flag("--report", options.report, "Print a Markdown table with one line for each case");
  try {
    app.parse(argc, argv);
    if (!options.dump.empty() && options.cases.size() != 1)
      throw CLI::ValidationError("--dump", "takes one case");
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return replayCases(options);
  } catch (const std::exception &error) {
    fmt::print(stderr, "clm-golden: internal error: {}\n", error.what());
    return 70;
  }
}
