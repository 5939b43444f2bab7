#include "sema/TrainPlanReader.h"

#include "sema/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace clm::sema {

using namespace syntax;

namespace {

/// A number of the plan: where it goes and which values it takes.
struct PlanNumber {
  std::string name;
  bool isInteger;
  std::string_view allowed;
  bool (*fits)(double);
  void (*store)(TrainPlan &, double);
};

const std::vector<PlanNumber> &planNumbers() {
  static constexpr auto isCount = [](double value) { return value >= 1 && value <= 1e9; };
  static const std::vector<PlanNumber> table = {
      {"epochs", true, "an integer from 1 to 1000000000", isCount,
       [](TrainPlan &plan, double value) { plan.epochs = static_cast<std::int64_t>(value); }},
      {"batch", true, "an integer from 1 to 1000000000", isCount,
       [](TrainPlan &plan, double value) { plan.batch = static_cast<std::int64_t>(value); }},
      {"validation", false, "a share from 0 to below 1", [](double value) { return value >= 0 && value < 1; },
       [](TrainPlan &plan, double value) { plan.validation = value; }},
      {"lr", false, "a number above 0", [](double value) { return value > 0 && std::isfinite(value); },
       [](TrainPlan &plan, double value) { plan.learningRate = value; }},
      {"patience", true, "an integer from 1 to 1000000000", isCount,
       [](TrainPlan &plan, double value) { plan.patience = static_cast<std::int64_t>(value); }},
      {"factor", false, "a number above 1", [](double value) { return value > 1 && std::isfinite(value); },
       [](TrainPlan &plan, double value) { plan.factor = value; }},
      {"min", false, "a number from 0 on", [](double value) { return value >= 0 && std::isfinite(value); },
       [](TrainPlan &plan, double value) { plan.minimumRate = value; }},
  };
  return table;
}

/// Settings that the language knows and that mean nothing yet.
const std::vector<std::string> plannedSettings = {"augment",  "data",    "losses", "momentum",
                                                  "schedule", "weights", "for"};

} // namespace

std::vector<std::string> TrainPlanReader::names() {
  std::vector<std::string> names;
  for (const PlanNumber &number : planNumbers())
    names.push_back("train." + number.name);
  return names;
}

void TrainPlanReader::read(const TrainBlock &block) {
  for (const Statement &statement : block.settings) {
    if (const auto *setting = std::get_if<syntax::Setting>(&statement.node)) {
      readSetting(*setting, statement.range);
    } else if (const auto *clip = std::get_if<ClipRule>(&statement.node)) {
      spec.clips.emplace_back(clip, statement.range);
    } else if (std::holds_alternative<TrainBlock>(statement.node)) {
      reporter.notSupported(statement.range, "training in phases");
    } else if (std::holds_alternative<FreezeRule>(statement.node) ||
               std::holds_alternative<MemoryBlock>(statement.node)) {
      reporter.notSupported(statement.range, "rules of a phase");
    } else {
      reporter.error(statement.range, Diag::MisplacedStatement, "this cannot stand in `train`");
    }
  }
}

void TrainPlanReader::readSetting(const syntax::Setting &setting, SourceRange range) {
  const std::string &name = setting.name.text;
  auto [earlier, isNew] = places.try_emplace(name, range);
  if (!isNew)
    reporter.error(setting.name.range, Diag::Redeclared, fmt::format("`{}` is set twice", name))
        .note(earlier->second, "set here");
  const std::vector<std::string> known = {"epochs",  "batch",      "validation", "optimizer",
                                          "plateau", "early_stop", "restore",    "clip"};
  if (name == "epochs" || name == "batch" || name == "validation") {
    if (setting.values.size() == 1)
      readNumber(name, *setting.values.front());
    else
      reporter.error(range, Diag::InvalidSetting, fmt::format("`{}` needs one number", name));
  } else if (name == "optimizer") {
    readOptimizer(setting, range);
  } else if (name == "plateau") {
    readPlateau(setting, range);
  } else if (name == "early_stop") {
    setFlag(setting, "", plan.earlyStop, range);
  } else if (name == "restore") {
    setFlag(setting, "best", plan.restoreBest, range);
  } else if (std::find(plannedSettings.begin(), plannedSettings.end(), name) != plannedSettings.end()) {
    reporter.notSupported(range, fmt::format("`{}` in `train`", name));
  } else {
    reporter.unknown(setting.name.range, Diag::UnknownSetting,
                     fmt::format("there is no setting `{}` of the training", name), name, known);
  }
}

void TrainPlanReader::setFlag(const syntax::Setting &setting, const std::string &word, bool &flag, SourceRange range) {
  const auto *given = setting.values.size() == 1 ? std::get_if<NameExpr>(&setting.values[0]->node) : nullptr;
  bool fits = word.empty() ? setting.values.empty() : (given && given->name == word);
  if (!fits) {
    reporter.error(range, Diag::InvalidSetting,
                   fmt::format("write `{}{}{};`", setting.name.text, word.empty() ? "" : " ", word));
    return;
  }
  flag = true;
  plan.origins[setting.name.text] = "spec";
}

