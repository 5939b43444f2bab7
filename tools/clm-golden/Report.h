/// \file
/// What clm-golden prints and writes about a replayed case.
#pragma once

#include "Comparison.h"

#include <string>

namespace clm::golden {

/// One line for each group: the largest deviation relative to the largest golden value, beside the tolerance.
std::string printComparison(const std::string &title, const Comparison &comparison);

/// A Markdown table with one line for each case.
std::string reportHeading();
std::string reportLine(const std::string &name, const std::string &kind, const std::string &executor,
                       const Comparison &comparison);

/// Writes tensors as float32. Throws UserError when the file cannot be written.
void dump(const std::string &path, const TensorMap &tensors);

} // namespace clm::golden
