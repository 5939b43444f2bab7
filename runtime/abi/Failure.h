/// \file
/// How functions that generated code calls end the process: they have no way to return an error.
#pragma once

#include <string_view>

namespace clm::runtime {

/// Exit codes of all programs of the project.
inline constexpr int kExitUserError = 1;
inline constexpr int kExitInternalError = 70;
inline constexpr int kExitInterrupted = 130;

/// Prints `clm: error: MESSAGE` and ends the process with `code`, without running destructors of a half-done call.
[[noreturn]] void failAndExit(std::string_view message, int code);

} // namespace clm::runtime
