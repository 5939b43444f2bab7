/// \file
/// Names that the language itself brings: functions, distributions, schedules, and those that have no meaning yet.
#pragma once

#include "sema/Arithmetic.h"

#include <string_view>

namespace clm::sema {

struct Builtin {
  enum class Kind {
    Elementwise, // `op`, on as many operands as there are parameters
    Extremum,    // `max`, `min`: of several operands elementwise, of one over its axes
    Total,       // `sum`, `mean`: over axes, members or a range
    Flatten,
    OneHot,
    Size,
    Anneal,
    Data,
  };
  std::string_view name;
  Kind kind;
  /// Names of the parameters, which all are required.
  std::vector<std::string> parameters;
  Op op = Op::Detach;
  Arithmetic::Reduction reduction = Arithmetic::Reduction::Sum;
};

/// The built-in function of that name, or null.
const Builtin *findBuiltin(std::string_view name);

/// Names that belong to the language but mean nothing yet.
bool isPlannedName(std::string_view name);

/// All names a spec can use without declaring them, for suggestions.
std::vector<std::string> builtinNames();

} // namespace clm::sema