void TrainPlanReader::readNumber(const std::string &name, const Expr &value) {
  Operand written = elaborator.operand(value, scope);
  std::optional<double> number =
      written.value.is<Poison>() ? std::nullopt : elaborator.arithmetic.toNumber(written, "a number");
  if (!number)
    return;
  if (std::string allowed = store(name, *number); !allowed.empty())
    reporter.error(value.range, Diag::InvalidSetting, fmt::format("`{}` is {}; it must be {}", name, *number, allowed));
  else
    plan.origins[name] = "spec";
}

std::string TrainPlanReader::store(const std::string &name, double value) {
  for (const PlanNumber &number : planNumbers()) {
    if (number.name != name)
      continue;
    if (!number.fits(value) || (number.isInteger && std::floor(value) != value))
      return std::string(number.allowed);
    number.store(plan, value);
  }
  return {};
}

void TrainPlanReader::readOptimizer(const syntax::Setting &setting, SourceRange range) {
  const auto *call = setting.values.size() == 1 ? std::get_if<CallExpr>(&setting.values[0]->node) : nullptr;
  const auto *name = call ? std::get_if<NameExpr>(&call->callee->node) : nullptr;
  if (!name) {
    reporter.error(range, Diag::InvalidSetting, "write the optimizer as `optimizer sgd(lr = 0.05);`");
    return;
  }
  if (name->name == "adam" || name->name == "adamw") {
    reporter.notSupported(call->callee->range, fmt::format("the optimizer `{}`", name->name));
    return;
  }
  if (name->name != "sgd") {
    reporter.unknown(call->callee->range, Diag::UnknownSetting, fmt::format("unknown optimizer `{}`", name->name),
                     name->name, {"sgd"});
    return;
  }
  for (const CallArgument &argument : call->arguments) {
    std::string parameter = argument.name ? argument.name->text : "lr";
    SourceRange where = argument.name ? argument.name->range : argument.value->range;
    if (parameter == "lr")
      readNumber("lr", *argument.value);
    else if (parameter == "momentum" || parameter == "weight_decay" || parameter == "nesterov")
      reporter.notSupported(where, fmt::format("`{}` of `sgd`", parameter));
    else
      reporter.unknown(where, Diag::UnknownArgument, fmt::format("`sgd` has no parameter `{}`", parameter), parameter,
                       {"lr", "momentum", "weight_decay"});
  }
}

/// `plateau(lr, patience = 5, factor = 3, min = 1e-4)`: what decays, and how.
void TrainPlanReader::readPlateau(const syntax::Setting &setting, SourceRange range) {
  const auto *call = setting.values.size() == 1 ? std::get_if<CallExpr>(&setting.values[0]->node) : nullptr;
  const auto *what = call && !call->arguments.empty() && !call->arguments[0].name
                         ? std::get_if<NameExpr>(&call->arguments[0].value->node)
                         : nullptr;
  if (!what || what->name != "lr") {
    reporter.error(range, Diag::InvalidSetting, "write `plateau(lr, patience = 5, factor = 3, min = 1e-4);`");
    return;
  }
  plan.plateau = true;
  plan.origins["plateau"] = "spec";
  for (std::size_t i = 1; i < call->arguments.size(); ++i) {
    const CallArgument &argument = call->arguments[i];
    const std::vector<std::string> known = {"patience", "factor", "min"};
    std::string name = argument.name ? argument.name->text : "";
    if (std::find(known.begin(), known.end(), name) != known.end())
      readNumber(name, *argument.value);
    else if (argument.name)
      reporter.unknown(argument.name->range, Diag::UnknownArgument,
                       fmt::format("`plateau` has no parameter `{}`", name), name, known);
    else
      reporter.error(argument.value->range, Diag::TooManyArguments,
                     "`plateau` takes its numbers by name: `patience = 5`");
  }
}

void TrainPlanReader::override(const std::string &name, const std::string &value) {
  std::string shortName = name.substr(std::string_view("train.").size());
  std::optional<double> number = parseNumber(value);
  std::string allowed = number ? store(shortName, *number) : "a number";
  if (!allowed.empty())
    reporter.error({}, Diag::InvalidOverride, fmt::format("`--set {}={}`: the value must be {}", name, value, allowed));
  else
    plan.origins[shortName] = "command line";
}

void TrainPlanReader::check() {
  bool isFaulty = places.count("validation") && !plan.origins.count("validation");
  if (plan.validation > 0 || isFaulty)
    return;
  for (const auto &[name, isOn] : {std::pair("plateau", plan.plateau), std::pair("early_stop", plan.earlyStop),
                                   std::pair("restore", plan.restoreBest)})
    if (isOn)
      reporter
          .error(places[name], Diag::ValidationNeeded,
                 fmt::format("`{}` watches the loss on validation data, and none is held out", name))
          .help("write `validation 0.15;` to hold out that share of the training data");
}

} // namespace clm::sema
