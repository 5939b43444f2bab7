/// \file
/// Where a dynamic dimension of a `ten` value comes from.
#pragma once

#include "ten/Ten.h"

namespace clm::ten {

/// A dimension of a block argument.
struct DimensionSource {
  mlir::BlockArgument argument;
  int64_t dim;
};

/// Follows a dynamic dimension of `value` through pure ops (and the kernels they launch) to the function argument that
/// has it.
DimensionSource dimensionSource(mlir::Value value, int64_t dim);

} // namespace clm::ten
