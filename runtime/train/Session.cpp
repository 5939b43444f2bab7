#include "runtime/train/Session.h"

#include "runtime/module/UserError.h"

#include <algorithm>

namespace clm::runtime {

Session::Session(Executable &executable, SessionOptions options)
    : executable(executable), state(executable.manifest(), executable.realElement()) {
  context.seed = options.seed;
  for (const SettingSpec &setting : manifest().settings)
    context.settings.push_back(setting.value);
  for (const FunctionSpec &function : manifest().functions)
    invocations.push_back(std::make_unique<Invocation>(executable, function, state, context));
}

Session::~Session() = default;

Invocation *Session::prepared(std::string_view name) {
  auto found = std::ranges::find(manifest().functions, name, &FunctionSpec::name);
  if (found == manifest().functions.end())
    return nullptr;
  Invocation &invocation = *invocations[static_cast<std::size_t>(found - manifest().functions.begin())];
  if (invocation.boundGeneration() != generation)
    invocation.bind(task, generation);
  return &invocation;
}

Invocation &Session::required(std::string_view name) {
  Invocation *invocation = prepared(name);
  if (!invocation)
    throw InternalError("the module has no function `" + std::string(name) + "`");
  if (task < 0 && name != "init")
    throw InternalError("function `" + std::string(name) + "` is called before a task arrived");
  return *invocation;
}

void Session::initialize() {
  if (Invocation *init = prepared("init"))
    init->call({}, {}, 0);
}

std::int64_t Session::arriveTask(std::int64_t classes) {
  if (classes < 1)
    throw UserError("a task needs at least one class");
  context.views.clear();
  state.arrive(classes);
  task = state.tasks() - 1;
  steps = 0;
  invalidate();
  if (Invocation *arrive = prepared("arrive"))
    arrive->call({}, {}, 0);
  return task;
}

void Session::selectTask(std::int64_t selected) {
  if (selected < 0 || selected >= state.tasks())
    throw UserError("task " + std::to_string(selected) + " has not arrived; there are " +
                    std::to_string(state.tasks()));
  if (selected == task)
    return;
  task = selected;
  steps = 0;
  invalidate();
}

const Outputs &Session::step(const Batch &batch, const StepScalars &scalars) {
  const Outputs &outputs = required("step").call(batch, scalars, steps);
  ++steps;
  return outputs;
}

const Outputs &Session::evaluate(const Batch &batch, const StepScalars &scalars) {
  return required("evaluate").call(batch, scalars, 0);
}

const Outputs &Session::predict(std::span<const float> images, const StepScalars &scalars) {
  return required("predict").call({images, {}}, scalars, 0);
}

void Session::clearAccumulators() {
  const std::vector<EntrySpec> &entries = manifest().entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].role == EntryRole::Accumulator)
      state.clear(static_cast<int>(i));
  }
  passes = 0;
}

void Session::accumulate(const Batch &batch, const StepScalars &scalars) {
  if (Invocation *accumulate = prepared("accumulate"))
    accumulate->call(batch, scalars, passes++);
}

void Session::finishTask(const StepScalars &scalars) {
  if (Invocation *finish = prepared("finish"))
    finish->call({}, scalars, 0);
}

int Session::entryIndex(std::string_view path) const {
  int index = state.find(path);
  if (index < 0)
    throw UserError("the model has no entry `" + std::string(path) + "`");
  return index;
}

std::vector<double> Session::read(std::string_view path, std::int64_t ofTask) const {
  return readValues(state.view(entryIndex(path), ofTask));
}

void Session::write(std::string_view path, std::span<const double> values, std::int64_t ofTask) {
  clm_tensor tensor = state.view(entryIndex(path), ofTask);
  if (static_cast<std::int64_t>(values.size()) != elementCount(tensor))
    throw UserError("entry `" + std::string(path) + "` has " + std::to_string(elementCount(tensor)) + " values, and " +
                    std::to_string(values.size()) + " were given");
  writeValues(tensor, values);
}

/// Position of the element of `list` whose `name` member is `name`, or an error that calls it `kind`.
template <typename List, typename Member>
static std::size_t positionOf(const List &list, Member member, std::string_view name, std::string_view kind) {
  auto found = std::ranges::find(list, name, member);
  if (found == list.end())
    throw UserError("the model has no " + std::string(kind) + " `" + std::string(name) + "`");
  return static_cast<std::size_t>(found - list.begin());
}

double Session::setting(std::string_view name) const {
  return context.settings[positionOf(manifest().settings, &SettingSpec::name, name, "setting")];
}

void Session::setSetting(std::string_view name, double value) {
  std::size_t index = positionOf(manifest().settings, &SettingSpec::name, name, "setting");
  if (manifest().settings[index].fixed && value != context.settings[index])
    throw UserError("setting `" + std::string(name) + "` is fixed when the spec is compiled");
  context.settings[index] = value;
}

void Session::setNoise(std::string_view path, std::vector<float> values) {
  auto index = static_cast<int>(positionOf(manifest().noise, &NoiseSpec::path, path, "noise stream"));
  context.recordedNoise[index] = std::move(values);
}

void Session::clearNoise() { context.recordedNoise.clear(); }

void Session::setView(std::string_view path, std::int64_t ofTask) {
  int index = entryIndex(path);
  if (ofTask < 0 || ofTask >= state.tasks())
    throw UserError("task " + std::to_string(ofTask) + " has not arrived");
  context.views[index] = ofTask;
  invalidate();
}

void Session::clearViews() {
  context.views.clear();
  invalidate();
}

} // namespace clm::runtime
