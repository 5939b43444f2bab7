#include "syntax/TreeBuilder.h"

#include "syntax/Tokens.h"

#include <fmt/format.h>

namespace clm::syntax {

namespace {

template <typename Node>
Statement makeStatement(SourceRange range, Node node) {
  return {range, std::move(node)};
}

CallableDecl::Kind callableKind(std::size_t token) {
  if (token == grammar::ClmParser::LAYER)
    return CallableDecl::Kind::Layer;
  return token == grammar::ClmParser::NETWORK ? CallableDecl::Kind::Network : CallableDecl::Kind::Function;
}

VariableKind variableKind(std::size_t token) {
  switch (token) {
  case grammar::ClmParser::PARAM:
    return VariableKind::Param;
  case grammar::ClmParser::STATE:
    return VariableKind::State;
  case grammar::ClmParser::TOKEN:
    return VariableKind::Token;
  default: // the grammar admits no other
    return VariableKind::Noise;
  }
}

} // namespace

//===- Files and declarations -------------------------------------------------------------------------------------===//

File TreeBuilder::file(Parser::FileContext &context) {
  File file;
  file.id = errors.fileId();
  for (Parser::ItemContext *item : context.item()) {
    if (item->importItem())
      imports(*item->importItem(), file);
    else
      file.declarations.push_back(declaration(*item));
  }
  return file;
}

void TreeBuilder::imports(Parser::ImportItemContext &context, File &file) {
  for (Parser::ImportPathContext *path : context.importPath()) {
    ImportDecl import{rangeOf(*path), {}, path->PATH() != nullptr};
    if (import.isFile)
      import.path = textOf(*path->start);
    for (Parser::NameContext *name : path->name())
      import.path += (import.path.empty() ? "" : ".") + textOf(*name->start);
    file.imports.push_back(std::move(import));
  }
}

Declaration TreeBuilder::declaration(Parser::ItemContext &context) {
  SourceRange range = rangeOf(context);
  bool isPrivate = context.PRIVATE() != nullptr;
  if (Parser::CallableContext *written = context.callable()) {
    auto declared =
        callable(callableKind(written->kind->getType()), *written->callableHeader(), *written->callableBody());
    declared->isPrivate = isPrivate;
    return {range, std::move(declared)};
  }
  if (Parser::MethodContext *written = context.method()) {
    Parser::MethodHeaderContext &header = *written->methodHeader();
    auto declared = std::make_unique<MethodDecl>();
    declared->name = identifier(*header.name(0));
    if (header.parameters())
      declared->configuration = parameters(*header.parameters());
    declared->network = identifier(*header.name(1));
    if (header.name().size() > 2)
      declared->constraint = identifier(*header.name(2));
    declared->body = block(*written->block());
    declared->isPrivate = isPrivate;
    return {range, std::move(declared)};
  }
  if (Parser::ModelContext *written = context.model()) {
    auto declared = std::make_unique<ModelDecl>();
    if (written->modelHeader()->name())
      declared->name = identifier(*written->modelHeader()->name());
    declared->body = settingBlock(*written->settingBlock());
    return {range, std::move(declared)};
  }
  LetStatement declared = let(*context.let());
  declared.isPrivate = isPrivate;
  return {range, std::move(declared)};
}

std::unique_ptr<CallableDecl> TreeBuilder::callable(CallableDecl::Kind kind, Parser::CallableHeaderContext &header,
                                                    Parser::CallableBodyContext &body) {
  auto declared = std::make_unique<CallableDecl>();
  declared->kind = kind;
  declared->name = identifier(*header.name());
  if (header.indices())
    declared->indices = generators(header.indices()->generator());
  declared->hasConfiguration = header.parameters().size() > 1;
  if (declared->hasConfiguration)
    declared->configuration = parameters(*header.parameters(0));
  declared->inputs = parameters(*header.parameters().back());
  declared->result = optionalType(header.type());
  if (body.block()) {
    declared->body = block(*body.block());
  } else {
    ExprPtr value = expression(*body.expression());
    SourceRange range = value->range;
    declared->body.push_back(makeStatement(range, ReturnStatement{std::move(value)}));
  }
  if (Parser::DerivativeContext *derivative = body.derivative()) {
    declared->derivativeNames = {identifier(*derivative->name(0)), identifier(*derivative->name(1))};
    declared->derivatives = expressions(derivative->expression());
  }
  return declared;
}

std::vector<ParameterDecl> TreeBuilder::parameters(Parser::ParametersContext &context) {
  std::vector<ParameterDecl> result;
  for (Parser::ParameterContext *parameter : context.parameter())
    result.push_back(
        {identifier(*parameter->name()), optionalType(parameter->type()), optionalExpression(parameter->expression())});
  return result;
}

LetStatement TreeBuilder::let(Parser::LetContext &context) {
  LetStatement let{identifier(*context.name()), {}, optionalType(context.type()), expression(*context.expression())};
  if (context.indices())
    let.indices = generators(context.indices()->generator());
  return let;
}

//===- Statements -------------------------------------------------------------------------------------------------===//

std::vector<Statement> TreeBuilder::block(Parser::BlockContext &context) {
  std::vector<Statement> result;
  for (Parser::StatementContext *written : context.statement())
    result.push_back(written->assignment() ? assignment(*written->assignment())
                                           : statement(*written->keywordStatement()));
  return result;
}

std::vector<Statement> TreeBuilder::settingBlock(Parser::SettingBlockContext &context) {
  std::vector<Statement> result;
  for (antlr4::tree::ParseTree *child : context.children) {
    if (auto *written = dynamic_cast<Parser::KeywordStatementContext *>(child))
      result.push_back(statement(*written));
    else if (auto *writtenSetting = dynamic_cast<Parser::SettingContext *>(child))
      result.push_back(setting(*writtenSetting));
  }
  return result;
}

Statement TreeBuilder::statement(Parser::KeywordStatementContext &context) {
  if (std::optional<Statement> result = declarationStatement(context))
    return std::move(*result);
  if (std::optional<Statement> result = ruleStatement(context))
    return std::move(*result);
  return blockStatement(context);
}

/// Statements that bring a name in, and `return`.
std::optional<Statement> TreeBuilder::declarationStatement(Parser::KeywordStatementContext &context) {
  SourceRange range = rangeOf(context);
  if (context.returnStatement())
    return makeStatement(range, ReturnStatement{expression(*context.returnStatement()->expression())});
  if (context.let())
    return makeStatement(range, let(*context.let()));
  if (Parser::SiteContext *site = context.site())
    return makeStatement(
        range, SiteStatement{identifier(*site->name()), optionalType(site->type()), expression(*site->expression())});
  if (context.variable())
    return makeStatement(range, variable(*context.variable()));
  if (Parser::HeadContext *head = context.head())
    return makeStatement(range, HeadDecl{identifier(*head->name()), expression(*head->expression())});
  if (Parser::NormContext *norm = context.norm())
    return makeStatement(range,
                         NormDecl{identifier(*norm->name()), norm->indices() ? generators(norm->indices()->generator())
                                                                             : std::vector<Generator>()});
  if (Parser::LayerContext *layer = context.layer())
    return makeStatement(range, callable(CallableDecl::Kind::Layer, *layer->callableHeader(), *layer->callableBody()));
  if (Parser::ScheduleContext *schedule = context.schedule())
    return makeStatement(range, ScheduleDecl{identifier(*schedule->name()), operation(*schedule->operation()),
                                             optionalExpression(schedule->expression())});
  return std::nullopt;
}

/// Rules, losses and predictions.
std::optional<Statement> TreeBuilder::ruleStatement(Parser::KeywordStatementContext &context) {
  SourceRange range = rangeOf(context);
  if (Parser::MaskRuleContext *mask = context.maskRule())
    return makeStatement(range, MaskRule{expression(*mask->expression(0)), expression(*mask->expression(1)),
                                         generators(mask->generators())});
  if (context.attendRule())
    return makeStatement(range, attend(*context.attendRule()));
  if (context.gradientRule())
    return makeStatement(range, gradient(*context.gradientRule()));
  if (Parser::ClipRuleContext *clip = context.clipRule())
    return makeStatement(range, ClipRule{identifier(*clip->name()), expression(*clip->expression(0)),
                                         expressions(clip->expression(), 1)});
  if (Parser::ClampRuleContext *clamp = context.clampRule())
    return makeStatement(range, ClampRule{expression(*clamp->expression(0)), expression(*clamp->expression(1)),
                                          expression(*clamp->expression(2))});
  if (context.freezeRule())
    return makeStatement(range, freeze(*context.freezeRule()));
  if (context.loss())
    return makeStatement(range, loss(*context.loss()));
  if (Parser::PredictContext *predict = context.predict())
    return makeStatement(range, PredictRule{identifier(*predict->name()), expression(*predict->expression())});
  if (Parser::PretrainedContext *pretrained = context.pretrained())
    return makeStatement(
        range, PretrainedRule{expression(*pretrained->expression(0)), expression(*pretrained->expression(1))});
  return std::nullopt;
}

/// Statements that hold others.
Statement TreeBuilder::blockStatement(Parser::KeywordStatementContext &context) {
  SourceRange range = rangeOf(context);
  if (Parser::ScopeContext *scope = context.scope()) {
    ScopeBlock::Kind kind = scope->PER()      ? ScopeBlock::Kind::PerTask
                            : scope->SHARED() ? ScopeBlock::Kind::Shared
                                              : ScopeBlock::Kind::Auxiliary;
    return makeStatement(range, ScopeBlock{kind, block(*scope->block())});
  }
  if (Parser::HookContext *hook = context.hook())
    return makeStatement(
        range, TaskHook{hook->BEFORE() ? TaskHook::Kind::Before : TaskHook::Kind::After, block(*hook->block())});
  if (Parser::MemoryContext *memory = context.memory())
    return makeStatement(range, MemoryBlock{expression(*memory->expression()), settingBlock(*memory->settingBlock())});
  if (Parser::TrainContext *train = context.train()) {
    TrainBlock built;
    if (train->name())
      built.phase = identifier(*train->name());
    built.settings = settingBlock(*train->settingBlock());
    return makeStatement(range, std::move(built));
  }
  Parser::ForStatementContext &loop = *context.forStatement();
  return makeStatement(range, ForStatement{generator(*loop.generator()), block(*loop.block())});
}

VariableDecl TreeBuilder::variable(Parser::VariableContext &context) {
  VariableDecl variable{variableKind(context.kind->getType()), identifier(*context.name()), {}, {}, {}, {}};
  if (context.indices())
    variable.indices = generators(context.indices()->generator());
  variable.type = optionalType(context.type());
  std::vector<Parser::ExpressionContext *> written = context.expression();
  if (context.DISTRIBUTED())
    variable.distribution = expression(*written.front());
  if (context.ASSIGN())
    variable.value = expression(*written.back());
  return variable;
}

GradientRule TreeBuilder::gradient(Parser::GradientRuleContext &context) {
  GradientRule rule;
  if (context.generator())
    rule.generator = generator(*context.generator());
  else
    rule.target = expression(*context.expression(0));
  rule.factor = expression(*context.expression().back());
  return rule;
}

AttendRule TreeBuilder::attend(Parser::AttendRuleContext &context) {
  AttendRule rule{expression(*context.expression()), {}};
  for (Parser::AttendedContext *attended : context.attended()) {
    ExprPtr segment = expression(*attended->expression());
    if (attended->generator())
      segment = std::make_unique<Expr>(
          Expr{rangeOf(*attended), ForExpr{generator(*attended->generator()), std::move(segment)}});
    rule.to.push_back(std::move(segment));
  }
  return rule;
}

FreezeRule TreeBuilder::freeze(Parser::FreezeRuleContext &context) {
  FreezeRule::Kind kind = context.kind->getType() == Parser::FREEZE ? FreezeRule::Kind::Freeze
                          : context.kind->getType() == Parser::THAW ? FreezeRule::Kind::Thaw
                                                                    : FreezeRule::Kind::Reinit;
  return {kind, expression(*context.expression(0)), optionalExpression(context.expression(1)),
          generators(context.generators())};
}

LossTerm TreeBuilder::loss(Parser::LossContext &context) {
  LossTerm term;
  ExprPtr value = expression(*context.expression(0));
  if (context.name()) {
    term.name = identifier(*context.name());
  } else {
    const auto *call = std::get_if<CallExpr>(&value->node);
    const auto *callee = call ? std::get_if<NameExpr>(&call->callee->node) : nullptr;
    if (callee)
      term.name = {callee->name, call->callee->range};
    else
      errors.add(value->range.begin, value->range.end, Diag::SyntaxError, "found a loss without a name")
          .help("write `loss name = value;`; only a call such as `cross_entropy(logits, y)` names the loss itself");
  }
  term.value = over(std::move(value), expressions(context.expression(), 1));
  return term;
}

ExprPtr TreeBuilder::assigned(const antlr4::Token &name, const std::vector<Parser::SuffixContext *> &suffixes) {
  ExprPtr target = std::make_unique<Expr>(Expr{rangeOf(name), NameExpr{textOf(name)}});
  for (Parser::SuffixContext *part : suffixes)
    target = suffix(std::move(target), *part);
  return target;
}

Statement TreeBuilder::assignment(Parser::AssignmentContext &context) {
  return makeStatement(rangeOf(context),
                       AssignStatement{assigned(*context.start, context.suffix()), expression(*context.expression())});
}

Statement TreeBuilder::setting(Parser::SettingContext &context) {
  SourceRange range = rangeOf(context);
  checkSettingLines(context);
  Setting setting{identifier(*context.start), {}};
  Parser::SettingTailContext *tail = context.settingTail();
  if (!tail) {
    for (Parser::NameContext *loss : context.name())
      setting.values.push_back(nameExpression(*loss));
    return makeStatement(range, std::move(setting));
  }
  if (tail->ASSIGN())
    return makeStatement(range,
                         AssignStatement{assigned(*context.start, tail->suffix()), expression(*tail->expression(0))});
  if (tail->arguments())
    setting.values.push_back(call(assigned(*context.start, {}), *tail->arguments()));
  else if (tail->settingWords())
    for (Parser::NameContext *word : tail->settingWords()->name())
      setting.values.push_back(nameExpression(*word));
  else
    setting.values = expressions(tail->expression());
  return makeStatement(range, std::move(setting));
}

/// Two settings on two lines without a `;` between them would read as one: its words must stand on one line.
void TreeBuilder::checkSettingLines(Parser::SettingContext &context) {
  Parser::SettingTailContext *tail = context.settingTail();
  if (!tail || tail->ASSIGN() || tail->arguments() || !tail->start)
    return;
  std::vector<const antlr4::Token *> words = {context.start};
  if (tail->settingWords())
    for (Parser::NameContext *word : tail->settingWords()->name())
      words.push_back(word->start);
  else if (!tail->expression().empty())
    words.push_back(tail->expression(0)->start);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i]->getLine() > words[i - 1]->getLine()) {
      std::uint32_t place = endOf(*words[i - 1]);
      errors.add(place, place, Diag::SyntaxError, fmt::format("found `{}`, expected `;`", textOf(*words[i])));
      return;
    }
}

} // namespace clm::syntax
