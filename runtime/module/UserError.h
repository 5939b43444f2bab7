/// \file
/// The two exceptions of the runtime. Their texts are written here for people: one line that names the place, the cause
/// and the mend. Exceptions of libraries are turned into these where they arise and never cross the C interface.
#pragma once

#include <stdexcept>
#include <string>

namespace clm::runtime {

/// Something the user can mend: a file, an option, a damaged module. Programs print it and exit with 1.
class UserError : public std::runtime_error {
public:
  explicit UserError(const std::string &message) : std::runtime_error(message) {}
};

/// A broken promise between parts of the system. Programs print it as an internal error and exit with 70.
class InternalError : public std::logic_error {
public:
  explicit InternalError(const std::string &message) : std::logic_error(message) {}
};

} // namespace clm::runtime
