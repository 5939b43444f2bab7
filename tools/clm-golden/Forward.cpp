/// \file
/// Kind `forward`: predictions of every task under every head while one setting takes recorded values, and the state
/// after each task is closed.

#include "Kinds.h"

#include <fmt/format.h>

namespace clm::golden {

void replayForward(Replay &replay) {
  Samples samples = replay.samples("x", "y");
  const std::string &swept = replay.mapping.sweptSetting;
  double usual = replay.session.setting(swept);
  std::vector<double> values = replay.golden.numbers(replay.mapping.sweptValues);
  for (std::size_t i = 0; i < values.size(); ++i) {
    replay.session.setSetting(swept, values[i]);
    for (std::int64_t task = 0; task < replay.tasks(); ++task) {
      replay.session.selectTask(task);
      replay.record(fmt::format("s{}.t{}.", i, task), "forward", replay.predict(samples));
    }
  }
  replay.session.setSetting(swept, usual);
  for (std::int64_t task = 0; task < replay.tasks(); ++task) {
    replay.session.selectTask(task);
    replay.session.finishTask();
    replay.record(fmt::format("after_task{}.", task), "closed", replay.probe(samples));
  }
}

} // namespace clm::golden
