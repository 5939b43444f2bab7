/// \file
/// From source text to the syntax tree. `Parser.cpp` is the only file that sees ANTLR.
#pragma once

#include "support/Diagnostics.h"
#include "syntax/Ast.h"

namespace clm::syntax {

/// Parses one file. Reports every syntax error to `diagnostics`; the tree holds what could be understood, and must not
/// be used further when errors were reported. Never throws and never recurses without bound: expressions nested more
/// than 500 deep are a diagnostic.
File parse(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics);

} // namespace clm::syntax
