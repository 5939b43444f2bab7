/// \file
/// The command line of clmrun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clm::tools {

enum class Execution { MachineCode, Reference };

struct RunOptions {
  std::string model; // a `.clm` file or a compiled module
  std::string data, dataFolder;
  std::optional<std::int64_t> tasks, epochs, batch;
  std::optional<double> learningRate;
  std::uint64_t seed = 0;
  std::string order;
  int threads = 1;
  std::vector<std::pair<std::string, std::string>> settings; // --set, in the order given
  Execution execution = Execution::MachineCode;
  std::string outputFolder;
  bool quiet = false;

  bool isSource() const { return model.ends_with(".clm"); }
};

/// Parses the command line. Prints help and version itself; then, and after an error that it has printed, there are no
/// options and `exitCode` is set.
std::optional<RunOptions> parseCommandLine(int argc, char **argv, const std::string &version, int &exitCode);

} // namespace clm::tools
