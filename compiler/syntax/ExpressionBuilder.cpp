#include "syntax/Tokens.h"
#include "syntax/TreeBuilder.h"

namespace clm::syntax {

namespace {

template <typename Node>
ExprPtr makeExpression(SourceRange range, Node node) {
  return std::make_unique<Expr>(Expr{range, std::move(node)});
}

BinaryOperator binaryOperator(std::size_t token) {
  using grammar::ClmParser;
  switch (token) {
  case ClmParser::PLUS:
    return BinaryOperator::Add;
  case ClmParser::MINUS:
    return BinaryOperator::Subtract;
  case ClmParser::TIMES:
    return BinaryOperator::Multiply;
  case ClmParser::DIVIDE:
    return BinaryOperator::Divide;
  case ClmParser::CONTRACT:
    return BinaryOperator::Contract;
  case ClmParser::LESS:
    return BinaryOperator::Less;
  case ClmParser::LESS_EQUAL:
    return BinaryOperator::LessEqual;
  case ClmParser::GREATER:
    return BinaryOperator::Greater;
  case ClmParser::GREATER_EQUAL:
    return BinaryOperator::GreaterEqual;
  case ClmParser::EQUAL:
    return BinaryOperator::Equal;
  case ClmParser::NOT_EQUAL:
    return BinaryOperator::NotEqual;
  case ClmParser::AND:
    return BinaryOperator::And;
  default: // the grammar admits no other
    return BinaryOperator::Or;
  }
}

} // namespace

SourceRange ExpressionBuilder::rangeOf(const antlr4::Token &token) const {
  return {errors.fileId(), beginOf(token), endOf(token)};
}

SourceRange ExpressionBuilder::rangeOf(const antlr4::ParserRuleContext &context) const {
  return {errors.fileId(), beginOf(*context.start), endOf(*context.stop)};
}

std::string ExpressionBuilder::textOf(const antlr4::Token &token) const {
  return std::string(text.substr(beginOf(token), endOf(token) - beginOf(token)));
}

Identifier ExpressionBuilder::identifier(const antlr4::Token &token) const { return {textOf(token), rangeOf(token)}; }

Identifier ExpressionBuilder::identifier(Parser::NameContext &name) const { return identifier(*name.start); }

ExprPtr ExpressionBuilder::nameExpression(Parser::NameContext &name) const {
  return makeExpression(rangeOf(name), NameExpr{textOf(*name.start)});
}

std::vector<ExprPtr> ExpressionBuilder::expressions(const std::vector<Parser::ExpressionContext *> &contexts,
                                                    std::size_t from) {
  std::vector<ExprPtr> result;
  for (std::size_t i = from; i < contexts.size(); ++i)
    result.push_back(expression(*contexts[i]));
  return result;
}

ExprPtr ExpressionBuilder::optionalExpression(Parser::ExpressionContext *context) {
  return context ? expression(*context) : nullptr;
}

ExprPtr ExpressionBuilder::over(ExprPtr value, std::vector<ExprPtr> axes) {
  if (axes.empty())
    return value;
  SourceRange range = SourceRange::join(value->range, axes.back()->range);
  return makeExpression(range, OverExpr{std::move(value), std::move(axes)});
}

ExprPtr ExpressionBuilder::expression(Parser::ExpressionContext &context) {
  std::vector<Parser::OperationContext *> operations = context.operation();
  ExprPtr value;
  if (context.range) {
    RangeExpr range;
    bool hasFirst = !operations.empty() && operations.front()->start == context.start;
    if (hasFirst)
      range.first = operation(*operations.front());
    if (operations.size() > (hasFirst ? 1 : 0))
      range.last = operation(*operations.back());
    SourceRange place = SourceRange::join(range.first ? range.first->range : rangeOf(*context.range),
                                          range.last ? range.last->range : rangeOf(*context.range));
    value = makeExpression(place, std::move(range));
  } else {
    value = operation(*operations.front());
  }
  Parser::EvaluationContext *evaluation = context.evaluation();
  if (!evaluation)
    return value;
  AtExpr at{std::move(value), nullptr, std::nullopt};
  if (evaluation->operation())
    at.task = operation(*evaluation->operation());
  if (evaluation->evaluationMode())
    at.mode = identifier(*evaluation->evaluationMode()->start);
  return makeExpression(rangeOf(context), std::move(at));
}

ExprPtr ExpressionBuilder::operation(Parser::OperationContext &context) {
  if (context.primary()) {
    ExprPtr value = primary(*context.primary());
    for (Parser::SuffixOrCallContext *part : context.suffixOrCall())
      value = part->suffix() ? suffix(std::move(value), *part->suffix()) : call(std::move(value), *part->arguments());
    return value;
  }
  if (context.op->getType() == Parser::IF)
    return makeExpression(rangeOf(context),
                          IfExpr{expression(*context.expression(0)), expression(*context.expression(1)),
                                 operation(*context.operation(0))});
  if (context.operation().size() == 2)
    return binary(context);
  UnaryOperator op = context.op->getType() == Parser::MINUS ? UnaryOperator::Negate : UnaryOperator::Not;
  return makeExpression(rangeOf(context), UnaryExpr{op, operation(*context.operation(0))});
}

ExprPtr ExpressionBuilder::binary(Parser::OperationContext &context) {
  ExprPtr left = operation(*context.operation(0));
  ExprPtr right = operation(*context.operation(1));
  BinaryOperator op = binaryOperator(context.op->getType());
  return makeExpression(rangeOf(context), BinaryExpr{op, std::move(left), std::move(right)});
}

ExprPtr ExpressionBuilder::suffix(ExprPtr base, Parser::SuffixContext &context) {
  SourceRange range = SourceRange::join(base->range, rangeOf(context));
  if (context.name())
    return makeExpression(range, MemberExpr{std::move(base), identifier(*context.name())});
  return makeExpression(range, IndexExpr{std::move(base), expressions(context.expression())});
}

ExprPtr ExpressionBuilder::call(ExprPtr callee, Parser::ArgumentsContext &context) {
  SourceRange range = SourceRange::join(callee->range, rangeOf(context));
  CallExpr call{std::move(callee), {}, generators(context.generators())};
  OverExpr *lastOver = nullptr; // takes the positional arguments that follow it as axes
  for (Parser::ArgumentContext *argument : context.argument()) {
    ExprPtr value = expression(*argument->expression(0));
    bool hasOver = argument->expression().size() > 1;
    if (lastOver && !argument->name() && !hasOver) {
      call.arguments.back().value->range.end = value->range.end;
      lastOver->axes.push_back(std::move(value));
      continue;
    }
    CallArgument &added = call.arguments.emplace_back();
    if (argument->name())
      added.name = identifier(*argument->name());
    added.value = over(std::move(value), expressions(argument->expression(), 1));
    lastOver = hasOver ? &std::get<OverExpr>(added.value->node) : nullptr;
  }
  return makeExpression(range, std::move(call));
}

ExprPtr ExpressionBuilder::literal(const antlr4::Token &token) const {
  SourceRange range = rangeOf(token);
  switch (token.getType()) {
  case Parser::TRUE:
  case Parser::FALSE:
    return makeExpression(range, BoolExpr{token.getType() == Parser::TRUE});
  case Parser::STRING:
    return makeExpression(range, StringExpr{stringValue(textOf(token)).value()});
  default: {
    bool isInteger = token.getType() == Parser::INTEGER;
    return makeExpression(range, NumberExpr{numberValue(textOf(token), isInteger).value(), isInteger});
  }
  }
}

ExprPtr ExpressionBuilder::primary(Parser::PrimaryContext &context) {
  switch (context.start->getType()) {
  case Parser::TRUE:
  case Parser::FALSE:
  case Parser::STRING:
  case Parser::INTEGER:
  case Parser::REAL:
    return literal(*context.start);
  case Parser::OPEN_PARENTHESIS: {
    // The range of a parenthesized expression takes the parentheses in, so that carets underline them.
    ExprPtr value = over(expression(*context.expression(0)), expressions(context.expression(), 1));
    value->range = rangeOf(context);
    return value;
  }
  case Parser::OPEN_BRACKET:
    return makeExpression(rangeOf(context), ListExpr{expressions(context.expression())});
  default:
    break;
  }
  if (context.generator())
    return makeExpression(rangeOf(context),
                          ForExpr{generator(*context.generator()), expression(*context.expression(0))});
  return nameExpression(*context.name());
}

TypeExpr ExpressionBuilder::type(Parser::TypeContext &context) {
  TypeExpr type;
  type.range = rangeOf(context);
  type.element = identifier(*context.name());
  type.like = optionalExpression(context.expression());
  type.hasShape = context.OPEN_BRACKET() != nullptr;
  for (Parser::AxisContext *axis : context.axis())
    type.axes.push_back(optionalExpression(axis->expression()));
  return type;
}

std::optional<TypeExpr> ExpressionBuilder::optionalType(Parser::TypeContext *context) {
  if (!context)
    return std::nullopt;
  return type(*context);
}

Generator ExpressionBuilder::generator(Parser::GeneratorContext &context) {
  return {identifier(*context.name()), expression(*context.expression())};
}

std::vector<Generator> ExpressionBuilder::generators(const std::vector<Parser::GeneratorContext *> &contexts) {
  std::vector<Generator> result;
  for (Parser::GeneratorContext *context : contexts)
    result.push_back(generator(*context));
  return result;
}

std::vector<Generator> ExpressionBuilder::generators(Parser::GeneratorsContext *context) {
  return context ? generators(context->generator()) : std::vector<Generator>();
}

} // namespace clm::syntax
