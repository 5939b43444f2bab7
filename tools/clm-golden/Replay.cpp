/// \file
/// Between the names of a case and the session: what is loaded and what is recorded. The calls are in ReplayCalls.cpp.

#include "Replay.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::golden {

using runtime::UserError;

namespace {

constexpr double kMostClasses = 1 << 24;

} // namespace

Replay::Replay(const Case &golden, const Mapping &mapping, runtime::Executable &executable)
    : golden(golden), mapping(mapping), session(executable, {}) {
  session.initialize();
  for (std::int64_t classes : golden.classes(mapping.classesKey))
    session.arriveTask(classes);
  if (loadParameters("init.") == 0)
    throw UserError(fmt::format("{}: there are no tensors `init.*` that are parameters of the mapping", golden.name()));
}

void Replay::put(const std::string &name, Tensor value) {
  // The case may write a vector as a matrix of one row.
  if (auto found = golden.tensors().find(name);
      found != golden.tensors().end() && found->second.values.size() == value.values.size())
    value.shape = found->second.shape;
  results.insert_or_assign(name, std::move(value));
}

const Tensor &Replay::input(const std::string &name) {
  const Tensor &tensor = golden.tensor(name);
  inputNames.insert(name);
  put(name, tensor);
  return tensor;
}

Samples Replay::samples(const std::string &images, const std::string &labels) {
  const Tensor &x = input(images), &y = input(labels);
  if (x.shape.empty() || y.shape.size() != 1 || x.shape[0] != y.shape[0])
    throw UserError(fmt::format("{}: `{}` and `{}` hold different numbers of samples", golden.name(), images, labels));
  for (double label : y.values)
    if (!isWholeBelow(label, kMostClasses))
      throw UserError(fmt::format("{}: `{}` holds {}, which is no label", golden.name(), labels, label));
  Samples result;
  result.images.assign(x.values.begin(), x.values.end());
  result.labels.assign(y.values.begin(), y.values.end());
  return result;
}

Replay::Place Replay::placeOf(const std::string &entry) const {
  for (const runtime::EntrySpec &spec : session.manifest().entries)
    if (spec.path == entry)
      return {entry, spec.perTask, std::nullopt};
  throw UserError(fmt::format("{}: the spec has no entry `{}`", mapping.place, entry));
}

std::optional<Replay::Place> Replay::findParameter(const std::string &name) const {
  for (const auto &[pattern, entry] : mapping.parameters) {
    std::optional<std::map<std::string, std::string>> holes = matchTemplate(pattern, name);
    if (!holes)
      continue;
    Place place = placeOf(entry);
    if (holes->count("t")) {
      // A task number that does not fit an integer belongs to no task.
      const std::string &digits = (*holes)["t"];
      std::int64_t task = digits.size() < 10 ? std::stoll(digits) : session.tasks();
      if (task >= session.tasks())
        throw UserError(fmt::format("{}: `{}` belongs to a task that the case does not have", golden.name(), name));
      place.task = task;
    }
    return place;
  }
  return std::nullopt;
}

Shape Replay::partShape(const Place &place, std::int64_t task) const {
  for (const runtime::EntrySpec &spec : session.manifest().entries)
    if (spec.path == place.entry) {
      Shape shape = spec.type.shape;
      std::replace(shape.begin(), shape.end(), runtime::kClasses, session.classes(task));
      return shape;
    }
  throw UserError(fmt::format("{}: the spec has no entry `{}`", mapping.place, place.entry));
}

void Replay::load(const std::string &name, const Place &place) {
  const Tensor &tensor = golden.tensor(name);
  bool stacked = place.perTask && !place.task;
  std::size_t parts = stacked ? static_cast<std::size_t>(session.tasks()) : 1;
  std::size_t needed = parts * runtime::reference::elementCount(partShape(place, place.task.value_or(0)));
  if (tensor.values.size() != needed)
    throw UserError(fmt::format("{}: `{}` holds {} numbers where the entry `{}` has {}", golden.name(), name,
                                tensor.values.size(), place.entry, needed));
  std::size_t length = needed / parts;
  for (std::size_t part = 0; part < parts; ++part)
    session.write(place.entry, std::span(tensor.values).subspan(part * length, length),
                  stacked ? static_cast<std::int64_t>(part) : place.task.value_or(0));
  put(name, readBack(place, tensor));
}

int Replay::loadParameters(const std::string &prefix) {
  int loaded = 0;
  for (const auto &[name, tensor] : golden.tensors())
    if (name.starts_with(prefix))
      if (std::optional<Place> place = findParameter(name.substr(prefix.size()))) {
        load(name, *place);
        ++loaded;
      }
  return loaded;
}

