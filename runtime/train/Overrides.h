/// \file
/// The settings and the training plan of a run: what the compiled module says, changed by the command line where that
/// is possible without compiling again.
#pragma once

#include "runtime/module/Manifest.h"

#include <string>
#include <string_view>
#include <vector>

namespace clm::runtime {

struct RunConfiguration {
  std::vector<SettingSpec> settings; // in the order of the manifest
  TrainPlan plan;
};

/// What the manifest says.
RunConfiguration configurationOf(const Manifest &manifest);

/// Applies `--set name=value` to a module that is compiled already. Real settings that are not fixed and `train.*` may
/// change. Throws UserError for unknown names, malformed or absurd values, and for settings that were fixed when the
/// module was compiled.
void overrideSetting(RunConfiguration &configuration, std::string_view name, std::string_view value);

/// The plan as settings, under the names `train.epochs`, `train.batch`, ...: for reports.
std::vector<SettingSpec> planSettings(const TrainPlan &plan);

/// Throws UserError, naming the setting, for a plan that cannot be followed.
void checkPlan(const TrainPlan &plan);

} // namespace clm::runtime
