#include "syntax/ExpressionPrinter.h"

#include <fmt/format.h>

namespace clm::syntax {

namespace {

std::string_view spelling(BinaryOperator op) {
  switch (op) {
  case BinaryOperator::Add:
    return "+";
  case BinaryOperator::Subtract:
    return "-";
  case BinaryOperator::Multiply:
    return "*";
  case BinaryOperator::Divide:
    return "/";
  case BinaryOperator::Contract:
    return "@";
  case BinaryOperator::Less:
    return "<";
  case BinaryOperator::LessEqual:
    return "<=";
  case BinaryOperator::Greater:
    return ">";
  case BinaryOperator::GreaterEqual:
    return ">=";
  case BinaryOperator::Equal:
    return "==";
  case BinaryOperator::NotEqual:
    return "!=";
  case BinaryOperator::And:
    return "and";
  case BinaryOperator::Or:
    return "or";
  }
  return "";
}

/// ` a b` for the list [a, b].
std::string printAll(const std::vector<ExprPtr> &expressions) {
  std::string out;
  for (const ExprPtr &expression : expressions)
    out += " " + printExpression(*expression);
  return out;
}

/// One overload a node; each returns the whole form.
struct NodePrinter {
  std::string operator()(const NumberExpr &node) const {
    return node.isInteger ? fmt::format("{:.0f}", node.value) : fmt::format("{}", node.value);
  }
  std::string operator()(const BoolExpr &node) const { return node.value ? "true" : "false"; }
  std::string operator()(const StringExpr &node) const {
    std::string out = "\"";
    for (char character : node.value) {
      if (character == '"' || character == '\\')
        out += '\\';
      out += character == '\n' ? "\\n" : character == '\t' ? "\\t" : std::string(1, character);
    }
    return out + "\"";
  }
  std::string operator()(const NameExpr &node) const { return node.name; }
  std::string operator()(const MemberExpr &node) const {
    return fmt::format("(member {} {})", printExpression(*node.base), node.member.text);
  }
  std::string operator()(const IndexExpr &node) const {
    return fmt::format("(index {}{})", printExpression(*node.base), printAll(node.indices));
  }
  std::string operator()(const CallExpr &node) const {
    std::string out = "(call " + printExpression(*node.callee);
    for (const CallArgument &argument : node.arguments)
      out += " " + (argument.name ? argument.name->text + "=" : "") + printExpression(*argument.value);
    return out + printGenerators(node.generators) + ")";
  }
  std::string operator()(const UnaryExpr &node) const {
    return fmt::format("({} {})", node.op == UnaryOperator::Not ? "not" : "-", printExpression(*node.operand));
  }
  std::string operator()(const BinaryExpr &node) const {
    return fmt::format("({} {} {})", spelling(node.op), printExpression(*node.left), printExpression(*node.right));
  }
  std::string operator()(const IfExpr &node) const {
    return fmt::format("(if {} {} {})", printExpression(*node.condition), printExpression(*node.thenValue),
                       printExpression(*node.elseValue));
  }
  std::string operator()(const OverExpr &node) const {
    return fmt::format("(over {}{})", printExpression(*node.value), printAll(node.axes));
  }
  std::string operator()(const AtExpr &node) const {
    std::string out = "(at " + printExpression(*node.value);
    if (node.task)
      out += " " + printExpression(*node.task);
    return out + (node.mode ? " in " + node.mode->text : "") + ")";
  }
  std::string operator()(const ListExpr &node) const { return "(list" + printAll(node.elements) + ")"; }
  std::string operator()(const ForExpr &node) const {
    return fmt::format("(for {} in {} {})", node.generator.variable.text, printExpression(*node.generator.range),
                       printExpression(*node.value));
  }
  /// An open end is `_`.
  std::string operator()(const RangeExpr &node) const {
    return fmt::format("(range {} {})", node.first ? printExpression(*node.first) : "_",
                       node.last ? printExpression(*node.last) : "_");
  }
};

} // namespace

std::string printExpression(const Expr &expression) { return std::visit(NodePrinter(), expression.node); }

std::string printType(const TypeExpr &type) {
  if (type.like)
    return fmt::format("{}({})", type.element.text, printExpression(*type.like));
  if (!type.hasShape)
    return type.element.text;
  std::string out = type.element.text + "[";
  for (std::size_t i = 0; i < type.axes.size(); ++i)
    out += (i == 0 ? "" : ", ") + (type.axes[i] ? printExpression(*type.axes[i]) : "...");
  return out + "]";
}

std::string printGenerators(const std::vector<Generator> &generators) {
  std::string out;
  for (const Generator &generator : generators)
    out += fmt::format(" for {} in {}", generator.variable.text, printExpression(*generator.range));
  return out;
}

} // namespace clm::syntax
