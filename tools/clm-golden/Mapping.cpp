/// \file
/// The reader of mapping files.

#include "Mapping.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace clm::golden {

using nlohmann::json;
using runtime::UserError;

namespace {

/// Reads the parts of a mapping file and says which of them is wrong.
class MappingReader {
public:
  explicit MappingReader(const std::string &path) : path(path), root(readJsonObject(path)) {}

  Mapping read() {
    Mapping mapping;
    mapping.place = path;
    mapping.method = text(root, "method");
    mapping.net = text(root, "net", "");
    mapping.spec = (std::filesystem::path(path).parent_path() / text(root, "spec")).lexically_normal();
    mapping.inputKey = text(root, "input");
    mapping.classesKey = text(root, "classes");
    mapping.learningRate = root.value("learning_rate", json());
    for (const json &rule : list("kinds"))
      mapping.kinds.push_back({text(rule, "kind"), text(rule, "key", ""), text(rule, "tensor", "")});
    const json settings = object("settings"), plan = object("plan");
    for (const auto &[name, source] : settings.items())
      mapping.settings.emplace_back(name, source);
    for (const auto &[name, source] : plan.items())
      mapping.plan[name] = source;
    if (root.contains("sweep")) {
      mapping.sweptSetting = text(root["sweep"], "setting");
      mapping.sweptValues = text(root["sweep"], "values");
    }
    mapping.parameters = names("parameters");
    mapping.state = names("state");
    mapping.noise = names("noise");
    mapping.foldings = names("groups");
    readResults(mapping);
    for (const json &variant : list("variants"))
      mapping.variants.push_back(readVariant(variant));
    for (const json &rule : list("partial"))
      mapping.partial.push_back(readPartial(rule));
    return mapping;
  }

private:
  std::string path;
  json root;

  [[noreturn]] void fail(const std::string &problem) const { throw UserError(fmt::format("{}: {}", path, problem)); }

  std::string text(const json &from, const std::string &key) const {
    if (!from.is_object() || !from.contains(key) || !from[key].is_string())
      fail(fmt::format("`{}` is missing or no text", key));
    return from[key].get<std::string>();
  }
  std::string text(const json &from, const std::string &key, const std::string &otherwise) const {
    return from.is_object() && !from.contains(key) ? otherwise : text(from, key);
  }

  std::vector<std::string> texts(const json &from, const std::string &key) const {
    std::vector<std::string> result;
    if (!from.contains(key) || !from[key].is_array())
      fail(fmt::format("`{}` is missing or no list", key));
    for (const json &element : from[key]) {
      if (!element.is_string())
        fail(fmt::format("`{}` holds something that is no text", key));
      result.push_back(element.get<std::string>());
    }
    return result;
  }

  double number(const json &from, const std::string &key) const {
    if (!from.is_object() || !from.contains(key) || !from[key].is_number())
      fail(fmt::format("`{}` is missing or no number", key));
    return from[key].get<double>();
  }
  std::optional<double> optionalNumber(const json &from, const std::string &key) const {
    return from.contains(key) ? std::optional(number(from, key)) : std::nullopt;
  }

  json object(const std::string &key) const {
    json value = root.value(key, json::object());
    if (!value.is_object())
      fail(fmt::format("`{}` is no object", key));
    return value;
  }
  json list(const std::string &key) const {
    json value = root.value(key, json::array());
    if (!value.is_array())
      fail(fmt::format("`{}` is no list", key));
    return value;
  }

  std::vector<std::pair<std::string, std::string>> names(const std::string &key) const {
    std::vector<std::pair<std::string, std::string>> result;
    const json pairs = object(key);
    for (const auto &[name, value] : pairs.items())
      result.emplace_back(name, text(pairs, name));
    return result;
  }

  void readResults(Mapping &mapping) const {
    const json events = object("results");
    for (const auto &[event, rules] : events.items()) {
      if (!rules.is_object())
        fail(fmt::format("the results of `{}` are no object", event));
      for (const auto &[name, source] : rules.items())
        mapping.results[event].push_back({name, readSource(source)});
    }
  }

  Source readSource(const json &source) const {
    if (source.is_string())
      return {source.get<std::string>(), false, "", std::nullopt};
    return {text(source, "value"), text(source, "others", "zero") == "state", text(source, "divide_by", ""),
            optionalNumber(source, "absent")};
  }

