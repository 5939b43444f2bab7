/// \file
/// A recorded case: a folder with `case.json` (hyper-parameters and tolerances) and `data.safetensors` (everything
/// else, inputs and expected results under one naming scheme; tests/golden/README.md describes it).
#pragma once

#include "Tolerances.h"

#include "runtime/reference/Tensor.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clm::golden {

using runtime::reference::Shape;
using runtime::reference::Tensor;

using TensorMap = std::map<std::string, Tensor>;

/// A number of a case: a literal, the path of a key (`smax`, `dropout.0`), or several, of which the first that the case
/// has counts.
using NumberSource = nlohmann::json;

class Case {
public:
  /// Throws UserError when a file is missing or damaged.
  static Case load(const std::string &folder);

  /// Throws UserError when a name in `tolerances` stands for no tensor of the case.
  void checkComplete() const;

  /// The last part of the folder's path.
  const std::string &name() const { return caseName; }
  const TensorMap &tensors() const { return values; }
  bool has(const std::string &tensor) const { return values.count(tensor) != 0; }
  /// Throws UserError when the case has no such tensor.
  const Tensor &tensor(const std::string &name) const;

  /// The text at a key, or nothing.
  std::optional<std::string> text(const std::string &key) const;
  bool hasKey(const std::string &key) const { return settings.contains(key); }
  std::optional<double> find(const NumberSource &source) const;
  /// Throw UserError when the case does not have it.
  double number(const NumberSource &source) const;
  std::vector<double> numbers(const std::string &key) const;
  /// Sizes: whole numbers of at least 1.
  std::vector<std::int64_t> sizes(const std::string &key) const;
  /// The task that a case of a single task is about (`task`), below `tasks`.
  std::int64_t task(std::int64_t tasks) const;

  /// A list at `key` with an entry for each task: the number of its classes, or a pair of task and number.
  std::vector<std::int64_t> classes(const std::string &key) const;

  Tolerances tolerances;

private:
  std::int64_t size(const nlohmann::json &value, const std::string &key) const;
  const nlohmann::json *at(const std::string &path) const;
  const nlohmann::json &list(const std::string &key) const;
  [[noreturn]] void fail(const std::string &problem) const;

  std::string caseName;
  std::string place; // of case.json, for messages
  std::string dataPlace;
  nlohmann::json settings;
  TensorMap values;
};

/// Whether a number is one of 0, 1, ... below `limit`.
bool isWholeBelow(double value, double limit);

/// Reads a JSON file that must hold an object. Throws UserError.
nlohmann::json readJsonObject(const std::string &path);

} // namespace clm::golden
