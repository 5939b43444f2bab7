#include "syntax/SyntaxErrorStrategy.h"

#include "syntax/Recovery.h"
#include "syntax/Tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clm::syntax {

using grammar::ClmParser;

namespace {

const std::vector<std::string> declarationWords = {"import", "private",  "layer", "network",
                                                   "method", "function", "model", "let"};
const std::vector<std::string> statementWords = {
    "return",    "let",     "site",     "param", "state",  "token",      "noise", "head",  "norm",   "per",  "shared",
    "auxiliary", "layer",   "schedule", "mask",  "attend", "gradient",   "clip",  "clamp", "freeze", "thaw", "reinit",
    "loss",      "predict", "before",   "after", "memory", "pretrained", "train", "phase", "for"};

bool isListRule(std::size_t rule) {
  return rule == ClmParser::RuleFile || rule == ClmParser::RuleBlock || rule == ClmParser::RuleSettingBlock;
}

bool beginsExpression(const antlr4::misc::IntervalSet &tokens) {
  return tokens.contains(std::size_t{ClmParser::INTEGER}) && tokens.contains(std::size_t{ClmParser::STRING});
}

/// Tokens that may go on after a complete expression anywhere; naming them all would hide what ends it.
bool continuesExpression(std::size_t type) {
  switch (type) {
  case ClmParser::AT:
  case ClmParser::IN:
  case ClmParser::AND:
  case ClmParser::OR:
  case ClmParser::OPEN_PARENTHESIS:
  case ClmParser::OPEN_BRACKET:
  case ClmParser::DOT:
  case ClmParser::RANGE:
    return true;
  default:
    return type >= ClmParser::PLUS && type <= ClmParser::NOT_EQUAL;
  }
}

/// Words and literals that begin an operand: covered by "an expression". Brackets and signs are so as well, but they
/// also continue one.
bool isOperandStart(std::size_t type) {
  return isNameLike(type) || (type >= ClmParser::TRUE && type <= ClmParser::NOT) || type == ClmParser::INTEGER ||
         type == ClmParser::REAL || type == ClmParser::STRING;
}

/// What a name stands for where one is expected.
std::string nameExpectation(const antlr4::ParserRuleContext &context) {
  const auto *parent = static_cast<const antlr4::ParserRuleContext *>(context.parent);
  bool isInName = context.getRuleIndex() == ClmParser::RuleName && parent;
  std::size_t rule = isInName ? parent->getRuleIndex() : context.getRuleIndex();
  if (rule == ClmParser::RuleType)
    return "a type";
  return rule == ClmParser::RuleImportPath || rule == ClmParser::RuleImportItem ? "the name of a module" : "a name";
}

/// A token of the grammar as a message shows it.
std::string spelling(const antlr4::Parser &parser, std::size_t type) {
  if (type == ClmParser::PATH)
    return "a path such as `./layers.clm`";
  std::string quoted = parser.getVocabulary().getLiteralName(type);
  return quoted.size() > 2 ? fmt::format("`{}`", quoted.substr(1, quoted.size() - 2)) : "the end of the file";
}

/// Innermost context around the parser's with this rule, or null.
antlr4::ParserRuleContext *enclosing(antlr4::Parser &parser, std::size_t rule) {
  for (antlr4::tree::ParseTree *context = parser.getContext(); context; context = context->parent)
    if (auto *ruleContext = static_cast<antlr4::ParserRuleContext *>(context); ruleContext->getRuleIndex() == rule)
      return ruleContext;
  return nullptr;
}

/// A setting that runs over a line end has lost its `;` there: the first token of its next line, or null.
antlr4::Token *lineBreakInSetting(antlr4::Parser &parser, const antlr4::Token &found) {
  antlr4::ParserRuleContext *setting = enclosing(parser, ClmParser::RuleSetting);
  if (!setting)
    return nullptr;
  antlr4::TokenStream &tokens = *parser.getTokenStream();
  for (std::size_t i = setting->start->getTokenIndex() + 1; i <= found.getTokenIndex(); ++i) {
    const antlr4::Token &before = *tokens.get(i - 1);
    bool isOpen = before.getType() >= ClmParser::OPEN_PARENTHESIS && before.getType() <= ClmParser::OPEN_BRACE;
    if (isOpen)
      return nullptr;
    bool isOperand = isNameLike(before.getType()) || before.getType() == ClmParser::INTEGER ||
                     before.getType() == ClmParser::REAL || before.getType() == ClmParser::STRING;
    if (isOperand && tokens.get(i)->getLine() > before.getLine() && isNameLike(tokens.get(i)->getType()))
      return tokens.get(i);
  }
  return nullptr;
}

} // namespace

