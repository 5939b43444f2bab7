/// \file
/// Expressions and types on one line: types as they are written, expressions as `(operator operand ...)`.
#pragma once

#include "syntax/Ast.h"

#include <string>

namespace clm::syntax {

/// `(call relu (call fc1 input))`; the head of a form is its operator or kind, names and literals stand for themselves.
std::string printExpression(const Expr &expression);

/// `f32[B, (* H W)]`, `like(x)`, `int`
std::string printType(const TypeExpr &type);

/// ` for x in (member net sites)` for each generator.
std::string printGenerators(const std::vector<Generator> &generators);

} // namespace clm::syntax
