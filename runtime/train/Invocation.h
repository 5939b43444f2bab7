/// \file
/// A prepared call of one function of a module. All names are looked up when it is bound to a task; a call then only
/// writes scalars, fills noise and jumps. Buffers grow to the largest batch seen and are reused.
#pragma once

#include "runtime/module/Executable.h"
#include "runtime/train/StateTable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clm::runtime {

/// Samples of a call: images [B, channels, rows, columns], labels [B] local to the task. B is the number of labels, or,
/// where a function takes none, the number of images.
struct Batch {
  std::span<const float> images;
  std::span<const std::int64_t> labels;
};

/// The scalars that change from step to step.
struct StepScalars {
  double progress = 0; // index of the batch's first sample / samples of the epoch
  double epoch = 0;    // from 0, in the current task
  double learningRate = 0;
};

/// The separate results of a call, by name. The tensors are the invocation's and change with its next call.
class Outputs {
public:
  std::size_t size() const { return tensors.size(); }
  const std::string &name(std::size_t index) const { return names[index]; }
  const clm_tensor &tensor(std::size_t index) const { return tensors[index]; }
  /// Position of a result, or -1.
  int find(std::string_view name) const;
  /// Throw InternalError when there is no result of that name.
  const clm_tensor &tensor(std::string_view name) const;
  double scalar(std::string_view name) const;
  std::vector<double> values(std::string_view name) const { return readValues(tensor(name)); }

private:
  friend class Invocation;
  std::vector<std::string> names;
  std::vector<clm_tensor> tensors;
};

/// What invocations of one session share.
struct BindingContext {
  std::uint64_t seed = 0;
  std::vector<double> settings;                    // by position in the manifest
  std::map<int, std::int64_t> views;               // entry -> task, instead of the current one
  std::map<int, std::vector<float>> recordedNoise; // stream -> values, instead of drawn ones
};

class Invocation {
public:
  Invocation(Executable &executable, const FunctionSpec &function, StateTable &table, const BindingContext &context);

  /// Looks up everything at a task. `generation` tells the caller whether this is still up to date.
  void bind(std::int64_t task, std::uint64_t generation);
  std::uint64_t boundGeneration() const { return generation; }

  /// Calls the function. `step` counts the noise. Throws UserError when the images do not have the input's size.
  const Outputs &call(const Batch &batch, const StepScalars &scalars, std::uint64_t step);

  const FunctionSpec &function() const { return spec; }

private:
  enum class ScalarSource { Setting, Progress, Epoch, LearningRate };
  struct ScalarSlot {
    std::size_t argument = 0;
    ScalarSource source = ScalarSource::Setting;
    std::size_t setting = 0;
    alignas(8) std::array<std::byte, 8> memory{}; // the value in the argument's element type
  };
  struct BufferSlot {
    std::size_t index = 0; // of the argument
    AlignedBuffer memory;
  };
  struct NoiseSlot : BufferSlot {
    int stream = -1;
    std::uint64_t key = 0;
    std::vector<float> drawn; // where the executable wants double
  };
  struct OutputSlot {
    std::size_t spec = 0;   // position in `spec.results`
    std::size_t result = 0; // position among the separate results
  };

  void bindArgument(std::size_t index);
  void bindScalar(std::size_t index);
  void bindResults();
  int storedElement(int element) const;
  std::int64_t batchSize(const Batch &batch) const;
  void place(clm_tensor &tensor, const TensorSpec &type, std::int64_t samples, AlignedBuffer &memory) const;
  void fillInput(const Batch &batch, std::int64_t samples);
  void fillScalars(const StepScalars &scalars);
  void fillNoise(std::int64_t samples, std::uint64_t step);

  Executable &executable;
  const FunctionSpec &spec;
  StateTable &table;
  const BindingContext &context;
  std::uint64_t generation = 0;
  std::int64_t task = 0;
  std::int64_t classes = 0;
  std::int64_t inputElements = 1; // of one sample

  std::vector<clm_tensor> arguments;
  std::vector<clm_tensor> results;
  std::vector<ScalarSlot> scalars;
  std::vector<BufferSlot> inputs;
  std::vector<std::size_t> labels;
  std::vector<NoiseSlot> noise;
  std::vector<OutputSlot> outputSpecs;
  std::vector<AlignedBuffer> outputBuffers;
  Outputs outputs;
};

} // namespace clm::runtime
