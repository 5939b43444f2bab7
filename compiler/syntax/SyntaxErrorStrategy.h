/// \file
/// Turns ANTLR's failures into messages in the words of the language, and goes on behind the statement that failed.
///
/// Internal to compiler/syntax: it shows ANTLR.
#pragma once

#include "syntax/SyntaxErrors.h"

#include "ClmParser.h"

#include <vector>

namespace clm::syntax {

/// An error leaves all rules up to the next statement, declaration or header; the rest of that is skipped and parsing
/// goes on. Nothing is inserted or deleted to guess what was meant: guesses make follow-up errors.
class SyntaxErrorStrategy : public antlr4::DefaultErrorStrategy {
public:
  explicit SyntaxErrorStrategy(SyntaxErrors &errors) : errors(errors) {}

  void reportError(antlr4::Parser *parser, const antlr4::RecognitionException &failure) override;
  void recover(antlr4::Parser *parser, std::exception_ptr failure) override;
  antlr4::Token *recoverInline(antlr4::Parser *parser) override;
  void sync(antlr4::Parser *parser) override;

private:
  using TokenSet = antlr4::misc::IntervalSet;

  /// An error in the making: the token that did not fit, the one before it and what would have fitted.
  struct Failure {
    antlr4::Token *found;
    antlr4::Token *previous; // null at the start of the file
    TokenSet expected;
  };

  void syncList(antlr4::Parser *parser, std::size_t rule);
  TokenSet expectedTokens(antlr4::Parser *parser, const antlr4::RecognitionException &failure) const;
  void reportFailure(antlr4::Parser *parser, Failure failure);
  bool isConsequence(const Failure &failure) const;
  bool reportUnknownStatement(antlr4::Parser *parser, const Failure &failure);
  void reportUnexpected(antlr4::Parser *parser, std::size_t rule);
  void addHint(antlr4::Parser *parser, const Failure &failure, Diagnostic &error) const;
  void noteOpening(antlr4::Parser *parser, const Failure &failure, Diagnostic &error) const;
  std::string expectation(antlr4::Parser *parser, const TokenSet &expected) const;
  std::string show(const antlr4::Token &token) const;

  SyntaxErrors &errors;
  // Decisions that were passed at one token of one rule: all they would have taken is expected there.
  std::vector<std::size_t> decisionStates;
  std::size_t decisionToken = 0;
  const antlr4::RuleContext *decisionRule = nullptr;
};

} // namespace clm::syntax
