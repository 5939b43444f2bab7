/// \file
/// Counts what a test program allocates with `new`, in all its libraries.
#pragma once

#include <cstddef>

namespace clm::testing {

/// Calls of `operator new` since the program began.
std::size_t allocationCount();

} // namespace clm::testing
