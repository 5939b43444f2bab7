/// \file
/// How far a replay may be from the recorded numbers. Case files give it in one of two forms: a number, for
/// max|x - golden| <= number * max|golden| + 1e-8 over a tensor; or `{"atol": a, "rtol": r}`, for |x - golden| <=
/// a + r * |golden| in each element, and `"exact"` for equality.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace clm::golden {

/// The bound on a tensor's deviation.
struct Limit {
  double relative = 0;
  double absolute = 1e-8;
  bool byElement = false; // relative to each element instead of the tensor's largest
};

/// What a case says about one tensor.
struct Tolerance {
  enum class Kind {
    Limited,     // `limit` applies
    NotCompared, // null in the case file: badly conditioned
    Missing      // the case file does not name the tensor or its group
  } kind = Kind::Missing;
  Limit limit;
};

/// The tolerances of a case. Tensors may be named one by one or as a group, in which numbers of tasks, steps, batches
/// and epochs are folded: `task0.step3.loss` belongs to `#.#.loss`, `after_task1.x` to `after_#.x`.
class Tolerances {
public:
  /// Reads the object `tolerance` of a case file; an object with `atol` and `rtol` alone is about every tensor. Throws
  /// UserError for anything that is not of the forms above or null.
  static Tolerances parse(const nlohmann::json &object, const std::string &place);

  /// Further foldings, as pairs of a regular expression and its replacement (`last\.\d+` -> `head`).
  void addFoldings(const std::vector<std::pair<std::string, std::string>> &foldings);

  /// Names of tensors and groups, as the case gives them.
  std::vector<std::string> names() const;

  Tolerance find(const std::string &tensor) const;

  /// The name of the group a tensor is reported under.
  std::string group(const std::string &tensor) const;

private:
  std::map<std::string, std::optional<Limit>> limits;
  std::optional<Limit> everywhere;
  std::vector<std::pair<std::regex, std::string>> foldings;
};

} // namespace clm::golden
