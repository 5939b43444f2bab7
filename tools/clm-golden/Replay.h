/// \file
/// One case being replayed: a session on the compiled spec, and what it computed under the case's tensor names. The
/// kinds of cases (Kinds.h) drive it; the mapping says which value goes by which name.
#pragma once

#include "Case.h"
#include "Mapping.h"

#include "runtime/module/Executable.h"
#include "runtime/train/Session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clm::golden {

/// Images and labels of one call.
struct Samples {
  std::vector<float> images;
  std::vector<std::int64_t> labels;

  runtime::Batch batch() const { return {images, labels}; }
  std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Named values of one event: a step, an evaluation, the end of a task.
using Observation = TensorMap;

class Replay {
public:
  /// A session in which all tasks of the case have arrived and the parameters are those named `init.*`.
  Replay(const Case &golden, const Mapping &mapping, runtime::Executable &executable);

  const Case golden;
  const Mapping mapping;
  runtime::Session session;

  /// What was computed, and the inputs as they were used.
  const TensorMap &computed() const { return results; }
  /// Names of the case that are inputs: not compared.
  const std::set<std::string> &inputs() const { return inputNames; }

  std::int64_t tasks() const { return session.tasks(); }

  // --- Inputs --------------------------------------------------------------------------------------------------------

  Samples samples(const std::string &images, const std::string &labels);
  /// A tensor that the kind itself reads, such as the order of samples.
  const Tensor &input(const std::string &name);
  /// Writes the parameters (or the state) named `prefix` + a recorded name into the table and records what the table
  /// then holds. Returns how many there were.
  int loadParameters(const std::string &prefix);
  int loadState(const std::string &prefix);
  /// Uses recorded noise named `prefix` + a recorded name, until `session.clearNoise()`.
  void loadNoise(const std::string &prefix);

  // --- Calls of the current task -------------------------------------------------------------------------------------

  /// A training step. The logits of its task and of every other head that the case has under `prefix` are `logits.{h}`.
  Observation step(const Samples &samples, const runtime::StepScalars &scalars, const std::string &prefix);
  /// Values of a step that is taken back: factors of gradient rules, gates.
  Observation probe(const Samples &samples, double progress = 0);
  /// `logits.{h}`, `loss.{h}`, `accuracy.{h}` in evaluation mode, h the current task.
  Observation evaluate(const Samples &samples);
  /// `logits.{h}` of every head in evaluation mode. Other values are those of a step at the end of an epoch, where
  /// schedules have arrived at what evaluation uses.
  Observation predict(const Samples &samples);

  // --- Results -------------------------------------------------------------------------------------------------------

  /// Records every tensor of the case that is named `prefix` + a name in the mapping's results of `event`.
  void record(const std::string &prefix, const std::string &event, const Observation &observation);
  /// Records every tensor of the case that is named `prefix` + the name of a parameter, from the table.
  void recordParameters(const std::string &prefix);

private:
  /// A tensor of the case that belongs to an entry: all of it, one task's part, or a row for each task.
  struct Place {
    std::string entry;
    bool perTask = false;
    std::optional<std::int64_t> task; // of a name with `{t}`
  };

  std::optional<Place> findParameter(const std::string &name) const;
  Place placeOf(const std::string &entry) const;
  Shape partShape(const Place &place, std::int64_t task) const;
  void load(const std::string &name, const Place &place);
  Tensor readBack(const Place &place, const Tensor &like) const;
  Tensor valueOf(const Source &source, std::map<std::string, std::string> holes, const Tensor &like,
                 const Observation &observation) const;
  Tensor observed(const Source &source, const std::string &name, const Observation &observation,
                  const std::optional<Place> &place) const;
  Tensor spreadOverTasks(const Place &place, Tensor own, bool othersFromState, const Tensor &like) const;
  std::set<std::int64_t> wantedHeads(const std::string &prefix) const;
  void viewHead(std::int64_t head);
  Tensor logitsOfHead(const Samples &samples, const runtime::StepScalars &scalars, std::int64_t head);
  void put(const std::string &name, Tensor value);

  TensorMap results;
  std::set<std::string> inputNames;
};

} // namespace clm::golden
