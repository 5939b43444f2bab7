#include "runtime/train/Invocation.h"

#include "runtime/module/UserError.h"
#include "runtime/random/Philox.h"

#include <algorithm>
#include <cstring>

namespace clm::runtime {

int Outputs::find(std::string_view name) const {
  auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

const clm_tensor &Outputs::tensor(std::string_view name) const {
  int index = find(name);
  if (index < 0)
    throw InternalError("the module has no result `" + std::string(name) + "`");
  return tensors[static_cast<std::size_t>(index)];
}

double Outputs::scalar(std::string_view name) const {
  const clm_tensor &value = tensor(name);
  if (value.element == CLM_FLOAT32)
    return *static_cast<const float *>(value.data);
  if (value.element == CLM_FLOAT64)
    return *static_cast<const double *>(value.data);
  return readValues(value).at(0);
}

Invocation::Invocation(Executable &executable, const FunctionSpec &function, StateTable &table,
                       const BindingContext &context)
    : executable(executable), spec(function), table(table), context(context) {}

/// Element type in which the executable keeps what the manifest calls `element`.
int Invocation::storedElement(int element) const { return element == CLM_FLOAT32 ? executable.realElement() : element; }

void Invocation::bind(std::int64_t atTask, std::uint64_t atGeneration) {
  task = atTask;
  generation = atGeneration;
  classes = task >= 0 ? table.classes(task) : 0;
  arguments.assign(spec.arguments.size(), clm_tensor{});
  scalars.clear();
  inputs.clear();
  labels.clear();
  noise.clear();
  bool classesSeen = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bindArgument(i);
    const ArgumentSpec &argument = spec.arguments[i];
    const std::vector<std::int64_t> &shape = argument.type.shape;
    if (argument.kind != ArgumentKind::Entry || shape.empty() || shape.front() != kClasses)
      continue;
    if (classesSeen && classes != arguments[i].sizes[0])
      throw UserError("function `" + spec.name + "` is called with entries of tasks with different numbers of classes");
    classes = arguments[i].sizes[0];
    classesSeen = true;
  }
  for (ScalarSlot &slot : scalars) // the slots no longer move
    arguments[slot.argument].data = slot.memory.data();
  bindResults();
}

void Invocation::bindArgument(std::size_t index) {
  const ArgumentSpec &argument = spec.arguments[index];
  clm_tensor &tensor = arguments[index];
  tensor.element = storedElement(argument.type.element);
  tensor.rank = static_cast<std::int32_t>(argument.type.shape.size());
  switch (argument.kind) {
  case ArgumentKind::Entry: {
    auto other = context.views.find(argument.index);
    tensor = table.view(argument.index, other == context.views.end() ? task : other->second);
    return;
  }
  case ArgumentKind::Input:
    inputElements = 1;
    for (std::int64_t size : argument.type.shape)
      inputElements *= size == kBatch ? 1 : size;
    inputs.emplace_back().index = index;
    return;
  case ArgumentKind::Label:
    labels.push_back(index);
    return;
  case ArgumentKind::Scalar:
    bindScalar(index);
    return;
  case ArgumentKind::Noise:
    NoiseSlot &slot = noise.emplace_back();
    slot.index = index;
    slot.stream = argument.index;
    slot.key = noiseKey(context.seed, table.manifest().noise[static_cast<std::size_t>(argument.index)].path);
    return;
  }
}

void Invocation::bindScalar(std::size_t index) {
  const std::string &name = spec.arguments[index].scalar;
  const std::vector<SettingSpec> &settings = table.manifest().settings;
  ScalarSlot &slot = scalars.emplace_back();
  slot.argument = index;
  if (name == "progress")
    slot.source = ScalarSource::Progress;
  else if (name == "epoch")
    slot.source = ScalarSource::Epoch;
  else if (name == "learning_rate")
    slot.source = ScalarSource::LearningRate;
  else if (auto found = std::ranges::find(settings, name, &SettingSpec::name); found != settings.end())
    slot.setting = static_cast<std::size_t>(found - settings.begin());
  else
    throw InternalError("function `" + spec.name + "` takes the unknown scalar `" + name + "`");
}

void Invocation::bindResults() {
  results.clear();
  outputSpecs.clear();
  outputs.names.clear();
  for (std::size_t i = 0; i < spec.results.size(); ++i) {
    const ResultSpec &result = spec.results[i];
    if (result.argument >= 0)
      continue;
    clm_tensor tensor{};
    if (result.entry >= 0) {
      tensor = table.view(result.entry, task);
    } else {
      tensor.element = storedElement(result.type.element);
      tensor.rank = static_cast<std::int32_t>(result.type.shape.size());
      outputs.names.push_back(result.name);
      outputSpecs.push_back({i, results.size()});
    }
    results.push_back(tensor);
  }
  outputBuffers.resize(outputSpecs.size());
  outputs.tensors.assign(outputSpecs.size(), clm_tensor{});
}

/// Gives a tensor of the call its sizes and, in `memory`, its place.
void Invocation::place(clm_tensor &tensor, const TensorSpec &type, std::int64_t samples, AlignedBuffer &memory) const {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    std::int64_t size = type.shape[i];
    tensor.sizes[i] = size == kBatch ? samples : size == kClasses ? classes : size;
    count *= tensor.sizes[i];
  }
  memory.reserveScratch(static_cast<std::size_t>(count) * elementBytes(tensor.element));
  tensor.data = memory.data();
}

