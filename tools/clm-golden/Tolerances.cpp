/// \file
/// Reading and finding tolerances.

#include "Tolerances.h"

#include "runtime/module/UserError.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace clm::golden {

namespace {

/// `task3`, `step12`, `t0`, ... as a part of a name between dots or underscores.
const std::regex &runningNumbers() {
  static const std::regex expression(R"((^|[._])(?:task|step|batch|epoch|t)\d+(?=[._]|$))");
  return expression;
}

bool isPair(const nlohmann::json &value) {
  return value.is_object() && value.size() == 2 && value.contains("atol") && value["atol"].is_number() &&
         value.contains("rtol") && value["rtol"].is_number();
}

/// Nothing when the value is of none of the forms.
std::optional<Limit> parseLimit(const nlohmann::json &value) {
  if (value.is_number())
    return Limit{.relative = value.get<double>()};
  if (isPair(value))
    return Limit{value["rtol"].get<double>(), value["atol"].get<double>(), true};
  if (value == "exact")
    return Limit{0, 0, true};
  return std::nullopt;
}

} // namespace

Tolerances Tolerances::parse(const nlohmann::json &object, const std::string &place) {
  Tolerances result;
  if (!object.is_object())
    throw runtime::UserError(fmt::format("{}: `tolerance` is not an object of tensor names", place));
  if (isPair(object)) {
    result.everywhere = parseLimit(object);
    return result;
  }
  for (const auto &[name, value] : object.items()) {
    if (name == "_meaning")
      continue;
    std::optional<Limit> limit = parseLimit(value);
    if (!limit && !value.is_null())
      throw runtime::UserError(fmt::format("{}: the tolerance of `{}` is neither a number, an object of `atol` and "
                                           "`rtol`, `exact` nor null",
                                           place, name));
    result.limits[name] = limit;
  }
  return result;
}

void Tolerances::addFoldings(const std::vector<std::pair<std::string, std::string>> &added) {
  for (const auto &[expression, replacement] : added)
    foldings.emplace_back(std::regex(expression), replacement);
}

std::string Tolerances::group(const std::string &tensor) const {
  std::string folded = std::regex_replace(tensor, runningNumbers(), "$1#");
  for (const auto &[expression, replacement] : foldings)
    folded = std::regex_replace(folded, expression, replacement);
  return folded;
}

std::vector<std::string> Tolerances::names() const {
  std::vector<std::string> result;
  result.reserve(limits.size());
  for (const auto &[name, limit] : limits)
    result.push_back(name);
  return result;
}

Tolerance Tolerances::find(const std::string &tensor) const {
  auto found = limits.find(tensor);
  if (found == limits.end())
    found = limits.find(group(tensor));
  if (found == limits.end())
    return everywhere ? Tolerance{Tolerance::Kind::Limited, *everywhere} : Tolerance{};
  if (!found->second)
    return {Tolerance::Kind::NotCompared, {}};
  return {Tolerance::Kind::Limited, *found->second};
}

} // namespace clm::golden
