/// \file
/// Compilation for the three executors. The shared object goes the way a user's does: clmc writes it, the runtime loads
/// it.

#include "Execution.h"

#include "runtime/module/UserError.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace clm::golden {

namespace {

using runtime::UserError;

/// A new folder that is removed with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "clm-golden-XXXXXX";
    if (!mkdtemp(pattern.data()))
      throw UserError(fmt::format("{}: no temporary folder can be made there; TMPDIR can name another place",
                                  std::filesystem::temp_directory_path().string()));
    path = pattern;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::filesystem::path path;
};

/// Runs a program and waits for it. Returns its exit code, or -1 when it did not run or was killed.
int runProgram(std::vector<std::string> arguments) {
  std::vector<char *> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  int status = 0;
  if (posix_spawn(&process, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0 ||
      waitpid(process, &status, 0) != process || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

std::unique_ptr<runtime::Executable> compileToSharedObject(const runtime::CompileRequest &request) {
  std::filesystem::path compiler = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "clmc";
  TemporaryFolder folder;
  std::string module = folder.path / "module.so";
  std::vector<std::string> arguments = {compiler,   request.specPath,
                                        "-o",       module,
                                        "--probes", fmt::format("--input={}", fmt::join(request.inputShape, "x"))};
  for (const auto &[name, value] : request.overrides) {
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("{}={}", name, value));
  }
  if (int code = runProgram(arguments); code != 0)
    throw UserError(
        fmt::format("{} does not compile: {} ended with status {}", request.specPath, compiler.string(), code));
  std::string error;
  std::unique_ptr<runtime::Executable> executable = runtime::loadSharedObject(module, error);
  if (!executable)
    throw UserError(error);
  return executable;
}

} // namespace

const std::vector<std::string> &executors() {
  static const std::vector<std::string> all = {"jit", "so", "reference"};
  return all;
}

std::unique_ptr<runtime::Executable> makeExecutable(runtime::CompileRequest request, const std::string &executor) {
  if (executor == "so")
    return compileToSharedObject(request);
  request.reference = executor == "reference";
  runtime::CompileResult result = runtime::compileSpec(request);
  if (result.executable)
    return std::move(result.executable);
  while (result.diagnostics.ends_with('\n'))
    result.diagnostics.pop_back();
  if (result.internalError)
    throw runtime::InternalError(result.diagnostics);
  throw UserError(fmt::format("{} does not compile\n{}", request.specPath, result.diagnostics));
}

} // namespace clm::golden
