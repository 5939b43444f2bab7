/// \file
/// Reading the two files of a case.

#include "Case.h"

#include "runtime/module/UserError.h"
#include "runtime/report/Safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

namespace clm::golden {

using nlohmann::json;
using runtime::UserError;

namespace {

constexpr std::int64_t kLargestSize = 1 << 24;

} // namespace

bool isWholeBelow(double value, double limit) { return value >= 0 && value < limit && value == std::floor(value); }

json readJsonObject(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw UserError(fmt::format("{}: the file is missing or cannot be read", path));
  json object;
  try {
    object = json::parse(file);
  } catch (const json::parse_error &error) {
    throw UserError(fmt::format("{}: not valid JSON at byte {}", path, error.byte));
  }
  if (!object.is_object())
    throw UserError(fmt::format("{}: holds no JSON object", path));
  return object;
}

Case Case::load(const std::string &folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();
  if (!std::filesystem::is_directory(path))
    throw UserError(
        fmt::format("{}: no such folder; a case is a folder with `case.json` and `data.safetensors`", folder));
  Case result;
  result.caseName = path.filename();
  result.place = path / "case.json";
  result.dataPlace = path / "data.safetensors";
  result.settings = readJsonObject(result.place);
  if (!result.settings.contains("tolerance"))
    result.fail("there is no `tolerance`");
  result.tolerances = Tolerances::parse(result.settings["tolerance"], result.place);
  const runtime::SafetensorsFile data = runtime::SafetensorsFile::read(result.dataPlace);
  for (const runtime::StoredTensor &tensor : data.tensors())
    result.values.emplace(tensor.name, Tensor(tensor.shape, tensor.values()));
  return result;
}

void Case::fail(const std::string &problem) const { throw UserError(fmt::format("{}: {}", place, problem)); }

void Case::checkComplete() const {
  std::set<std::string> present;
  for (const auto &[name, tensor] : values)
    present.insert({name, tolerances.group(name)});
  for (const std::string &name : tolerances.names())
    if (!present.count(name))
      throw UserError(
          fmt::format("{}: there is no tensor of `{}`, for which the case gives a tolerance", dataPlace, name));
}

const Tensor &Case::tensor(const std::string &name) const {
  auto found = values.find(name);
  if (found == values.end())
    throw UserError(fmt::format("{}: there is no tensor `{}`, which a case of this kind needs", dataPlace, name));
  return found->second;
}

const json *Case::at(const std::string &path) const {
  const json *value = &settings;
  for (std::size_t start = 0; start <= path.size();) {
    std::size_t end = std::min(path.find('.', start), path.size());
    std::string part = path.substr(start, end - start);
    if (value->is_object() && value->contains(part))
      value = &(*value)[part];
    else if (value->is_array() && part.size() == 1 && std::isdigit(static_cast<unsigned char>(part[0])) &&
             static_cast<std::size_t>(part[0] - '0') < value->size())
      value = &(*value)[static_cast<std::size_t>(part[0] - '0')];
    else
      return nullptr;
    start = end + 1;
  }
  return value;
}

std::optional<std::string> Case::text(const std::string &key) const {
  const json *value = at(key);
  return value && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<double> Case::find(const NumberSource &source) const {
  if (source.is_number())
    return source.get<double>();
  if (source.is_boolean())
    return source.get<bool>() ? 1 : 0;
  if (source.is_array()) {
    for (const NumberSource &alternative : source)
      if (std::optional<double> value = find(alternative))
        return value;
    return std::nullopt;
  }
  if (!source.is_string())
    return std::nullopt;
  const json *value = at(source.get<std::string>());
  // A list is there for its elements; any other value that is no number must not pass for an absent one.
  if (value && !value->is_number() && !value->is_structured())
    fail(fmt::format("`{}` is not a number", source.get<std::string>()));
  return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

double Case::number(const NumberSource &source) const {
  if (std::optional<double> value = find(source))
    return *value;
  fail(fmt::format("there is no number at {}, which a case of this kind needs", source.dump()));
}

const json &Case::list(const std::string &key) const {
  const json *value = at(key);
  if (!value || !value->is_array())
    fail(fmt::format("there is no list at `{}`, which a case of this kind needs", key));
  return *value;
}

std::vector<double> Case::numbers(const std::string &key) const {
  std::vector<double> result;
  for (const json &element : list(key)) {
    if (!element.is_number())
      fail(fmt::format("the list at `{}` holds something that is not a number", key));
    result.push_back(element.get<double>());
  }
  return result;
}

std::int64_t Case::size(const json &value, const std::string &key) const {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > kLargestSize)
    fail(fmt::format("the list at `{}` holds {} where a size between 1 and {} is expected", key, value.dump(),
                     kLargestSize));
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> Case::sizes(const std::string &key) const {
  std::vector<std::int64_t> result;
  for (const json &element : list(key))
    result.push_back(size(element, key));
  return result;
}

std::vector<std::int64_t> Case::classes(const std::string &key) const {
  std::vector<std::int64_t> result;
  for (const json &element : list(key))
    result.push_back(size(element.is_array() && element.size() == 2 ? element[1] : element, key));
  if (result.empty())
    fail(fmt::format("the list of tasks at `{}` is empty", key));
  return result;
}

std::int64_t Case::task(std::int64_t tasks) const {
  double value = number("task");
  if (!isWholeBelow(value, static_cast<double>(tasks)))
    fail(fmt::format("`task` is {}, but the tasks are 0 to {}", value, tasks - 1));
  return static_cast<std::int64_t>(value);
}

} // namespace clm::golden
