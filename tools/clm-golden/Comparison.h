/// \file
/// Compares what a replay computed with what the case recorded.
#pragma once

#include "Case.h"
#include "Mapping.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clm::golden {

/// One tensor against its golden values.
struct Deviation {
  double largest = 0;   // max |x - golden|; NaN when some difference is not finite
  double magnitude = 0; // max |golden|
  double allowed = 0;   // by the limit, where the deviation comes closest to it
  double share = 0;     // deviation / allowed there; NaN as `largest`
  Limit limit;

  /// Written so that NaN is a miss.
  bool missed() const { return !(share <= 1); }
  /// Deviation relative to the magnitude, absolute when that is 0.
  double relative() const { return magnitude > 0 ? largest / magnitude : largest; }
  /// Whether this one is worse than `other` by their share of what is allowed.
  bool worseThan(const Deviation &other) const;
};

Deviation deviation(const std::vector<double> &values, const std::vector<double> &golden, const Limit &limit);

/// The tensors of a group; the one with the worst deviation stands for it.
struct Group {
  std::string name;
  int tensors = 0;
  Deviation worst;
  std::string worstTensor;
  std::vector<std::string> problems; // what is wrong with tensors that could not be compared; each is a miss
};

struct Comparison {
  std::vector<Group> groups;                      // in alphabetical order
  std::map<std::string, std::string> notCompared; // tensor -> why
  int compared = 0;

  bool passed() const;
  /// The group that is closest to a miss; null when nothing was compared.
  const Group *worst() const;
};

/// Every tensor of the case must be an input, computed within its tolerance, or excepted (by the case file or the
/// mapping).
Comparison compare(const Case &golden, const Mapping &mapping, const TensorMap &computed,
                   const std::set<std::string> &inputs, const std::string &executor);

} // namespace clm::golden