antlr4::Token *SyntaxErrorStrategy::recoverInline(antlr4::Parser *parser) {
  throw antlr4::InputMismatchException(parser);
}

void SyntaxErrorStrategy::sync(antlr4::Parser *parser) {
  const antlr4::ParserRuleContext *context = parser->getContext();
  std::size_t token = parser->getTokenStream()->index();
  if (token != decisionToken || context != decisionRule)
    decisionStates.clear();
  decisionToken = token;
  decisionRule = context;
  decisionStates.push_back(parser->getState());
  if (isListRule(context->getRuleIndex()))
    syncList(parser, context->getRuleIndex());
}

/// At the start of an element of a list of statements: skips what begins none.
void SyntaxErrorStrategy::syncList(antlr4::Parser *parser, std::size_t rule) {
  const antlr4::atn::ATN &atn = parser->getATN();
  const TokenSet &expected = atn.nextTokens(atn.states[parser->getState()]);
  bool isFile = rule == ClmParser::RuleFile;
  while (true) {
    antlr4::Token *found = parser->getCurrentToken();
    bool isEnd = found->getType() == antlr4::Token::EOF || isAtDeclaration(*parser);
    if (!isFile && isEnd) {
      if (!inErrorRecoveryMode(parser)) {
        beginErrorCondition(parser);
        TokenSet brace;
        brace.add(static_cast<ssize_t>(ClmParser::CLOSE_BRACE));
        reportFailure(parser, {found, previousToken(*parser), brace});
      }
      throw antlr4::InputMismatchException(parser);
    }
    if (isEnd || expected.contains(found->getType()))
      return;
    reportUnexpected(parser, rule);
    skipStatement(*parser, *found, isFile);
  }
}

void SyntaxErrorStrategy::reportError(antlr4::Parser *parser, const antlr4::RecognitionException &failure) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  antlr4::Token *found = failure.getOffendingToken();
  antlr4::Token *previous =
      found->getTokenIndex() == 0 ? nullptr : parser->getTokenStream()->get(found->getTokenIndex() - 1);
  reportFailure(parser, {found, previous, expectedTokens(parser, failure)});
}

void SyntaxErrorStrategy::recover(antlr4::Parser *parser, std::exception_ptr failure) {
  if (errors.isHopeless())
    throw antlr4::ParseCancellationException();
  const antlr4::Token &start = *parser->getContext()->start;
  switch (parser->getContext()->getRuleIndex()) {
  case ClmParser::RuleCallableHeader:
  case ClmParser::RuleMethodHeader:
  case ClmParser::RuleModelHeader:
    skipHeader(*parser, start);
    return;
  case ClmParser::RuleItem:
    skipStatement(*parser, start, true);
    endErrorCondition(parser);
    return;
  case ClmParser::RuleKeywordStatement:
  case ClmParser::RuleAssignment:
  case ClmParser::RuleSetting:
    if (parser->getCurrentToken()->getType() == antlr4::Token::EOF || isAtDeclaration(*parser))
      std::rethrow_exception(failure);
    skipStatement(*parser, start, false);
    endErrorCondition(parser);
    return;
  default:
    std::rethrow_exception(failure);
  }
}

SyntaxErrorStrategy::TokenSet SyntaxErrorStrategy::expectedTokens(antlr4::Parser *parser,
                                                                  const antlr4::RecognitionException &failure) const {
  const antlr4::atn::ATN &atn = parser->getATN();
  TokenSet expected;
  const auto *noAlternative = dynamic_cast<const antlr4::NoViableAltException *>(&failure);
  if (noAlternative && noAlternative->getStartToken() != failure.getOffendingToken()) {
    // The prediction had read on: what fits stands at its last states.
    for (const auto &config : noAlternative->getDeadEndConfigs()->configs)
      for (const antlr4::atn::Transition *transition : config->state->transitions)
        if (!transition->isEpsilon())
          expected.addAll(transition->label());
    return expected;
  }
  expected.addAll(failure.getExpectedTokens());
  if (parser->getContext() == decisionRule && failure.getOffendingToken()->getTokenIndex() == decisionToken)
    for (std::size_t state : decisionStates)
      expected.addAll(atn.nextTokens(atn.states[state]));
  expected.remove(antlr4::Token::EPSILON);
  return expected;
}

