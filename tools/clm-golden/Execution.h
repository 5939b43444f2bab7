/// \file
/// The three ways to run a spec: just-in-time code, a shared object written by clmc, and the reference executor.
#pragma once

#include "runtime/module/Executable.h"

#include <memory>
#include <string>
#include <vector>

namespace clm::golden {

/// `jit`, `so`, `reference`.
const std::vector<std::string> &executors();

/// Compiles. Throws UserError with the diagnostics when the spec has errors.
std::unique_ptr<runtime::Executable> makeExecutable(runtime::CompileRequest request, const std::string &executor);

} // namespace clm::golden
