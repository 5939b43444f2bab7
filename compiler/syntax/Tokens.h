/// \file
/// From text to tokens, with everything that is decided before parsing: lexical errors, numbers out of range, the depth
/// of nesting, and which keywords stand as names.
///
/// Internal to compiler/syntax: it shows ANTLR.
#pragma once

#include "syntax/SyntaxErrors.h"

#include "ClmLexer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clm::syntax {

using TokenList = std::vector<std::unique_ptr<antlr4::Token>>;

/// Expressions and blocks may nest this deep; a chain of operators counts as nested, for its tree is as deep.
inline constexpr unsigned maximalNesting = 500;

/// A file may have this many tokens: thousands of times what one written by hand has, and parsed within seconds.
inline constexpr std::size_t maximalTokens = 500'000;

/// Presents the bytes of a text as characters, so that token offsets are byte offsets. Bytes above 0x7F become 0x01:
/// they matter only in comments and strings, and the lexer is slow on what lies outside ASCII.
class ByteStream : public antlr4::ANTLRInputStream {
public:
  explicit ByteStream(std::string_view text);
};

/// The tokens of `stream` (over the text of the file of `errors`), the end of the file included, without those that
/// were reported as errors. Empty when the file is nested too deep or too large to be parsed.
TokenList scan(ByteStream &stream, SyntaxErrors &errors);

/// Byte range of a token. The end of the file is an empty range.
inline std::uint32_t beginOf(const antlr4::Token &token) { return static_cast<std::uint32_t>(token.getStartIndex()); }
inline std::uint32_t endOf(const antlr4::Token &token) {
  return static_cast<std::uint32_t>(token.getType() == antlr4::Token::EOF ? token.getStartIndex()
                                                                          : token.getStopIndex() + 1);
}

/// Whether the token is a word that can be a name: NAME or a keyword that is not reserved.
bool isNameLike(std::size_t tokenType);

/// Value of a number as written; nothing when it does not fit: an integer above 2^53, a real that becomes infinite or
/// 0.
std::optional<double> numberValue(std::string_view text, bool isInteger);

/// The content of a string literal written with its quotes: `\"`, `\\`, `\n` and `\t` are replaced. Nothing when
/// another character follows a backslash.
std::optional<std::string> stringValue(std::string_view literal);

} // namespace clm::syntax
