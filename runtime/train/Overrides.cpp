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

/// A field of the plan, under the name that specs and the command line use for it.
struct PlanField {
  const char *name; // after `train.`
  std::variant<std::int64_t TrainPlan::*, double TrainPlan::*, bool TrainPlan::*> member;
  double lowest, highest;
  bool lowestAllowed = true;
};

constexpr double kMaximumEpochs = 1e9, kMaximumBatch = 1 << 24;

const std::vector<PlanField> &planFields() {
  static const std::vector<PlanField> fields = {
      {"epochs", &TrainPlan::epochs, 1, kMaximumEpochs},
      {"batch", &TrainPlan::batch, 1, kMaximumBatch},
      {"validation", &TrainPlan::validation, 0, 0.9},
      {"lr", &TrainPlan::learningRate, 0, 1e6, false},
      {"plateau", &TrainPlan::plateau, 0, 1},
      {"patience", &TrainPlan::patience, 1, kMaximumEpochs},
      {"factor", &TrainPlan::factor, 1, 1e6, false},
      {"min", &TrainPlan::minimumRate, 0, 1e6},
      {"early_stop", &TrainPlan::earlyStop, 0, 1},
      {"restore_best", &TrainPlan::restoreBest, 0, 1},
  };
  return fields;
}

std::optional<double> parseNumber(std::string_view text) {
  if (text == "true" || text == "false")
    return text == "true";
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

void checkField(const PlanField &field, double value) {
  bool whole = std::holds_alternative<double TrainPlan::*>(field.member) || value == std::floor(value);
  bool inside = value <= field.highest && (field.lowestAllowed ? value >= field.lowest : value > field.lowest);
  if (whole && inside)
    return;
  throw UserError(fmt::format("`train.{}` is {}, and {} {} {} and at most {} is expected", field.name, value,
                              typeOf(field) == SettingSpec::Type::Real ? "a number" : "a whole number",
                              field.lowestAllowed ? "of at least" : "above", field.lowest, field.highest));
}

std::string knownNames(const RunConfiguration &configuration) {
  std::vector<std::string> names;
  for (const SettingSpec &setting : configuration.settings)
    names.push_back(setting.name);
  for (const PlanField &field : planFields())
    names.push_back(fmt::format("train.{}", field.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

RunConfiguration configurationOf(const Manifest &manifest) { return {manifest.settings, manifest.train}; }

void overrideSetting(RunConfiguration &configuration, std::string_view name, std::string_view value) {
  std::optional<double> number = parseNumber(value);
  constexpr std::string_view prefix = "train.";
  const std::vector<PlanField> &fields = planFields();
  auto field =
      name.starts_with(prefix) ? std::ranges::find(fields, name.substr(prefix.size()), &PlanField::name) : fields.end();
  auto setting = std::ranges::find(configuration.settings, name, &SettingSpec::name);
  if (field == fields.end() && setting == configuration.settings.end())
    throw UserError(fmt::format("`--set {}={}`: there is no setting `{}`; known are {}", name, value, name,
                                knownNames(configuration)));
  if (!number)
    throw UserError(fmt::format("`--set {}={}`: `{}` is not a number", name, value, value));
  if (field != fields.end()) {
    checkField(*field, *number);
    std::visit(
        [&]<typename Field>(Field TrainPlan::*member) { configuration.plan.*member = static_cast<Field>(*number); },
        field->member);
    configuration.plan.origins[field->name] = "command line";
    return;
  }
  if (setting->fixed)
    throw UserError(
        fmt::format("`--set {}={}`: this module was compiled for {} = {}; compile the spec again with `clmc "
                    "--set {}={}`",
                    name, value, name, setting->value, name, value));
  setting->value = *number;
  setting->origin = "command line";
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
  for (const PlanField &field : planFields())
    checkField(field, valueOf(plan, field));
}

} // namespace clm::runtime
