/// \file
/// Checks a finished model: every node by the type rule of its operation, every index, every result. What it finds is
/// an error of sema, not of the user.
#pragma once

#include "sema/Model.h"

namespace clm::sema {

/// The first violation, with the function and the node it is in, or an empty text.
std::string verify(const Model &model);

} // namespace clm::sema
