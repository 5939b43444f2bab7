#include "syntax/AstPrinter.h"

#include "syntax/ExpressionPrinter.h"

#include <fmt/format.h>

namespace clm::syntax {

namespace {

std::string_view keyword(VariableKind kind) {
  switch (kind) {
  case VariableKind::Param:
    return "param";
  case VariableKind::State:
    return "state";
  case VariableKind::Token:
    return "token";
  case VariableKind::Noise:
    return "noise";
  }
  return "";
}

std::string_view keyword(CallableDecl::Kind kind) {
  switch (kind) {
  case CallableDecl::Kind::Layer:
    return "layer";
  case CallableDecl::Kind::Network:
    return "network";
  case CallableDecl::Kind::Function:
    return "function";
  }
  return "";
}

std::string_view keyword(ScopeBlock::Kind kind) {
  switch (kind) {
  case ScopeBlock::Kind::PerTask:
    return "per task";
  case ScopeBlock::Kind::Shared:
    return "shared";
  case ScopeBlock::Kind::Auxiliary:
    return "auxiliary";
  }
  return "";
}

std::string_view keyword(FreezeRule::Kind kind) {
  switch (kind) {
  case FreezeRule::Kind::Freeze:
    return "freeze";
  case FreezeRule::Kind::Thaw:
    return "thaw";
  case FreezeRule::Kind::Reinit:
    return "reinit";
  }
  return "";
}

/// `[site in (member net sites)]`, or nothing.
std::string printIndices(const std::vector<Generator> &indices) {
  std::string out;
  for (const Generator &index : indices)
    out += fmt::format("{}{} in {}", out.empty() ? "[" : ", ", index.variable.text, printExpression(*index.range));
  return out.empty() ? out : out + "]";
}

std::string printOptionalType(const std::optional<TypeExpr> &type) { return type ? " : " + printType(*type) : ""; }

/// ` = value`, or nothing; `sign` stands between.
std::string printOptional(std::string_view sign, const ExprPtr &value) {
  return value ? fmt::format(" {} {}", sign, printExpression(*value)) : "";
}

std::string printList(const std::vector<ExprPtr> &expressions) {
  std::string out;
  for (const ExprPtr &expression : expressions)
    out += (out.empty() ? "" : ", ") + printExpression(*expression);
  return out;
}

class Printer {
public:
  std::string print(const File &file) {
    for (const ImportDecl &import : file.imports)
      line("import {}{}", import.isFile ? "file " : "", import.path);
    for (const Declaration &declaration : file.declarations)
      std::visit([&](const auto &node) { show(node); }, declaration.node);
    return std::move(out);
  }

private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    out.append(2 * depth, ' ');
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    out += '\n';
  }

  void block(const std::vector<Statement> &statements) {
    ++depth;
    for (const Statement &statement : statements)
      std::visit([&](const auto &node) { show(node); }, statement.node);
    --depth;
  }

  void parameters(std::string_view word, const std::vector<ParameterDecl> &declared) {
    ++depth;
    for (const ParameterDecl &parameter : declared)
      line("{} {}{}{}", word, parameter.name.text, printOptionalType(parameter.type),
           printOptional("=", parameter.defaultValue));
    --depth;
  }

  void show(const std::unique_ptr<CallableDecl> &node) {
    line("{}{} {}{}", node->isPrivate ? "private " : "", keyword(node->kind), node->name.text,
         printIndices(node->indices));
    parameters("configuration", node->configuration);
    parameters("input", node->inputs);
    ++depth;
    if (node->result)
      line("result {}", printType(*node->result));
    --depth;
    block(node->body);
    ++depth;
    if (node->derivativeNames)
      line("derivative {} {} -> {}", node->derivativeNames->at(0).text, node->derivativeNames->at(1).text,
           printList(node->derivatives));
    --depth;
  }