std::int64_t Invocation::batchSize(const Batch &batch) const {
  auto images = static_cast<std::int64_t>(batch.images.size());
  if (!labels.empty() || inputs.empty() || inputElements == 0) {
    auto samples = static_cast<std::int64_t>(batch.labels.size());
    if (!inputs.empty() && images != samples * inputElements)
      throw UserError(std::to_string(samples) + " labels and " + std::to_string(images) +
                      " values of images do not belong together: an image of this model has " +
                      std::to_string(inputElements) + " values");
    return samples;
  }
  if (images % inputElements != 0)
    throw UserError(std::to_string(images) + " values are no whole number of images: an image of this model has " +
                    std::to_string(inputElements) + " values");
  return images / inputElements;
}

void Invocation::fillInput(const Batch &batch, std::int64_t samples) {
  for (BufferSlot &slot : inputs) {
    clm_tensor &tensor = arguments[slot.index];
    place(tensor, spec.arguments[slot.index].type, samples, slot.memory);
    if (tensor.element == CLM_FLOAT32)
      std::ranges::copy(batch.images, static_cast<float *>(tensor.data));
    else
      std::ranges::copy(batch.images, static_cast<double *>(tensor.data));
  }
  for (std::size_t index : labels) {
    arguments[index].data = const_cast<std::int64_t *>(batch.labels.data()); // functions only read them
    arguments[index].sizes[0] = samples;
  }
}

void Invocation::fillScalars(const StepScalars &values) {
  for (ScalarSlot &slot : scalars) {
    double value = 0;
    switch (slot.source) {
    case ScalarSource::Setting:
      value = context.settings[slot.setting];
      break;
    case ScalarSource::Progress:
      value = values.progress;
      break;
    case ScalarSource::Epoch:
      value = values.epoch;
      break;
    case ScalarSource::LearningRate:
      value = values.learningRate;
      break;
    }
    writeValues(arguments[slot.argument], std::span(&value, 1));
  }
}

void Invocation::fillNoise(std::int64_t samples, std::uint64_t step) {
  for (NoiseSlot &slot : noise) {
    clm_tensor &tensor = arguments[slot.index];
    place(tensor, spec.arguments[slot.index].type, samples, slot.memory);
    auto count = static_cast<std::size_t>(elementCount(tensor));
    const NoiseSpec &stream = table.manifest().noise[static_cast<std::size_t>(slot.stream)];
    auto recorded = context.recordedNoise.find(slot.stream);
    bool isRecorded = recorded != context.recordedNoise.end();
    if (isRecorded && recorded->second.size() != count)
      throw UserError("noise `" + stream.path + "` has " + std::to_string(count) + " values in this call, and " +
                      std::to_string(recorded->second.size()) + " were given");
    // Drawn in single precision for every executable, so that all see the same numbers.
    bool direct = tensor.element == CLM_FLOAT32;
    if (!direct)
      slot.drawn.resize(count);
    std::span<float> drawn = direct ? std::span(static_cast<float *>(tensor.data), count) : std::span(slot.drawn);
    NoisePlace place{slot.key, static_cast<std::uint32_t>(std::max<std::int64_t>(task, 0)),
                     static_cast<std::uint32_t>(step)};
    if (isRecorded)
      std::ranges::copy(recorded->second, drawn.begin());
    else if (stream.normal)
      fillNormal(drawn, place);
    else
      fillUniform(drawn, place);
    if (!direct)
      std::ranges::copy(drawn, static_cast<double *>(tensor.data));
  }
}

const Outputs &Invocation::call(const Batch &batch, const StepScalars &values, std::uint64_t step) {
  std::int64_t samples = batchSize(batch);
  fillInput(batch, samples);
  fillScalars(values);
  fillNoise(samples, step);
  for (std::size_t i = 0; i < outputSpecs.size(); ++i) {
    clm_tensor &tensor = results[outputSpecs[i].result];
    place(tensor, spec.results[outputSpecs[i].spec].type, samples, outputBuffers[i]);
    outputs.tensors[i] = tensor;
  }
  executable.call(spec, arguments, results);
  return outputs;
}

} // namespace clm::runtime
