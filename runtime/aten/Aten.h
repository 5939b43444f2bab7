/// \file
/// What the rest of the runtime may ask libtorch, besides the operations of the C interface.
#pragma once

#include <string>

namespace clm::runtime {

/// Number of threads of libtorch's operations, at least 1. Call it before the first operation.
void setThreads(int count);

/// Version of the libtorch headers this was built against, such as `2.11.0`.
std::string torchVersion();

} // namespace clm::runtime