  void show(const std::unique_ptr<MethodDecl> &node) {
    line("{}method {} on {}{}", node->isPrivate ? "private " : "", node->name.text, node->network.text,
         node->constraint ? " : " + node->constraint->text : "");
    parameters("configuration", node->configuration);
    block(node->body);
  }

  void show(const std::unique_ptr<ModelDecl> &node) {
    line("model{}", node->name ? " " + node->name->text : "");
    block(node->body);
  }

  void show(const ReturnStatement &node) { line("return {}", printExpression(*node.value)); }
  void show(const LetStatement &node) {
    line("{}let {}{}{} = {}", node.isPrivate ? "private " : "", node.name.text, printIndices(node.indices),
         printOptionalType(node.type), printExpression(*node.value));
  }
  void show(const SiteStatement &node) {
    line("site {}{} = {}", node.name.text, printOptionalType(node.type), printExpression(*node.value));
  }
  void show(const VariableDecl &node) {
    line("{} {}{}{}{}{}", keyword(node.kind), node.name.text, printIndices(node.indices), printOptionalType(node.type),
         printOptional("~", node.distribution), printOptional("=", node.value));
  }
  void show(const HeadDecl &node) { line("head {} = {}", node.name.text, printExpression(*node.value)); }
  void show(const NormDecl &node) { line("norm {}{}", node.name.text, printIndices(node.indices)); }
  void show(const ScopeBlock &node) {
    line("{}", keyword(node.kind));
    block(node.members);
  }
  void show(const ScheduleDecl &node) {
    line("schedule {} = {}{}", node.name.text, printExpression(*node.value), printOptional("at eval", node.evalValue));
  }
  void show(const MaskRule &node) {
    line("mask {} by {}{}", printExpression(*node.target), printExpression(*node.factor),
         printGenerators(node.generators));
  }
  void show(const AttendRule &node) { line("attend {} -> {}", printExpression(*node.from), printList(node.to)); }
  void show(const GradientRule &node) {
    std::string target =
        node.generator ? fmt::format("{} in {}", node.generator->variable.text, printExpression(*node.generator->range))
                       : printExpression(*node.target);
    line("gradient {} by {}", target, printExpression(*node.factor));
  }
  void show(const ClipRule &node) {
    line("clip {} {}{}{}", node.kind.text, printExpression(*node.bound), node.over.empty() ? "" : " over ",
         printList(node.over));
  }
  void show(const ClampRule &node) {
    line("clamp {} to {}, {}", printExpression(*node.target), printExpression(*node.low), printExpression(*node.high));
  }
  void show(const FreezeRule &node) {
    line("{} {}{}{}", keyword(node.kind), printExpression(*node.target), printOptional("over", node.over),
         printGenerators(node.generators));
  }
  void show(const LossTerm &node) { line("loss {} = {}", node.name.text, printExpression(*node.value)); }
  void show(const PredictRule &node) { line("predict {} = {}", node.form.text, printExpression(*node.value)); }
  void show(const AssignStatement &node) {
    line("assign {} = {}", printExpression(*node.target), printExpression(*node.value));
  }
  void show(const ForStatement &node) {
    line("for {} in {}", node.generator.variable.text, printExpression(*node.generator.range));
    block(node.body);
  }
  void show(const TaskHook &node) {
    line("{} task", node.kind == TaskHook::Kind::Before ? "before" : "after");
    block(node.body);
  }
  void show(const MemoryBlock &node) {
    line("memory {}", printExpression(*node.budget));
    block(node.settings);
  }
  void show(const PretrainedRule &node) {
    line("pretrained {} from {}", printExpression(*node.target), printExpression(*node.source));
  }
  void show(const Setting &node) {
    line("setting {}{}{}", node.name.text, node.values.empty() ? "" : " ", printList(node.values));
  }
  void show(const TrainBlock &node) {
    if (node.phase)
      line("phase {}", node.phase->text);
    else
      line("train");
    block(node.settings);
  }

  std::string out;
  std::size_t depth = 0;
};

} // namespace

std::string printAst(const File &file) { return Printer().print(file); }

} // namespace clm::syntax