int Replay::loadState(const std::string &prefix) {
  int loaded = 0;
  for (const auto &[name, entry] : mapping.state)
    if (golden.has(prefix + name)) {
      load(prefix + name, placeOf(entry));
      ++loaded;
    }
  return loaded;
}

void Replay::loadNoise(const std::string &prefix) {
  for (const auto &[name, stream] : mapping.noise) {
    if (!golden.has(prefix + name))
      continue;
    // The spec keeps an element when a uniform number reaches the rate: 0 never does (unless the rate is 0 and all are
    // kept), a number just below 1 always.
    std::vector<float> uniform;
    for (double keep : input(prefix + name).values)
      uniform.push_back(keep != 0 ? 0x1.fffffep-1F : 0.0F);
    session.setNoise(stream, std::move(uniform));
  }
}

Tensor Replay::readBack(const Place &place, const Tensor &like) const {
  if (!place.perTask)
    return {partShape(place, 0), session.read(place.entry)};
  std::int64_t task = place.task.value_or(session.currentTask());
  return spreadOverTasks(place, {partShape(place, task), session.read(place.entry, task)}, true, like);
}

/// From the part of one task to what the case records: that part alone, or the parts of all tasks.
Tensor Replay::spreadOverTasks(const Place &place, Tensor own, bool othersFromState, const Tensor &like) const {
  if (!place.perTask)
    return own;
  if (place.task) {
    if (*place.task == session.currentTask())
      return own;
    Shape shape = partShape(place, *place.task);
    return othersFromState ? Tensor(shape, session.read(place.entry, *place.task)) : Tensor(shape);
  }
  if (like.values.size() == own.values.size())
    return own;
  Shape shape = own.shape;
  shape.insert(shape.begin(), session.tasks());
  std::vector<double> all;
  for (std::int64_t task = 0; task < session.tasks(); ++task) {
    std::vector<double> part = own.values;
    if (task != session.currentTask())
      part = othersFromState ? session.read(place.entry, task) : std::vector<double>(part.size(), 0);
    all.insert(all.end(), part.begin(), part.end());
  }
  return {std::move(shape), std::move(all)};
}

Tensor Replay::observed(const Source &source, const std::string &name, const Observation &observation,
                        const std::optional<Place> &place) const {
  Tensor value;
  if (auto found = observation.find(name); found != observation.end())
    value = found->second;
  else if (source.absent)
    value = Tensor({}, *source.absent);
  else
    throw UserError(
        fmt::format("{}: the replay has no value `{}`, which {} asks for", golden.name(), name, mapping.place));
  if (!place)
    return value;
  Shape shape = partShape(*place, place->task.value_or(session.currentTask()));
  return runtime::reference::broadcastTo(value, shape);
}

Tensor Replay::valueOf(const Source &source, std::map<std::string, std::string> holes, const Tensor &like,
                       const Observation &observation) const {
  std::optional<Place> place;
  if (holes.count("p")) {
    place = findParameter(holes["p"]);
    holes["entry"] = place->entry;
  }
  std::string name = fillTemplate(source.name, holes);
  Tensor value;
  if (constexpr std::string_view state = "state:"; name.starts_with(state))
    value = readBack(place ? *place : placeOf(name.substr(state.size())), like);
  else if (place && place->task.value_or(session.currentTask()) != session.currentTask())
    value = spreadOverTasks(*place, Tensor(), source.othersFromState, like);
  else if (value = observed(source, name, observation, place); place)
    value = spreadOverTasks(*place, std::move(value), source.othersFromState, like);
  if (!source.divideBy.empty())
    for (double &element : value.values)
      element /= session.setting(source.divideBy);
  return value;
}

void Replay::record(const std::string &prefix, const std::string &event, const Observation &observation) {
  for (auto entry = golden.tensors().lower_bound(prefix);
       entry != golden.tensors().end() && entry->first.starts_with(prefix); ++entry)
    for (const ResultRule &rule : mapping.resultsOf(event)) {
      std::optional<std::map<std::string, std::string>> holes =
          matchTemplate(rule.name, entry->first.substr(prefix.size()));
      if (!holes || (holes->count("p") && !findParameter((*holes)["p"])))
        continue;
      put(entry->first, valueOf(rule.source, *holes, entry->second, observation));
      break;
    }
}

void Replay::recordParameters(const std::string &prefix) {
  for (const auto &[name, tensor] : golden.tensors())
    if (name.starts_with(prefix))
      if (std::optional<Place> place = findParameter(name.substr(prefix.size())))
        put(name, readBack(*place, tensor));
}

} // namespace clm::golden
