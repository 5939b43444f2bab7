#include "runtime/train/Overrides.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <variant>

namespace clm::runtime {
namespace {

constexpr const char *kCommandLine = "command line";

/// A field of the plan, under the name that specs and the command line use for it.
struct PlanField {
  const char *name; // after `train.`
  std::variant<std::int64_t TrainPlan::*, double TrainPlan::*, bool TrainPlan::*> member;
  const char *allowed; // null: part of the spec, not of the command line
  bool (*fits)(double) = nullptr;
};

const std::vector<PlanField> &planFields() {
  static constexpr auto isCount = [](double value) { return value >= 1 && value <= 1e9 && value == std::floor(value); };
  static const std::vector<PlanField> fields = {
      {"epochs", &TrainPlan::epochs, "an integer from 1 on", isCount},
      {"batch", &TrainPlan::batch, "an integer from 1 on", isCount},
      {"validation", &TrainPlan::validation, "a share from 0 to below 1",
       [](double value) { return value >= 0 && value < 1; }},
      {"lr", &TrainPlan::learningRate, "a number above 0", [](double value) { return value > 0; }},
      {"plateau", &TrainPlan::plateau, nullptr},
      {"patience", &TrainPlan::patience, "an integer from 1 on", isCount},
      {"factor", &TrainPlan::factor, "a number above 1", [](double value) { return value > 1; }},
      {"min", &TrainPlan::minimumRate, "a number from 0 on", [](double value) { return value >= 0; }},
      {"early_stop", &TrainPlan::earlyStop, nullptr},
      {"restore", &TrainPlan::restoreBest, nullptr},
  };
  return fields;
}

std::optional<double> parseNumber(std::string_view text) {
  double value = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

double valueOf(const TrainPlan &plan, const PlanField &field) {
  return std::visit([&](auto member) { return static_cast<double>(plan.*member); }, field.member);
}

SettingSpec::Type typeOf(const PlanField &field) {
  constexpr SettingSpec::Type types[] = {SettingSpec::Type::Integer, SettingSpec::Type::Real,
                                         SettingSpec::Type::Boolean};
  return types[field.member.index()];
}

std::string knownNames(const RunConfiguration &configuration) {
  std::vector<std::string> names;
  names.reserve(configuration.settings.size() + planFields().size());
  for (const SettingSpec &setting : configuration.settings)
    names.push_back(setting.name);
  for (const PlanField &field : planFields()) {
    if (field.allowed)
      names.push_back(fmt::format("train.{}", field.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

RunConfiguration configurationOf(const Manifest &manifest) { return {manifest.settings, manifest.train}; }

void overrideSetting(RunConfiguration &configuration, std::string_view name, std::string_view value) {
  std::optional<double> number = parseNumber(value);
  auto refuse = [&](std::string_view allowed) {
    throw UserError(fmt::format("`--set {}={}`: the value must be {}", name, value, allowed));
  };
  for (const PlanField &field : planFields()) {
    if (!field.allowed || name != fmt::format("train.{}", field.name))
      continue;
    if (!number || !field.fits(*number))
      refuse(field.allowed);
    std::visit(
        [&]<typename Field>(Field TrainPlan::*member) { configuration.plan.*member = static_cast<Field>(*number); },
        field.member);
    configuration.plan.origins[field.name] = kCommandLine;
    return;
  }
  auto setting = std::ranges::find(configuration.settings, name, &SettingSpec::name);
  if (setting == configuration.settings.end())
    throw UserError(fmt::format("`--set {}={}`: the model has no setting `{}`; known are {}", name, value, name,
                                knownNames(configuration)));
  if (setting->fixed)
    throw UserError(
        fmt::format("`--set {}={}`: this module was compiled for {} = {}; compile the spec again with `clmc "
                    "--set {}={}`",
                    name, value, name, setting->value, name, value));
  if (!number)
    refuse("a number");
  setting->value = *number;
  setting->origin = kCommandLine;
}

std::vector<SettingSpec> planSettings(const TrainPlan &plan) {
  std::vector<SettingSpec> settings;
  for (const PlanField &field : planFields()) {
    auto origin = plan.origins.find(field.name);
    settings.push_back({typeOf(field), fmt::format("train.{}", field.name), valueOf(plan, field), false,
                        origin == plan.origins.end() ? "default" : origin->second});
  }
  return settings;
}

void checkPlan(const TrainPlan &plan) {
  for (const PlanField &field : planFields()) {
    if (field.allowed && !field.fits(valueOf(plan, field)))
      throw UserError(fmt::format("`train.{}` is {}; it must be {}", field.name, valueOf(plan, field), field.allowed));
  }
  if (plan.validation == 0 && (plan.plateau || plan.earlyStop || plan.restoreBest))
    throw UserError(
        "`plateau`, `early_stop` and `restore best` watch the loss on validation data, and none is held out; "
        "set `train.validation` to the share of the training data to hold out");
}

} // namespace clm::runtime
