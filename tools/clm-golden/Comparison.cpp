/// \file
/// The comparison, whole tensors and parts of badly conditioned ones.

#include "Comparison.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

namespace clm::golden {

namespace {

class Comparer {
public:
  Comparer(const Case &golden, const Mapping &mapping, const TensorMap &computed, const std::set<std::string> &inputs,
           const std::string &executor)
      : golden(golden), mapping(mapping), computed(computed), inputs(inputs), executor(executor) {}

  Comparison run() {
    for (const auto &[name, expected] : golden.tensors())
      if (!inputs.count(name))
        compareWhole(name, expected);
    for (const PartialRule &rule : mapping.partial)
      if (rule.executors.empty() || rule.executors.count(executor))
        compareParts(rule);
    for (auto &[name, group] : groups)
      result.groups.push_back(std::move(group));
    return std::move(result);
  }

private:
  const Case &golden;
  const Mapping &mapping;
  const TensorMap &computed;
  const std::set<std::string> &inputs;
  const std::string &executor;
  Comparison result;
  std::map<std::string, Group> groups;

  Group &groupNamed(const std::string &name) {
    Group &group = groups[name];
    group.name = name;
    return group;
  }

  void add(const std::string &groupName, const std::string &tensor, const Deviation &found) {
    Group &group = groupNamed(groupName);
    if (group.tensors++ == 0 || found.worseThan(group.worst)) {
      group.worst = found;
      group.worstTensor = tensor;
    }
    ++result.compared;
  }

  void compareWhole(const std::string &name, const Tensor &expected) {
    Tolerance tolerance = golden.tolerances.find(name);
    if (tolerance.kind == Tolerance::Kind::NotCompared) {
      result.notCompared[name] = "badly conditioned, says the case";
      return;
    }
    if (excepted(name)) {
      result.notCompared[name] = fmt::format("excepted for {} by the mapping", executor);
      return;
    }
    std::vector<std::string> &problems = groupNamed(golden.tolerances.group(name)).problems;
    auto found = computed.find(name);
    if (found == computed.end())
      problems.push_back(fmt::format("{}: not replayed, no rule of the mapping gives it", name));
    else if (tolerance.kind == Tolerance::Kind::Missing)
      problems.push_back(fmt::format("{}: the case gives no tolerance for it", name));
    else if (found->second.values.size() != expected.values.size())
      problems.push_back(fmt::format("{}: {} numbers were computed, {} recorded", name, found->second.values.size(),
                                     expected.values.size()));
    else
      add(golden.tolerances.group(name), name, deviation(found->second.values, expected.values, tolerance.limit));
  }

  bool excepted(const std::string &name) const {
    for (const Variant &variant : mapping.variants) {
      auto found = variant.notCompared.find(executor);
      if (found != variant.notCompared.end() && variant.appliesTo(golden) &&
          std::any_of(found->second.begin(), found->second.end(),
                      [&](const std::string &pattern) { return matchesGlob(pattern, name); }))
        return true;
    }
    return false;
  }

  void compareParts(const PartialRule &rule) {
    std::regex expression(rule.tensors);
    for (const auto &[name, why] : result.notCompared) {
      std::smatch match;
      if (!std::regex_match(name, match, expression) || !computed.count(name))
        continue;
      std::vector<double> product = productOf(rule, match, golden.tensor(name).values.size());
      std::vector<double> values, expected;
      for (std::size_t i = 0; i < product.size(); ++i)
        if ((rule.below && product[i] < *rule.below) || (rule.above && product[i] > *rule.above)) {
          values.push_back(computed.at(name).values.at(i));
          expected.push_back(golden.tensor(name).values[i]);
        }
      if (!values.empty())
        add(fmt::format("{} {}", golden.tolerances.group(name), rule.label), name,
            deviation(values, expected, {.relative = rule.tolerance}));
    }
  }

  /// The elementwise product of the factors: scalars, tensors of `size` elements, or a row of a matrix.
  std::vector<double> productOf(const PartialRule &rule, const std::smatch &match, std::size_t size) const {
    std::vector<double> product(size, 1);
    for (const std::string &pattern : rule.factors) {
      const Tensor &factor = golden.tensor(match.format(pattern));
      std::size_t first = 0;
      if (factor.values.size() > size && !rule.row.empty())
        first = static_cast<std::size_t>(std::stoul(match.format(rule.row))) * size;
      if (factor.values.size() != 1 && factor.values.size() < first + size)
        throw runtime::UserError(fmt::format("{}: `{}` does not fit `{}`", mapping.place, pattern, rule.tensors));
      for (std::size_t i = 0; i < size; ++i)
        product[i] *= factor.values.size() == 1 ? factor.values[0] : factor.values[first + i];
    }
    return product;
  }
};

} // namespace

bool Deviation::worseThan(const Deviation &other) const {
  if (std::isnan(share) || std::isnan(other.share))
    return std::isnan(share);
  return share > other.share;
}

Deviation deviation(const std::vector<double> &values, const std::vector<double> &golden, const Limit &limit) {
  Deviation result;
  result.limit = limit;
  for (double value : golden)
    result.magnitude = std::max(result.magnitude, std::abs(value));
  for (std::size_t i = 0; i < golden.size(); ++i) {
    double difference = std::abs(values[i] - golden[i]);
    double scale = limit.byElement ? std::abs(golden[i]) : result.magnitude;
    double allowed = limit.relative * scale + limit.absolute;
    // 0 of an allowed 0 is no deviation; anything more is a miss. An infinite golden value would allow any deviation.
    double share = difference == 0 ? 0 : difference / allowed;
    if (!std::isfinite(difference))
      difference = share = std::numeric_limits<double>::quiet_NaN();
    if (i == 0 || !(share <= result.share)) {
      result.allowed = allowed;
      result.share = share;
    }
    result.largest = std::isnan(difference) ? difference : std::max(result.largest, difference);
    if (std::isnan(difference))
      break;
  }
  return result;
}

bool Comparison::passed() const {
  bool allWithin = std::all_of(groups.begin(), groups.end(), [](const Group &group) {
    return group.problems.empty() && (group.tensors == 0 || !group.worst.missed());
  });
  return allWithin && compared > 0;
}

const Group *Comparison::worst() const {
  const Group *result = nullptr;
  for (const Group &group : groups)
    if (group.tensors > 0 && (!result || group.worst.worseThan(result->worst)))
      result = &group;
  return result;
}

Comparison compare(const Case &golden, const Mapping &mapping, const TensorMap &computed,
                   const std::set<std::string> &inputs, const std::string &executor) {
  return Comparer(golden, mapping, computed, inputs, executor).run();
}

} // namespace clm::golden
