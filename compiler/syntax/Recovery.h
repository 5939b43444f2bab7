/// \file
/// Moves a parser that failed to a place where it can go on.
///
/// Internal to compiler/syntax: it shows ANTLR.
#pragma once

#include "ClmParser.h"

namespace clm::syntax {

/// The token before the next one, or null at the start of the file.
antlr4::Token *previousToken(antlr4::Parser &parser);

/// Whether a declaration begins at the next token: one of its keywords, first on its line, and a name after it. A block
/// that is still open there misses its `}`.
bool isAtDeclaration(antlr4::Parser &parser);

/// Skips the rest of the statement that began at `start`: behind its `;` or its block, or before the `}` of the block
/// around it. At the top level of a file (`isItem`) a `}` is skipped as well. Stops before a declaration.
void skipStatement(antlr4::Parser &parser, const antlr4::Token &start, bool isItem);

/// Skips the rest of the header that began at `start`: before its `{` or `=`.
void skipHeader(antlr4::Parser &parser, const antlr4::Token &start);

} // namespace clm::syntax
