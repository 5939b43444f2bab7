/// \file
/// Which spec a recorded case is replayed with, and which of its tensors are which entries, noise streams and
/// intermediate values of that spec. All knowledge about a method is in a mapping file (tests/golden/mappings); there
/// is none in code.
#pragma once

#include "Case.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clm::golden {

/// Where a result comes from: a named value of the event (`gradient.raw.{entry}`, `logits.{h}`), or, as `state:PATH`,
/// an entry of the state table after it.
struct Source {
  std::string name;
  /// For a per-task entry of which the event has only the current task's part: the other tasks' parts are those in the
  /// table instead of zero.
  bool othersFromState = false;
  /// A setting to divide by.
  std::string divideBy;
  /// Value everywhere when the event does not have `name`.
  std::optional<double> absent;
};

/// A result: its name in the case after the event's prefix. `{p}` stands for a parameter, `{h}` for a number.
struct ResultRule {
  std::string name;
  Source source;
};

/// Settings and exceptions for cases that fulfil a condition: the largest of the tensors `scale` times the largest of
/// the tensors `values` exceeds `above`.
struct Variant {
  std::vector<std::string> scale, values; // patterns with `*`
  double above = 0;
  std::vector<std::pair<std::string, std::string>> settings;
  std::map<std::string, std::vector<std::string>> notCompared; // executor -> patterns with `*`

  bool appliesTo(const Case &golden) const;
};

/// Compares only some elements of tensors that are not compared as a whole: those at whose place the product of
/// `factors` is below `below` or above `above`. The names in `factors` and `row` may use groups (`$1`) of the
/// expression `tensors`.
struct PartialRule {
  std::string tensors;
  std::string label; // for the report: `where s e < 7`
  std::vector<std::string> factors;
  std::string row; // row of a factor that is a matrix while the tensor is a vector
  std::optional<double> below, above;
  double tolerance = 0;
  std::set<std::string> executors; // empty: all
};

struct Mapping {
  /// Reads and checks a mapping file. Throws UserError.
  static Mapping load(const std::string &path);

  /// The mapping in `folder` whose method and network are those of the case. Throws UserError when there is none.
  static Mapping choose(const std::string &folder, const Case &golden);

  /// The kind of the case: the first rule that fits. Throws UserError when none does.
  std::string kindOf(const Case &golden) const;

  /// Results of an event; empty when the mapping has none for it.
  const std::vector<ResultRule> &resultsOf(const std::string &event) const;

  struct KindRule {
    std::string kind;
    std::string key, tensor; // the case must have this key, this tensor; empty: anything
  };

  std::string place; // the file, for messages
  std::string method, net;
  std::string spec; // path
  std::string inputKey, classesKey;
  std::vector<KindRule> kinds;
  std::vector<std::pair<std::string, NumberSource>> settings;
  std::map<std::string, NumberSource> plan; // parts of the training plan
  NumberSource learningRate;
  std::string sweptSetting, sweptValues; // kind `forward`: a setting and the key of its values

  /// Recorded names and paths of entries or streams. A parameter's name may hold `{t}`: one tensor for each task.
  std::vector<std::pair<std::string, std::string>> parameters, state, noise;
  std::map<std::string, std::vector<ResultRule>> results;
  std::vector<std::pair<std::string, std::string>> foldings;
  std::vector<Variant> variants;
  std::vector<PartialRule> partial;
};

/// `name` against a pattern in which `{p}`, at its end, stands for any text and other letters in braces for a number.
/// Returns what they stand for, or nothing.
std::optional<std::map<std::string, std::string>> matchTemplate(const std::string &pattern, const std::string &name);

/// The pattern with `{letter}` replaced.
std::string fillTemplate(std::string pattern, const std::map<std::string, std::string> &values);

/// A name against a pattern in which `*` stands for any text.
bool matchesGlob(const std::string &pattern, const std::string &name);

} // namespace clm::golden
