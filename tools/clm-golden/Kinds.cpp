/// \file
/// The list of kinds.

#include "Kinds.h"

namespace clm::golden {

const std::map<std::string, Kind> &kinds() {
  static const std::map<std::string, Kind> all = {
      {"forward", replayForward}, {"step", replayStep}, {"trajectory", replayTrajectory}, {"loop", replayLoop}};
  return all;
}

} // namespace clm::golden
