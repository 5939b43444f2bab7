/// \file
/// One model being trained or used: an executable, its state table and its random numbers. A session knows no files, no
/// data sets and no user; a caller gives it batches and scalars and reads results. Everything random can be replaced by
/// given tensors, and every entry can be read and written, so that a recorded run can be replayed.
///
///     Session session(*executable, {.seed = 0});
///     session.initialize();
///     session.arriveTask(2);                                  // task 0, two classes
///     const Outputs &outputs = session.step({images, labels}, {.progress = 0.5, .epoch = 3, .learningRate = 0.1});
///     double loss = outputs.scalar("loss");
///     session.finishTask();
///
/// Not thread-safe; several sessions may share no executable at the same time.
#pragma once

#include "runtime/module/Executable.h"
#include "runtime/train/Invocation.h"
#include "runtime/train/StateTable.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clm::runtime {

struct SessionOptions {
  /// Seed of all noise: initialization, dropout. Not of the order of samples or classes.
  std::uint64_t seed = 0;
};

class Session {
public:
  /// `executable` must outlive the session. Throws InternalError for a manifest that contradicts itself.
  Session(Executable &executable, SessionOptions options);
  ~Session();

  /// Gives every shared entry its first value (function `init`). Once, before the first task.
  void initialize();

  /// A new task of `classes` classes: the table grows, function `arrive` gives the task's entries their first values,
  /// and the task becomes the current one. Returns its index, from 0.
  std::int64_t arriveTask(std::int64_t classes);

  /// Makes an arrived task the current one: per-task entries are viewed at it and `step`, `evaluate`, `predict` and
  /// `finishTask` are about it. Restarts the step counter at 0 when the task changes.
  void selectTask(std::int64_t task);

  /// One training step on a batch. The outputs hold the named losses (`loss`, `loss.reg`), `logits` and, when the
  /// module was compiled with probes, intermediate values. Valid until the next call of `step`.
  const Outputs &step(const Batch &batch, const StepScalars &scalars);

  /// Losses and logits in evaluation mode; changes nothing.
  const Outputs &evaluate(const Batch &batch, const StepScalars &scalars = {});

  /// Logits in evaluation mode, without labels; changes nothing.
  const Outputs &predict(std::span<const float> images, const StepScalars &scalars = {});

  /// Passes over data before a task is closed: `clearAccumulators`, then `accumulate` for every batch in stored order.
  /// No-ops for a module without function `accumulate`.
  void clearAccumulators();
  void accumulate(const Batch &batch, const StepScalars &scalars = {});

  /// Closes the current task (function `finish`, where the method has one).
  void finishTask(const StepScalars &scalars = {});

  const Manifest &manifest() const { return executable.manifest(); }
  std::int64_t currentTask() const { return task; }
  std::int64_t tasks() const { return state.tasks(); }
  std::int64_t classes(std::int64_t ofTask) const { return state.classes(ofTask); }

  /// Values of an entry; of a per-task entry those of `ofTask`. Throws UserError for an unknown path.
  std::vector<double> read(std::string_view path, std::int64_t ofTask = 0) const;
  /// Replaces them; the number of values must fit.
  void write(std::string_view path, std::span<const double> values, std::int64_t ofTask = 0);

  /// The table itself, for snapshots and checkpoints.
  StateTable &table() { return state; }
  const StateTable &table() const { return state; }

  /// Value of a setting (`method.smax`) that the functions get. Real settings that are not fixed can change at any
  /// time.
  double setting(std::string_view name) const;
  void setSetting(std::string_view name, double value);

  /// Uses `values` for a noise stream instead of drawn numbers, from the next call on until `clearNoise`. Their number
  /// must be what the call needs. Throws UserError for an unknown path.
  void setNoise(std::string_view path, std::vector<float> values);
  void clearNoise();

  /// Views one per-task entry at another task than the current one (a gate of task 0 with the head of task 1), until
  /// `clearViews`. Where the shapes of outputs depend on a number of classes, it is that of the viewed entries.
  void setView(std::string_view path, std::int64_t ofTask);
  void clearViews();

  /// Number of steps of the current task so far; part of the counter of noise. Setting it continues a run elsewhere.
  std::uint64_t stepCount() const { return steps; }
  void setStepCount(std::uint64_t count) { steps = count; }

private:
  /// The prepared call of a function at the current task, or null when the module does not have it.
  Invocation *prepared(std::string_view name);
  Invocation &required(std::string_view name);
  int entryIndex(std::string_view path) const;
  void invalidate() { ++generation; }

  Executable &executable;
  StateTable state;
  BindingContext context;
  std::int64_t task = -1;
  std::uint64_t steps = 0;
  std::uint64_t passes = 0; // batches accumulated since the accumulators were cleared
  std::uint64_t generation = 1;
  std::vector<std::unique_ptr<Invocation>> invocations; // by position of the function in the manifest
};

} // namespace clm::runtime