  Variant readVariant(const json &from) const {
    if (!from.is_object() || !from.contains("when"))
      fail("a variant has no `when`");
    const json &when = from["when"];
    Variant variant{texts(when, "scale"), texts(when, "values"), number(when, "above"), {}, {}};
    const json settings = from.value("settings", json::object()),
               exceptions = from.value("not_compared", json::object());
    for (const auto &[name, value] : settings.items())
      variant.settings.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    for (const auto &[executor, patterns] : exceptions.items())
      variant.notCompared[executor] = texts(exceptions, executor);
    return variant;
  }

  PartialRule readPartial(const json &from) const {
    PartialRule rule;
    rule.tensors = text(from, "tensors");
    rule.label = text(from, "label");
    rule.factors = texts(from, "factors");
    rule.row = text(from, "row", "");
    rule.below = optionalNumber(from, "below");
    rule.above = optionalNumber(from, "above");
    rule.tolerance = number(from, "tolerance");
    if (from.contains("executors"))
      for (const std::string &executor : texts(from, "executors"))
        rule.executors.insert(executor);
    return rule;
  }
};

double largest(const Case &golden, const std::vector<std::string> &patterns) {
  double result = -std::numeric_limits<double>::infinity();
  for (const auto &[name, tensor] : golden.tensors())
    if (std::any_of(patterns.begin(), patterns.end(), [&](const std::string &p) { return matchesGlob(p, name); }))
      for (double value : tensor.values)
        result = std::max(result, value);
  return result;
}

} // namespace

bool Variant::appliesTo(const Case &golden) const {
  double scaleValue = largest(golden, scale), value = largest(golden, values);
  return std::isfinite(scaleValue) && std::isfinite(value) && scaleValue * value > above;
}

Mapping Mapping::load(const std::string &path) { return MappingReader(path).read(); }

Mapping Mapping::choose(const std::string &folder, const Case &golden) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (const auto &entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  if (failure)
    throw UserError(fmt::format("{}: no such folder of mapping files; name one with --mapping", folder));
  std::sort(files.begin(), files.end());
  std::string method = golden.text("method").value_or(""), net = golden.text("net").value_or("");
  std::string known;
  for (const std::filesystem::path &file : files) {
    Mapping mapping = load(file);
    if (mapping.method == method && mapping.net == net)
      return mapping;
    known += fmt::format("{}{} with {}", known.empty() ? "" : ", ", mapping.method, mapping.net);
  }
  throw UserError(
      fmt::format("{}: there is no mapping for the method `{}` with the network `{}` (there are: {}); write one, "
                  "or name one with --mapping",
                  golden.name(), method, net, known));
}

std::string Mapping::kindOf(const Case &golden) const {
  for (const KindRule &rule : kinds)
    if ((rule.key.empty() || golden.hasKey(rule.key)) && (rule.tensor.empty() || golden.has(rule.tensor)))
      return rule.kind;
  throw UserError(fmt::format("{}: none of the kinds in {} fits this case", golden.name(), place));
}

const std::vector<ResultRule> &Mapping::resultsOf(const std::string &event) const {
  static const std::vector<ResultRule> none;
  auto found = results.find(event);
  return found == results.end() ? none : found->second;
}

std::optional<std::map<std::string, std::string>> matchTemplate(const std::string &pattern, const std::string &name) {
  std::map<std::string, std::string> values;
  std::size_t at = 0; // in `name`
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      if (at == name.size() || name[at++] != pattern[i])
        return std::nullopt;
      continue;
    }
    std::size_t end = pattern.find('}', i);
    std::string letter = pattern.substr(i + 1, end - i - 1);
    std::size_t stop = letter == "p" ? name.size() : std::min(name.find_first_not_of("0123456789", at), name.size());
    if (stop == at)
      return std::nullopt;
    values[letter] = name.substr(at, stop - at);
    at = stop;
    i = end;
  }
  return at == name.size() ? std::optional(values) : std::nullopt;
}

std::string fillTemplate(std::string pattern, const std::map<std::string, std::string> &values) {
  for (const auto &[letter, value] : values) {
    std::string hole = "{" + letter + "}";
    for (std::size_t at = pattern.find(hole); at != std::string::npos; at = pattern.find(hole, at + value.size()))
      pattern.replace(at, hole.size(), value);
  }
  return pattern;
}

bool matchesGlob(const std::string &pattern, const std::string &name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

} // namespace clm::golden
