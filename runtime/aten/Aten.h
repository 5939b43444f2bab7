/// \file
/// What the rest of the runtime may ask libtorch, besides the operations of the C interface.
#pragma once

#include <string>

namespace clm::runtime {

/// Number of threads that libtorch's operations may use, at least 1; it is 1 until somebody calls this.
void setThreads(int count);

/// Sets libtorch's threads for a matrix product of `multiplications` scalar products: one for small ones, whatever was
/// allowed for others. Depends on the sizes alone, so that equal runs stay equal.
void chooseThreads(double multiplications);

/// Version of the libtorch headers this was built against, such as `2.11.0`.
std::string torchVersion();

} // namespace clm::runtime
