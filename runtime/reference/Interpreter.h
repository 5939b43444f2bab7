/// \file
/// Executes a function of a program op by op, in the order written: no passes, nothing fused, nothing reused.
#pragma once

#include "runtime/reference/Program.h"
#include "runtime/reference/Tensor.h"

#include <span>
#include <vector>

namespace clm::runtime::reference {

/// The results of `function` for these arguments. `program` holds what `apply` calls. Throws InternalError for a
/// program that is not well-formed (unknown operation, shapes that do not fit): a bug of its maker, not of a user.
std::vector<Tensor> execute(const Program &program, const Function &function, std::vector<Tensor> arguments);

} // namespace clm::runtime::reference
