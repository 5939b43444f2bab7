/// \file
/// clmrun: trains a spec or a compiled module on a data set and reports what it learned and forgot.
#include "runtime/abi/Failure.h"
#include "runtime/aten/Aten.h"
#include "runtime/data/Dataset.h"
#include "runtime/module/Executable.h"
#include "runtime/module/UserError.h"
#include "runtime/report/AtomicFile.h"
#include "runtime/report/Console.h"
#include "runtime/report/ResultFile.h"
#include "tools/clmrun/Options.h"

#include <fmt/format.h>

#include <csignal>

namespace {

using namespace clm::runtime;
using clm::tools::Execution;
using clm::tools::RunOptions;

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "it is set by a signal handler");

/// The first Ctrl-C asks for a clean end, the second ends the process as usual.
void handleInterrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
}

/// Diagnostics of the compiler, already rendered for people.
struct CompilationFailed {
  std::string diagnostics;
  bool internalError = false;
};

std::unique_ptr<Executable> loadModel(const RunOptions &options) {
  if (!options.isSource()) {
    std::string error;
    std::unique_ptr<Executable> executable = loadSharedObject(options.model, error);
    if (!executable)
      throw UserError(error);
    return executable;
  }
  CompileRequest request;
  request.specPath = options.model;
  request.overrides = options.settings;
  request.data = options.data;
  request.reference = options.execution == Execution::Reference;
  CompileResult result = compileSpec(request);
  if (!result.executable)
    throw CompilationFailed{result.diagnostics, result.internalError};
  fmt::print(stderr, "{}", result.diagnostics); // warnings
  return std::move(result.executable);
}

RunConfiguration configure(const RunOptions &options, const Manifest &manifest) {
  RunConfiguration configuration = configurationOf(manifest);
  if (!options.isSource()) { // the compiler has applied them to a spec
    for (const auto &[name, value] : options.settings)
      overrideSetting(configuration, name, value);
  }
  TrainPlan &plan = configuration.plan;
  auto apply = [&](auto &field, const auto &given, const char *name) {
    if (!given)
      return;
    field = *given;
    plan.origins[name] = "command line";
  };
  apply(plan.epochs, options.epochs, "epochs");
  apply(plan.batch, options.batch, "batch");
  apply(plan.learningRate, options.learningRate, "lr");
  return configuration;
}

int run(const RunOptions &options) {
  setThreads(options.threads);
  std::unique_ptr<Executable> executable = loadModel(options);
  const Manifest &manifest = executable->manifest();
  const std::string data = options.data.empty() ? manifest.data : options.data;
  if (data.empty())
    throw UserError(fmt::format("`{}` names no data set; give one with --data", options.model));
  const Dataset dataset = loadDataset(data, options.dataFolder);
  ExperimentOptions settings;
  settings.tasks = options.tasks.value_or(manifest.tasks);
  if (settings.tasks == 0)
    throw UserError(fmt::format("`{}` names no number of tasks; give one with --tasks", options.model));
  settings.order = parseClassOrder(options.order, dataset.classes);
  settings.seed = options.seed;
  settings.configuration = configure(options, manifest);
  Experiment experiment(*executable, dataset, std::move(settings));
  if (!options.outputFolder.empty())
    prepareOutputFolder(options.outputFolder); // before the work, not after it
  if (!options.quiet)
    fmt::print("{}", printPlan(experiment));
  std::fflush(stdout);
  {
    ProgressDisplay display(stderr, options.quiet, experiment, interrupted);
    if (!experiment.run(display))
      return kExitInterrupted;
  }
  fmt::print("{}", printSummary(experiment.accuracies()));
  fmt::print(stderr, "{}", printWarnings(experiment));
  if (!options.outputFolder.empty())
    writeResults(options.outputFolder, experiment,
                 {options.threads, executable->realElement() == CLM_FLOAT64, CLM_VERSION});
  // The buffer of standard output may not have met the full disk yet.
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw UserError("cannot write to standard output; the results that --out names are complete");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  int exitCode = 0;
  std::optional<RunOptions> options = clm::tools::parseCommandLine(argc, argv, CLM_VERSION, exitCode);
  if (!options)
    return exitCode;
  handleInterrupts();
  try {
    exitCode = run(*options);
    if (exitCode == kExitInterrupted)
      fmt::print(stderr, "clmrun: interrupted; nothing was written\n");
    return exitCode;
  } catch (const CompilationFailed &failure) {
    fmt::print(stderr, "{}", failure.diagnostics);
    return failure.internalError ? kExitInternalError : kExitUserError;
  } catch (const UserError &error) {
    fmt::print(stderr, "clmrun: error: {}\n", error.what());
    return kExitUserError;
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "clmrun: error: out of memory; use a smaller network, batch or data set\n");
    return kExitUserError;
  } catch (const std::exception &error) {
    fmt::print(stderr, "clmrun: internal error: {}\n", error.what());
    return kExitInternalError;
  }
}
