#include "syntax/Tokens.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace clm::syntax {

namespace {

using grammar::ClmLexer;

/// What to write instead of a character that other languages use.
std::string replacementFor(char32_t character) {
  switch (character) {
  case U'“':
  case U'”':
  case U'‘':
  case U'’':
  case U'\'':
  case U'`':
    return "strings stand between straight double quotes, `\"...\"`";
  case U'×':
  case U'·':
  case U'⊙':
    return "multiplication is written `*`";
  case U'−':
  case U'–':
    return "the minus sign is written `-`";
  case U'≤':
    return "write `<=`";
  case U'≥':
    return "write `>=`";
  case U'≠':
    return "write `!=`";
  case U'&':
    return "the logical operator is written `and`";
  case U'|':
    return "the logical operator is written `or`";
  case U'!':
    return "the logical operator is written `not`";
  case U'^':
    return "there is no power operator; write `x * x` or `exp(y * log(x))`";
  case U'#':
    return "a comment begins with `//`";
  default:
    return character > 0x7F ? "names use the letters A to Z, digits and `_`" : "";
  }
}

class Scanner {
public:
  Scanner(ByteStream &stream, SyntaxErrors &errors)
      : lexer(&stream), errors(errors), text(errors.sourceManager().text(errors.fileId())) {
    lexer.removeErrorListeners();
  }

  TokenList run() {
    TokenList tokens;
    while (tokens.empty() || tokens.back()->getType() != antlr4::Token::EOF) {
      std::unique_ptr<antlr4::Token> token = lexer.nextToken();
      if (tokens.size() == maximalTokens) {
        errors.add(beginOf(*token), endOf(*token), Diag::FileTooLarge,
                   fmt::format("the file has more than {} words and signs", maximalTokens));
        return {};
      }
      if (check(static_cast<antlr4::CommonToken &>(*token)))
        tokens.push_back(std::move(token));
    }
    return tokens;
  }

private:
  std::string_view textOf(const antlr4::Token &token) const {
    return text.substr(beginOf(token), endOf(token) - beginOf(token));
  }

  /// Reports what is wrong with the token by itself; false when the parser shall not see it.
  bool check(antlr4::CommonToken &token) {
    switch (token.getType()) {
    case ClmLexer::UNKNOWN:
      reportUnknown(token);
      return false;
    case ClmLexer::UNTERMINATED_COMMENT:
      errors.add(beginOf(token), beginOf(token) + 2, Diag::UnterminatedComment, "found a comment without its end")
          .help("close it with `*/`");
      return false;
    case ClmLexer::UNTERMINATED_STRING:
      errors.add(beginOf(token), endOf(token), Diag::UnterminatedString, "found a string without its closing quote")
          .help("a string ends with `\"` on the line where it began");
      token.setType(ClmLexer::STRING);
      return true;
    case ClmLexer::STRING:
      if (!stringValue(textOf(token)))
        reportEscape(token);
      return true;
    case ClmLexer::INTEGER:
    case ClmLexer::REAL:
      if (!numberValue(textOf(token), token.getType() == ClmLexer::INTEGER))
        reportNumber(token);
      return true;
    default:
      return true;
    }
  }

  void reportUnknown(const antlr4::Token &token) {
    std::size_t length = utf8Length(text, beginOf(token));
    char32_t character = utf8CodePoint(text, beginOf(token));
    bool isShown = length > 0 && character >= 0x20 && character != 0x7F;
    std::string_view shown = text.substr(beginOf(token), length);
    std::string message = isShown && character <= 0x7F ? fmt::format("unknown character `{}`", shown)
                          : isShown ? fmt::format("unknown character `{}` (U+{:04X})", shown, std::uint32_t{character})
                                    : fmt::format("unknown character (0x{:02X})", std::uint32_t{character} & 0xFFU);
    auto end = static_cast<std::uint32_t>(beginOf(token) + std::max<std::size_t>(length, 1));
    errors.add(beginOf(token), end, Diag::UnknownCharacter, std::move(message)).help(replacementFor(character));
  }

  void reportEscape(const antlr4::Token &token) {
    // The first backslash whose escape is unknown; pairs before it are skipped.
    std::size_t at = beginOf(token);
    while (text[at] != '\\' || std::string_view("\"\\nt").find(text[at + 1]) != std::string_view::npos)
      at += text[at] == '\\' ? 2 : 1;
    std::size_t length = std::max<std::size_t>(utf8Length(text, at + 1), 1);
    errors
        .add(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1 + length), Diag::SyntaxError,
             fmt::format("found `{}` in a string, expected a known escape", text.substr(at, 1 + length)))
        .help("the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`");
  }

  void reportNumber(const antlr4::Token &token) {
    bool isInteger = token.getType() == ClmLexer::INTEGER;
    std::string_view written = textOf(token);
    std::string shown(written.size() > 40 ? written.substr(0, 37) : written);
    shown += written.size() > 40 ? "..." : "";
    errors
        .add(beginOf(token), endOf(token), Diag::NumberOutOfRange,
             fmt::format("the number `{}` is out of range", shown))
        .help(isInteger
                  ? "an integer is at most 9007199254740992 (2^53); write a real number with a point or an exponent"
                  : "a real number lies between 2.3e-308 and 1.8e308, or is 0");
  }

  ClmLexer lexer;
  SyntaxErrors &errors;
  std::string_view text;
};