/// Whether the error only follows from one that was reported: the statement was already wrong on the line before.
bool SyntaxErrorStrategy::isConsequence(const Failure &failure) const {
  if (failure.found->getType() == antlr4::Token::EOF && errors.has(Diag::UnterminatedComment))
    return true;
  if (!failure.previous || !errors.hasErrorOnLine(static_cast<unsigned>(failure.previous->getLine())))
    return false;
  switch (failure.previous->getType()) {
  case ClmParser::SEMICOLON:
  case ClmParser::OPEN_BRACE:
  case ClmParser::CLOSE_BRACE:
    return false;
  default:
    return true;
  }
}

void SyntaxErrorStrategy::reportFailure(antlr4::Parser *parser, Failure failure) {
  if (isConsequence(failure) || reportUnknownStatement(parser, failure))
    return;
  if (failure.expected.contains(std::size_t{ClmParser::SEMICOLON}))
    if (antlr4::Token *lineStart = lineBreakInSetting(*parser, *failure.found)) {
      failure.found = lineStart;
      failure.previous = parser->getTokenStream()->get(lineStart->getTokenIndex() - 1);
    }
  const antlr4::ParserRuleContext &context = *parser->getContext();
  bool isAfterSetting = context.getRuleIndex() == ClmParser::RuleSetting && failure.previous == context.start;
  std::string expected = isAfterSetting ? "a value, `=` or `;`" : expectation(parser, failure.expected);
  // A missing end is shown where it is missing; a missing `}` is noticed only where a declaration begins.
  bool isOnNextLine = failure.previous && failure.found->getLine() > failure.previous->getLine();
  bool isMissing = expected == "`;`" || failure.found->getType() == antlr4::Token::EOF ||
                   (isOnNextLine && !(expected == "`}`" && isAtDeclaration(*parser)));
  bool isBehind = failure.previous && isMissing;
  std::uint32_t begin = isBehind ? endOf(*failure.previous) : beginOf(*failure.found);
  std::uint32_t end = isBehind ? begin : endOf(*failure.found);
  Diagnostic &error =
      errors.add(begin, end, Diag::SyntaxError, fmt::format("found {}, expected {}", show(*failure.found), expected));
  addHint(parser, failure, error);
  noteOpening(parser, failure, error);
}

/// A statement that begins with an unknown word: it is the word that is wrong, not what follows it.
bool SyntaxErrorStrategy::reportUnknownStatement(antlr4::Parser *parser, const Failure &failure) {
  antlr4::ParserRuleContext *statement = enclosing(*parser, ClmParser::RuleSetting);
  bool isSetting = statement != nullptr;
  if (!statement)
    statement = enclosing(*parser, ClmParser::RuleAssignment);
  bool isSecond = statement && statement->start->getTokenIndex() + 1 == failure.found->getTokenIndex();
  if (!statement || statement->start->getType() != ClmParser::NAME || (!isSecond && !isSetting))
    return false;
  const antlr4::Token &word = *statement->start;
  std::string nearest = nearestName(word.getText(), statementWords);
  if (nearest.empty() && (isSetting || failure.found->getType() == ClmParser::OPEN_PARENTHESIS))
    return false;
  Diagnostic &error = errors.add(beginOf(word), endOf(word), Diag::SyntaxError,
                                 fmt::format("found {}, expected a statement", show(word)));
  error.help(nearest.empty() ? "settings stand in `model`, `train`, `phase` or `memory`; `name = value;` assigns"
                             : fmt::format("did you mean `{}`?", nearest));
  return true;
}

void SyntaxErrorStrategy::reportUnexpected(antlr4::Parser *parser, std::size_t rule) {
  antlr4::Token &found = *parser->getCurrentToken();
  if (inErrorRecoveryMode(parser) || isConsequence({&found, previousToken(*parser), {}}))
    return;
  bool isFile = rule == ClmParser::RuleFile;
  Diagnostic &error =
      errors.add(beginOf(found), endOf(found), Diag::SyntaxError,
                 fmt::format("found {}, expected {}", show(found), isFile ? "a declaration" : "a statement or `}`"));
  std::string nearest = nearestName(found.getText(), isFile ? declarationWords : statementWords);
  if (!nearest.empty())
    error.help(fmt::format("did you mean `{}`?", nearest));
  else if (found.getType() == ClmParser::SEMICOLON)
    error.help("nothing stands between `;` or `}` and this `;`");
  else if (isFile)
    error.help("a declaration begins with `import`, `layer`, `network`, `function`, `method`, `model` or `let`");
  if (errors.isHopeless())
    throw antlr4::ParseCancellationException();
}

