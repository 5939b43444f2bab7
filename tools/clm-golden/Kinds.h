/// \file
/// The kinds of recorded cases. A kind says which calls a case is made of and under which prefixes its results stand;
/// it knows no method.
///
///   forward     `x`, `y`; predictions `s{i}.t{t}.*` of every task at each value of a setting; then every task is
///   closed:
///               `after_task{t}.*`
///   step        one training step `step.*` of the case's task, from `init.*` and `state.*`
///   trajectory  steps `task{t}.step{k}.*`; then `task{t}.final.*`, the end of the task `task{t}.after.*`, evaluations
///               `task{t}.eval.*`. Where a step has `before.*`, it starts from there
///   loop        the training loop on `xtrain`, `ytrain`, `xvalid`, `yvalid` in the order `order`: `epoch_*`,
///   `restored.*`
#pragma once

#include "Replay.h"

#include <map>
#include <string>

namespace clm::golden {

/// Drives one replay. Throws UserError when the case lacks what the kind needs.
using Kind = void (*)(Replay &replay);

void replayForward(Replay &replay);
void replayStep(Replay &replay);
void replayTrajectory(Replay &replay);
void replayLoop(Replay &replay);

/// All kinds by the names that mapping files use.
const std::map<std::string, Kind> &kinds();

} // namespace clm::golden
