/// \file
/// `result.json`: everything needed to understand a run's numbers and to repeat it. Holds no times, dates or paths, so
/// that the same run writes the same bytes. Accuracies are in 0..1, tasks count from 0.
#pragma once

#include "runtime/report/Experiment.h"

#include <filesystem>
#include <string>

namespace clm::runtime {

/// What the report says about the run besides the experiment itself.
struct RunDescription {
  int threads = 1;
  bool doublePrecision = false; // the reference executor
  std::string version;          // of the program
};

/// The text of `result.json`.
std::string printResult(const Experiment &experiment, const RunDescription &description);

/// Writes `result.json` and the checkpoint `final.safetensors` into a folder that exists. Throws UserError when it
/// cannot.
void writeResults(const std::filesystem::path &folder, const Experiment &experiment, const RunDescription &description);

} // namespace clm::runtime
