/// \file
/// What a compiled module says about itself: its state table, settings, noise, function signatures and training plan.
/// Written as JSON by the compiler, read by the runtime; the runtime knows no method, only this.
#pragma once

#include "runtime/abi/clm_runtime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clm::runtime {

/// A dimension: a fixed size (>= 0), or one of the symbols below.
inline constexpr std::int64_t kBatch = -1;   // samples of the call
inline constexpr std::int64_t kClasses = -2; // classes of the task a per-task entry is viewed at

struct TensorSpec {
  int element = CLM_FLOAT32;
  std::vector<std::int64_t> shape;
};

enum class EntryRole { Parameter, State, Optimizer, Accumulator };

/// A row of the state table. A per-task entry is stored for all tasks: stacked as [tasks, ...], or joined along its
/// first dimension when that is `kClasses`. In checkpoints it appears per task, as `tasks.3.e.h1`.
struct EntrySpec {
  std::string path;
  EntryRole role = EntryRole::Parameter;
  bool perTask = false;
  TensorSpec type; // for one task
  std::vector<std::string> axes;
};

struct NoiseSpec {
  std::string path;
  bool normal = false; // standard normal instead of uniform on [0, 1)
  TensorSpec type;
};

struct SettingSpec {
  enum class Type { Real, Integer, Boolean } type = Type::Real;
  std::string name;
  double value = 0;
  bool fixed = false; // cannot change after compilation
  std::string origin;
};

enum class ArgumentKind { Entry, Input, Label, Scalar, Noise };

struct ArgumentSpec {
  ArgumentKind kind = ArgumentKind::Entry;
  int index = -1;     // of the entry or noise stream
  std::string scalar; // a setting's name, or `progress`, `epoch`, `learning_rate`
  TensorSpec type;
};

/// A result. `argument` >= 0: written into that argument (an entry's new value). Otherwise a separate tensor: an
/// entry's first value (`init`, `arrive`; then `entry` >= 0) or a named output (`loss`, `loss.reg`, `logits`, probes).
struct ResultSpec {
  int argument = -1;
  int entry = -1;
  std::string name;
  TensorSpec type;
};

/// `init`, `arrive`, `step`, `evaluate`, `predict`, `accumulate`, `finish`; symbol `clm_<name>` in the module.
struct FunctionSpec {
  std::string name;
  std::vector<ArgumentSpec> arguments;
  std::vector<ResultSpec> results;
};

struct TrainPlan {
  std::int64_t epochs = 1;
  std::int64_t batch = 64;
  double validation = 0;
  double learningRate = 0.1;
  bool plateau = false;
  std::int64_t patience = 5;
  double factor = 3;
  double minimumRate = 1e-4;
  bool earlyStop = false;
  bool restoreBest = false;
  std::map<std::string, std::string> origins;
};

/// One pass over the training (or validation) part of the current task before `finish`.
struct DataPass {
  bool train = true;
};

struct Manifest {
  int abiVersion = CLM_ABI_VERSION;
  std::string name;
  std::string specHash;
  std::string data; // default data set
  std::vector<std::int64_t> inputShape;
  std::string scenario;
  std::int64_t tasks = 0;
  std::vector<SettingSpec> settings;
  std::vector<EntrySpec> entries;
  std::vector<NoiseSpec> noise;
  std::vector<FunctionSpec> functions;
  std::vector<DataPass> passes;
  TrainPlan train;

  /// The function of that name, or null.
  const FunctionSpec *function(std::string_view name) const;
};

/// JSON text of a manifest, and back. `parseManifest` returns nothing and fills `error` (one line) for damaged text or
/// another ABI version.
std::string printManifest(const Manifest &manifest);
std::optional<Manifest> parseManifest(std::string_view text, std::string &error);

} // namespace clm::runtime
