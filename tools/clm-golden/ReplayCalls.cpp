/// \file
/// The calls of a replay: steps, trial steps that are taken back, evaluations and predictions under several heads.

#include "Replay.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::golden {

namespace {

void copyInto(Observation &observation, const runtime::Outputs &outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const clm_tensor &tensor = outputs.tensor(i);
    observation.insert_or_assign(outputs.name(i),
                                 Tensor(Shape(tensor.sizes, tensor.sizes + tensor.rank), runtime::readValues(tensor)));
  }
}

/// Takes back on destruction what steps have changed in a session.
class Trial {
public:
  explicit Trial(runtime::Session &session) : session(session), steps(session.stepCount()) {
    session.table().save(before);
  }
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  ~Trial() {
    session.table().restore(before);
    session.setStepCount(steps);
  }

private:
  runtime::Session &session;
  runtime::StateTable::Snapshot before;
  std::uint64_t steps;
};

/// Share of the rows whose largest number is at the row's label.
double accuracyOf(const Tensor &logits, const std::vector<std::int64_t> &labels) {
  std::size_t classes = static_cast<std::size_t>(logits.shape.at(1)), right = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    auto first = logits.values.begin() + static_cast<std::ptrdiff_t>(row * classes);
    right += std::max_element(first, first + static_cast<std::ptrdiff_t>(classes)) - first == labels[row];
  }
  return static_cast<double>(right) / static_cast<double>(labels.size());
}

std::string numbered(const char *name, std::int64_t number) { return fmt::format("{}.{}", name, number); }

} // namespace

/// Heads are the parameters of which the case has one tensor for each task.
void Replay::viewHead(std::int64_t head) {
  for (const auto &[pattern, entry] : mapping.parameters)
    if (pattern.find("{t}") != std::string::npos)
      session.setView(entry, head);
}

std::set<std::int64_t> Replay::wantedHeads(const std::string &prefix) const {
  std::set<std::int64_t> heads;
  for (const ResultRule &rule : mapping.resultsOf("step"))
    if (rule.source.name == "logits.{h}")
      for (std::int64_t head = 0; head < session.tasks(); ++head)
        if (golden.has(prefix + fillTemplate(rule.name, {{"h", std::to_string(head)}})))
          heads.insert(head);
  return heads;
}

Tensor Replay::logitsOfHead(const Samples &samples, const runtime::StepScalars &scalars, std::int64_t head) {
  // Another head may have fewer classes than the labels reach.
  Samples unlabelled{samples.images, std::vector<std::int64_t>(samples.labels.size(), 0)};
  Trial trial(session);
  viewHead(head);
  Observation observation;
  copyInto(observation, session.step(unlabelled.batch(), scalars));
  session.clearViews();
  return observation.at("logits");
}

Observation Replay::step(const Samples &samples, const runtime::StepScalars &scalars, const std::string &prefix) {
  Observation observation;
  for (std::int64_t head : wantedHeads(prefix))
    if (head != session.currentTask())
      observation[numbered("logits", head)] = logitsOfHead(samples, scalars, head);
  copyInto(observation, session.step(samples.batch(), scalars));
  observation[numbered("logits", session.currentTask())] = observation.at("logits");
  return observation;
}

Observation Replay::probe(const Samples &samples, double progress) {
  Samples unlabelled{samples.images, std::vector<std::int64_t>(samples.labels.size(), 0)};
  Trial trial(session);
  Observation observation;
  copyInto(observation, session.step(unlabelled.batch(), {.progress = progress}));
  return observation;
}

Observation Replay::evaluate(const Samples &samples) {
  std::int64_t task = session.currentTask();
  Observation observation;
  copyInto(observation, session.evaluate(samples.batch()));
  Tensor logits = observation.at("logits");
  observation[numbered("accuracy", task)] = Tensor({}, accuracyOf(logits, samples.labels));
  observation[numbered("loss", task)] = observation.at("loss");
  observation[numbered("logits", task)] = std::move(logits);
  return observation;
}

Observation Replay::predict(const Samples &samples) {
  Observation observation = probe(samples, 1);
  for (std::int64_t head = 0; head < session.tasks(); ++head) {
    viewHead(head);
    copyInto(observation, session.predict(samples.images));
    observation[numbered("logits", head)] = observation.at("logits");
  }
  session.clearViews();
  return observation;
}

} // namespace clm::golden
