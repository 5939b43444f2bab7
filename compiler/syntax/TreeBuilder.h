/// \file
/// Builds the syntax tree from the contexts of a parse without errors.
///
/// Internal to compiler/syntax: it shows ANTLR. Recursion is bounded by the nesting check on the tokens.
#pragma once

#include "syntax/Ast.h"
#include "syntax/SyntaxErrors.h"

#include "ClmParser.h"

namespace clm::syntax {

/// Expressions and the small parts that declarations share: names, types, generators.
class ExpressionBuilder {
public:
  explicit ExpressionBuilder(SyntaxErrors &errors)
      : errors(errors), text(errors.sourceManager().text(errors.fileId())) {}

protected:
  using Parser = grammar::ClmParser;

  SourceRange rangeOf(const antlr4::Token &token) const;
  SourceRange rangeOf(const antlr4::ParserRuleContext &context) const;
  std::string textOf(const antlr4::Token &token) const;

  Identifier identifier(Parser::NameContext &name) const;
  Identifier identifier(const antlr4::Token &token) const;
  ExprPtr expression(Parser::ExpressionContext &context);
  ExprPtr operation(Parser::OperationContext &context);
  ExprPtr nameExpression(Parser::NameContext &name) const;
  std::vector<ExprPtr> expressions(const std::vector<Parser::ExpressionContext *> &contexts, std::size_t from = 0);
  /// `value over axes`; the value alone when there are none.
  ExprPtr over(ExprPtr value, std::vector<ExprPtr> axes);
  ExprPtr suffix(ExprPtr base, Parser::SuffixContext &context);
  ExprPtr call(ExprPtr callee, Parser::ArgumentsContext &context);
  TypeExpr type(Parser::TypeContext &context);
  std::optional<TypeExpr> optionalType(Parser::TypeContext *context);
  ExprPtr optionalExpression(Parser::ExpressionContext *context);
  Generator generator(Parser::GeneratorContext &context);
  std::vector<Generator> generators(const std::vector<Parser::GeneratorContext *> &contexts);
  std::vector<Generator> generators(Parser::GeneratorsContext *context);

  SyntaxErrors &errors;

private:
  ExprPtr primary(Parser::PrimaryContext &context);
  ExprPtr literal(const antlr4::Token &token) const;
  ExprPtr binary(Parser::OperationContext &context);

  std::string_view text;
};

/// Declarations and statements. Reports what only the shape of the tree shows to be wrong.
class TreeBuilder : private ExpressionBuilder {
public:
  using ExpressionBuilder::ExpressionBuilder;

  File file(Parser::FileContext &context);

private:
  void imports(Parser::ImportItemContext &context, File &file);
  Declaration declaration(Parser::ItemContext &context);
  std::unique_ptr<CallableDecl> callable(CallableDecl::Kind kind, Parser::CallableHeaderContext &header,
                                         Parser::CallableBodyContext &body);
  std::vector<ParameterDecl> parameters(Parser::ParametersContext &context);
  LetStatement let(Parser::LetContext &context);

  std::vector<Statement> block(Parser::BlockContext &context);
  std::vector<Statement> settingBlock(Parser::SettingBlockContext &context);
  Statement statement(Parser::KeywordStatementContext &context);
  std::optional<Statement> declarationStatement(Parser::KeywordStatementContext &context);
  std::optional<Statement> ruleStatement(Parser::KeywordStatementContext &context);
  Statement blockStatement(Parser::KeywordStatementContext &context);
  Statement assignment(Parser::AssignmentContext &context);
  Statement setting(Parser::SettingContext &context);
  void checkSettingLines(Parser::SettingContext &context);

  VariableDecl variable(Parser::VariableContext &context);
  GradientRule gradient(Parser::GradientRuleContext &context);
  AttendRule attend(Parser::AttendRuleContext &context);
  FreezeRule freeze(Parser::FreezeRuleContext &context);
  LossTerm loss(Parser::LossContext &context);
  ExprPtr assigned(const antlr4::Token &name, const std::vector<Parser::SuffixContext *> &suffixes);
};

} // namespace clm::syntax
