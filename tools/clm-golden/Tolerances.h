/// \file
/// How far a replay may be from the recorded numbers: max|x - golden| <= tolerance * max|golden| + 1e-8 for each
/// tensor.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace clm::golden {

/// What a case says about one tensor.
struct Tolerance {
  enum class Kind {
    Limit,       // `value` applies
    NotCompared, // null in the case file: badly conditioned
    Missing      // the case file does not name the tensor or its group
  } kind = Kind::Missing;
  double value = 0;
};

/// The tolerances of a case. Tensors may be named one by one or as a group, in which numbers of tasks, steps, batches
/// and epochs are folded: `task0.step3.loss` belongs to `#.#.loss`, `after_task1.x` to `after_#.x`.
class Tolerances {
public:
  /// Reads the object `tolerance` of a case file. Throws UserError when a value is neither a number nor null.
  static Tolerances parse(const nlohmann::json &object, const std::string &place);

  /// Further foldings, as pairs of a regular expression and its replacement (`last\.\d+` -> `head`).
  void addFoldings(const std::vector<std::pair<std::string, std::string>> &foldings);

  /// Names of tensors and groups, as the case gives them.
  std::vector<std::string> names() const;

  Tolerance find(const std::string &tensor) const;

  /// The name of the group a tensor is reported under.
  std::string group(const std::string &tensor) const;

private:
  std::map<std::string, std::optional<double>> values;
  std::vector<std::pair<std::regex, std::string>> foldings;
};

} // namespace clm::golden
