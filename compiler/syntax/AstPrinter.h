/// \file
/// Prints a syntax tree as an indented outline: what `clmc --emit=ast` shows and the parser tests check.
#pragma once

#include "syntax/Ast.h"

#include <string>

namespace clm::syntax {

/// One node a line, children indented by two blanks; no source places, so that tests stay readable.
std::string printAst(const File &file);

} // namespace clm::syntax