/// A keyword where a statement begins, followed by `=`, `.` or `[`, is a name that is assigned.
void findAssignedNames(TokenList &tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    std::size_t before = i == 0 ? std::size_t{ClmLexer::SEMICOLON} : tokens[i - 1]->getType();
    std::size_t type = tokens[i]->getType();
    std::size_t after = tokens[i + 1]->getType();
    bool beginsStatement =
        before == ClmLexer::SEMICOLON || before == ClmLexer::OPEN_BRACE || before == ClmLexer::CLOSE_BRACE;
    bool takesList = type == ClmLexer::RETURN || type == ClmLexer::LOSS; // `return [a, b];`
    bool isAssigned =
        after == ClmLexer::ASSIGN || after == ClmLexer::DOT || (after == ClmLexer::OPEN_BRACKET && !takesList);
    if (beginsStatement && isNameLike(type) && isAssigned)
      static_cast<antlr4::CommonToken &>(*tokens[i]).setType(ClmLexer::NAME);
  }
}

/// Follows the nesting of one file over its tokens. The depth is an upper bound of that of the syntax tree: every open
/// bracket counts, and within it every operator and every closed bracket since the last separator.
class NestingCheck {
public:
  explicit NestingCheck(SyntaxErrors &errors) : errors(errors) {}

  /// False at the first token that lies too deep.
  bool run(const TokenList &tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const antlr4::Token *next = i + 1 < tokens.size() ? tokens[i + 1].get() : nullptr;
      step(*tokens[i], next);
      if (depth <= maximalNesting)
        continue;
      errors
          .add(beginOf(*tokens[i]), endOf(*tokens[i]), Diag::NestingTooDeep,
               fmt::format("found an expression or block nested more than {} deep", maximalNesting))
          .help("name parts of it with `let`");
      return false;
    }
    return true;
  }

private:
  enum class Effect { None, Open, Close, Separate, Link };

  static Effect effectOf(std::size_t type) {
    switch (type) {
    case ClmLexer::OPEN_PARENTHESIS:
    case ClmLexer::OPEN_BRACKET:
    case ClmLexer::OPEN_BRACE:
      return Effect::Open;
    case ClmLexer::CLOSE_PARENTHESIS:
    case ClmLexer::CLOSE_BRACKET:
    case ClmLexer::CLOSE_BRACE:
      return Effect::Close;
    case ClmLexer::COMMA:
    case ClmLexer::SEMICOLON:
      return Effect::Separate;
    case ClmLexer::DOT:
    case ClmLexer::RANGE:
    case ClmLexer::AND:
    case ClmLexer::OR:
    case ClmLexer::NOT:
    case ClmLexer::IF:
    case ClmLexer::FOR:
    case ClmLexer::OVER:
    case ClmLexer::AT:
    case ClmLexer::IN:
      return Effect::Link;
    default:
      return type >= ClmLexer::PLUS && type <= ClmLexer::NOT_EQUAL ? Effect::Link : Effect::None;
    }
  }

  void step(const antlr4::Token &token, const antlr4::Token *next) {
    switch (effectOf(token.getType())) {
    case Effect::Open:
      chains.push_back(0);
      ++depth;
      break;
    case Effect::Close:
      if (chains.size() == 1) // nothing is open: the parser will say so
        break;
      depth -= chains.back() + 1;
      chains.pop_back();
      // After the block of a statement comes a word or another end; after that of an expression, an operator.
      if (token.getType() == ClmLexer::CLOSE_BRACE && (!next || isNameLike(next->getType())))
        separate();
      else
        link();
      break;
    case Effect::Separate:
      separate();
      break;
    case Effect::Link:
      link();
      break;
    case Effect::None:
      break;
    }
  }

  void link() {
    ++chains.back();
    ++depth;
  }

  void separate() {
    depth -= chains.back();
    chains.back() = 0;
  }

  SyntaxErrors &errors;
  std::vector<unsigned> chains = {0}; // links at each open bracket, outermost first
  unsigned depth = 0;
};

} // namespace

ByteStream::ByteStream(std::string_view text) {
  _data.reserve(text.size());
  for (char character : text)
    _data.push_back(static_cast<unsigned char>(character) < 0x80 ? static_cast<char32_t>(character) : U'\x01');
}

TokenList scan(ByteStream &stream, SyntaxErrors &errors) {
  TokenList tokens = Scanner(stream, errors).run();
  if (!NestingCheck(errors).run(tokens))
    return {};
  findAssignedNames(tokens);
  return tokens;
}

bool isNameLike(std::size_t tokenType) {
  return tokenType == ClmLexer::NAME || (tokenType >= ClmLexer::IMPORT && tokenType <= ClmLexer::EVAL);
}

std::optional<double> numberValue(std::string_view text, bool isInteger) {
  const char *end = text.data() + text.size();
  if (isInteger) {
    constexpr std::uint64_t maximalInteger = std::uint64_t{1} << 53U; // above it not every integer is a double
    std::uint64_t value = 0;
    if (std::from_chars(text.data(), end, value).ec != std::errc() || value > maximalInteger)
      return std::nullopt;
    return static_cast<double>(value);
  }
  double value = 0;
  if (std::from_chars(text.data(), end, value).ec != std::errc())
    return std::nullopt;
  return value;
}

std::optional<std::string> stringValue(std::string_view literal) {
  std::string value;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      value += literal[i];
      continue;
    }
    switch (literal[++i]) {
    case '"':
    case '\\':
      value += literal[i];
      break;
    case 'n':
      value += '\n';
      break;
    case 't':
      value += '\t';
      break;
    default:
      return std::nullopt;
    }
  }
  return value;
}

} // namespace clm::syntax
