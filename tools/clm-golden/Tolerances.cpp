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

} // namespace

Tolerances Tolerances::parse(const nlohmann::json &object, const std::string &place) {
  Tolerances result;
  if (!object.is_object())
    throw runtime::UserError(fmt::format("{}: `tolerance` is not an object of tensor names", place));
  for (const auto &[name, value] : object.items()) {
    if (name == "_meaning")
      continue;
    if (!value.is_null() && !value.is_number())
      throw runtime::UserError(fmt::format("{}: the tolerance of `{}` is neither a number nor null", place, name));
    result.values[name] = value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
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
  result.reserve(values.size());
  for (const auto &[name, value] : values)
    result.push_back(name);
  return result;
}

Tolerance Tolerances::find(const std::string &tensor) const {
  auto found = values.find(tensor);
  if (found == values.end())
    found = values.find(group(tensor));
  if (found == values.end())
    return {};
  if (!found->second)
    return {Tolerance::Kind::NotCompared, 0};
  return {Tolerance::Kind::Limit, *found->second};
}

} // namespace clm::golden
