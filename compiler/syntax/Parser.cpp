#include "syntax/Parser.h"

#include "syntax/SyntaxErrorStrategy.h"
#include "syntax/Tokens.h"
#include "syntax/TreeBuilder.h"

namespace clm::syntax {

namespace {

/// The tree of a file whose tokens are sound; errors go to `errors`, and then the tree is empty.
File parseTokens(TokenList tokens, SyntaxErrors &errors) {
  antlr4::ListTokenSource source(std::move(tokens));
  antlr4::CommonTokenStream stream(&source);
  grammar::ClmParser parser(&stream);
  parser.removeErrorListeners();
  parser.setErrorHandler(std::make_shared<SyntaxErrorStrategy>(errors));
  try {
    grammar::ClmParser::FileContext *context = parser.file();
    if (errors.empty())
      return TreeBuilder(errors).file(*context);
  } catch (const antlr4::ParseCancellationException &) {
    // Thrown by the error strategy: there are so many errors that it gave up.
  }
  File file;
  file.id = errors.fileId();
  return file;
}

} // namespace

File parse(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics) {
  SyntaxErrors errors(sources, file);
  ByteStream stream(sources.text(file));
  TokenList tokens = scan(stream, errors);
  File result;
  result.id = file;
  if (!tokens.empty() && !errors.isHopeless())
    result = parseTokens(std::move(tokens), errors);
  errors.report(diagnostics);
  return result;
}

} // namespace clm::syntax