void SyntaxErrorStrategy::addHint(antlr4::Parser *parser, const Failure &failure, Diagnostic &error) const {
  std::size_t found = failure.found->getType();
  const TokenSet &expected = failure.expected;
  bool isReserved = found >= ClmParser::TRUE && found <= ClmParser::NOT;
  if (found == ClmParser::ASSIGN && expected.contains(std::size_t{ClmParser::THEN}))
    error.help("equality is written `==`");
  else if (isReserved && expected.contains(std::size_t{ClmParser::NAME}) && !beginsExpression(expected))
    error.help(fmt::format("{} is reserved and names nothing", show(*failure.found)));
  else if (found == ClmParser::DOT && beginsExpression(expected))
    error.help("a number begins with a digit: `0.5`");
  else if (found == ClmParser::OVER)
    error.help("`over` stands inside parentheses: `sum(x over axis)`");
  else if (found == ClmParser::PATH && !expected.contains(std::size_t{ClmParser::PATH}))
    error.help("`./` begins the path of a file; write `1.0 / x` for a division");
}

/// For a missing bracket: where the open one stands, unless that is on the same line.
void SyntaxErrorStrategy::noteOpening(antlr4::Parser *parser, const Failure &failure, Diagnostic &error) const {
  std::size_t open = 0;
  for (std::size_t candidate : {ClmParser::OPEN_PARENTHESIS, ClmParser::OPEN_BRACKET, ClmParser::OPEN_BRACE})
    if (failure.expected.contains(candidate + 1) && !beginsExpression(failure.expected))
      open = candidate;
  if (open == 0)
    return;
  antlr4::TokenStream &tokens = *parser->getTokenStream();
  unsigned closed = 0;
  for (std::size_t i = failure.found->getTokenIndex(); i-- > 0;) {
    const antlr4::Token &token = *tokens.get(i);
    if (token.getType() == open + 1)
      ++closed;
    if (token.getType() != open || closed-- > 0)
      continue;
    if (token.getLine() != failure.found->getLine())
      error.note({errors.fileId(), beginOf(token), endOf(token)}, fmt::format("to match this {}", show(token)));
    return;
  }
}

/// What was expected, in words: `` `,` or `)` ``, `an expression`, `` a name or `;` ``.
std::string SyntaxErrorStrategy::expectation(antlr4::Parser *parser, const TokenSet &expected) const {
  std::vector<std::string> parts;
  bool isExpression = beginsExpression(expected);
  bool isName = !isExpression && expected.contains(std::size_t{ClmParser::NAME});
  bool isAfterExpression = !isExpression && expected.contains(std::size_t{ClmParser::PLUS});
  if (isExpression)
    parts.emplace_back("an expression");
  else if (isName)
    parts.emplace_back(nameExpectation(*parser->getContext()));
  std::vector<std::size_t> ends; // said last
  for (ssize_t token : expected.toList()) {
    auto type = static_cast<std::size_t>(token);
    bool isCovered = isExpression        ? isOperandStart(type) || continuesExpression(type)
                     : isName            ? isNameLike(type)
                     : isAfterExpression ? continuesExpression(type)
                                         : false;
    bool isTail = (type == ClmParser::OVER || type == ClmParser::FOR) && expected.size() > 1;
    if (isCovered || isTail)
      continue;
    bool isEnd = type == ClmParser::SEMICOLON || type == ClmParser::CLOSE_PARENTHESIS ||
                 type == ClmParser::CLOSE_BRACKET || type == ClmParser::CLOSE_BRACE;
    if (isEnd)
      ends.push_back(type);
    else
      parts.push_back(spelling(*parser, type));
  }
  for (std::size_t type : ends)
    parts.push_back(spelling(*parser, type));
  if (parts.size() < 2)
    return parts.empty() ? "something else" : parts.front();
  std::string last = parts.back();
  parts.pop_back();
  return fmt::format("{} or {}", fmt::join(parts, ", "), last);
}

std::string SyntaxErrorStrategy::show(const antlr4::Token &token) const {
  constexpr std::size_t maximalShown = 40;
  if (token.getType() == antlr4::Token::EOF)
    return "the end of the file";
  std::string_view text = errors.sourceManager().text(errors.fileId());
  text = text.substr(beginOf(token), endOf(token) - beginOf(token));
  // Cut only where characters end, so that the message stays UTF-8.
  bool isLong = text.size() > maximalShown;
  std::size_t length = isLong ? maximalShown - 3 : text.size();
  while (isLong && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    --length;
  return fmt::format("`{}{}`", text.substr(0, length), isLong ? "..." : "");
}

} // namespace clm::syntax
