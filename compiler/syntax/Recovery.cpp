#include "syntax/Recovery.h"

#include "syntax/Tokens.h"

#include <algorithm>

namespace clm::syntax {

using grammar::ClmParser;

namespace {

/// Brackets of one kind that are open between `start` and the next token.
unsigned openBrackets(antlr4::Parser &parser, const antlr4::Token &start, std::size_t open, std::size_t close) {
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  unsigned depth = 0;
  for (std::size_t i = start.getTokenIndex(); i < tokens.index(); ++i) {
    std::size_t type = tokens.get(i)->getType();
    if (type == open)
      ++depth;
    else if (type == close && depth > 0)
      --depth;
  }
  return depth;
}

} // namespace

antlr4::Token *previousToken(antlr4::Parser &parser) {
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  return tokens.index() == 0 ? nullptr : tokens.get(tokens.index() - 1);
}

bool isAtDeclaration(antlr4::Parser &parser) {
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  const antlr4::Token &token = *tokens.LT(1);
  const antlr4::Token *previous = previousToken(parser);
  if (previous && previous->getLine() == token.getLine())
    return false;
  std::size_t next = tokens.LA(2);
  switch (token.getType()) {
  case ClmParser::IMPORT:
    return isNameLike(next) || next == ClmParser::PATH;
  case ClmParser::MODEL:
    return isNameLike(next) || next == ClmParser::OPEN_BRACE;
  case ClmParser::LAYER: // indented, it is a layer of a task
    return isNameLike(next) && token.getCharPositionInLine() == 0;
  case ClmParser::PRIVATE:
  case ClmParser::NETWORK:
  case ClmParser::FUNCTION:
  case ClmParser::METHOD:
    return isNameLike(next);
  default:
    return false;
  }
}

void skipStatement(antlr4::Parser &parser, const antlr4::Token &start, bool isItem) {
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  unsigned depth = openBrackets(parser, start, ClmParser::OPEN_BRACE, ClmParser::CLOSE_BRACE);
  while (tokens.LA(1) != antlr4::Token::EOF) {
    bool isFirst = tokens.index() == start.getTokenIndex();
    std::size_t type = tokens.LA(1);
    if ((!isFirst && isAtDeclaration(parser)) || (type == ClmParser::CLOSE_BRACE && depth == 0 && !isItem))
      return;
    parser.consume();
    if (type == ClmParser::OPEN_BRACE)
      ++depth;
    bool closes = type == ClmParser::CLOSE_BRACE;
    if (closes && depth > 0)
      --depth;
    if (depth > 0 || (!closes && type != ClmParser::SEMICOLON))
      continue;
    if (closes && tokens.LA(1) == ClmParser::SEMICOLON)
      parser.consume();
    return;
  }
}

void skipHeader(antlr4::Parser &parser, const antlr4::Token &start) {
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  unsigned depth = openBrackets(parser, start, ClmParser::OPEN_PARENTHESIS, ClmParser::CLOSE_PARENTHESIS);
  while (tokens.LA(1) != antlr4::Token::EOF && !isAtDeclaration(parser)) {
    switch (tokens.LA(1)) {
    case ClmParser::OPEN_BRACE:
    case ClmParser::CLOSE_BRACE:
    case ClmParser::SEMICOLON:
      return;
    case ClmParser::OPEN_PARENTHESIS:
      ++depth;
      break;
    case ClmParser::CLOSE_PARENTHESIS:
      depth -= std::min(depth, 1U);
      break;
    case ClmParser::ASSIGN:
      if (depth == 0)
        return;
      break;
    default:
      break;
    }
    parser.consume();
  }
}

} // namespace clm::syntax
