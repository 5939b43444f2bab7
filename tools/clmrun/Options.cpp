#include "tools/clmrun/Options.h"

#include "runtime/abi/Failure.h"
#include "runtime/data/Dataset.h"
#include "runtime/module/UserError.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <type_traits>

namespace clm::tools {
namespace {

/// The texts of options that take a number are kept, so that messages can quote what was typed.
struct Texts {
  std::string tasks, epochs, batch, learningRate, seed, threads, execution = "jit";
  std::vector<std::string> settings;
};

/// A number in [lowest, highest]. Throws UserError that names the option.
template <typename Number>
Number parseNumber(std::string_view option, const std::string &text, Number lowest, Number highest) {
  Number value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !(value >= lowest && value <= highest))
    throw runtime::UserError(fmt::format("`{} {}`: give a {} from {} to {}", option, text,
                                         std::is_integral_v<Number> ? "whole number" : "number", lowest, highest));
  return value;
}

template <typename Number>
void parseOptional(std::optional<Number> &value, std::string_view option, const std::string &text, Number lowest,
                   Number highest) {
  if (!text.empty())
    value = parseNumber(option, text, lowest, highest);
}

std::pair<std::string, std::string> splitSetting(const std::string &text) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw runtime::UserError(fmt::format("`--set {}`: give name=value, as in `--set method.c=0.5`", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void interpret(const Texts &texts, RunOptions &options) {
  constexpr std::int64_t maximumTasks = 1'000'000, maximumEpochs = 1'000'000'000, maximumBatch = 1 << 24;
  parseOptional<std::int64_t>(options.tasks, "--tasks", texts.tasks, 1, maximumTasks);
  parseOptional<std::int64_t>(options.epochs, "--epochs", texts.epochs, 1, maximumEpochs);
  parseOptional<std::int64_t>(options.batch, "--batch-size", texts.batch, 1, maximumBatch);
  parseOptional<double>(options.learningRate, "--lr", texts.learningRate, 1e-12, 1e6);
  if (!texts.seed.empty())
    options.seed = parseNumber<std::uint64_t>("--seed", texts.seed, 0, UINT64_MAX);
  if (!texts.threads.empty())
    options.threads = parseNumber<int>("--threads", texts.threads, 1, 1024);
  if (texts.execution != "jit" && texts.execution != "reference")
    throw runtime::UserError(fmt::format("`--exec={}`: give `jit` or `reference`", texts.execution));
  if (texts.execution == "reference")
    options.execution = Execution::Reference;
  for (const std::string &text : texts.settings)
    options.settings.push_back(splitSetting(text));
  if (options.execution == Execution::Reference && !options.isSource())
    throw runtime::UserError(
        fmt::format("`{}` is a compiled module and holds machine code only; `--exec=reference` needs "
                    "the `.clm` file",
                    options.model));
}

void declare(CLI::App &app, RunOptions &options, Texts &texts) {
  app.add_option("model", options.model, "What to train: a spec (.clm) or a module that `clmc -o` wrote (.so)")
      ->required()
      ->option_text("SPEC.clm|MODEL.so");
  app.add_option("--data", options.data,
                 fmt::format("Data set: {} (default: the spec's)", fmt::join(runtime::datasetNames(), ", ")))
      ->option_text("NAME");
  app.add_option("--data-dir", options.dataFolder, "Folder with the files of the data set, or above it")
      ->option_text("DIR");
  app.add_option("--tasks", texts.tasks, "Number of tasks into which the classes are split (default: the spec's)")
      ->option_text("N");
  app.add_option("--epochs", texts.epochs, "Epochs per task (default: the spec's)")->option_text("N");
  app.add_option("--batch-size", texts.batch, "Samples of a training step (default: the spec's)")->option_text("N");
  app.add_option("--lr", texts.learningRate, "Learning rate (default: the spec's)")->option_text("X");
  app.add_option("--seed", texts.seed, "Seed of initialization, dropout and sample order (default: 0)")
      ->option_text("S");
  app.add_option("--order", options.order,
                 "Order of the classes: identity, seed:N or ids with commas (default: identity)")
      ->option_text("ORDER");
  app.add_option("--threads", texts.threads,
                 "Threads of matrix products; results are equal for equal numbers (default: 1)")
      ->option_text("N");
  app.add_option("--set", texts.settings,
                 "Change a setting of the spec, such as method.c=0.5 or train.epochs=5; repeatable")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--exec", texts.execution,
                 "jit: machine code; reference: op by op in double precision, slow (default: jit)")
      ->option_text("jit|reference");
  app.add_option("--out", options.outputFolder, "Write result.json and final.safetensors to this folder")
      ->option_text("DIR");
  app.add_flag("--quiet", options.quiet, "Print the final table only");
}

} // namespace

std::optional<RunOptions> parseCommandLine(int argc, char **argv, const std::string &version, int &exitCode) {
  CLI::App app("Trains a continual learner task after task, tests it after each task and prints the accuracy matrix.");
  app.set_version_flag("--version", "clmrun " + version);
  RunOptions options;
  Texts texts;
  declare(app, options, texts);
  exitCode = 0;
  try {
    app.parse(argc, argv);
    interpret(texts, options);
    return options;
  } catch (const CLI::Success &success) { // --help, --version
    app.exit(success);
  } catch (const CLI::ExtrasError &) {
    fmt::print(stderr, "clmrun: error: unknown argument `{}`; `clmrun --help` lists what there is\n",
               fmt::join(app.remaining(), " "));
    exitCode = runtime::kExitUserError;
  } catch (const CLI::RequiredError &) {
    fmt::print(stderr, "clmrun: error: no model given; `clmrun SPEC.clm` or `clmrun MODEL.so`\n");
    exitCode = runtime::kExitUserError;
  } catch (const CLI::ParseError &error) {
    // What remains is an option with too few or too many values; the library's text begins with its name.
    const std::string text = error.what();
    fmt::print(stderr, "clmrun: error: `{}` has no value, or more than one; see `clmrun --help`\n",
               text.substr(0, text.find(':')));
    exitCode = runtime::kExitUserError;
  } catch (const runtime::UserError &error) {
    fmt::print(stderr, "clmrun: error: {}\n", error.what());
    exitCode = runtime::kExitUserError;
  }
  return std::nullopt;
}

} // namespace clm::tools
