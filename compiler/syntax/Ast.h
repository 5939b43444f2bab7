/// \file
/// Syntax tree of a `.clm` file. Built by the parser, read by sema and the printer; it knows neither ANTLR nor MLIR.
///
/// Every node carries the range it was written in. Trees own their children; names are kept as written.
#pragma once

#include "support/SourceFile.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clm::syntax {

struct Expr;
struct Statement;
struct Declaration;
using ExprPtr = std::unique_ptr<Expr>;

/// A name together with its place.
struct Identifier {
  std::string text;
  SourceRange range;
};

//===- Expressions ------------------------------------------------------------------------------------------------===//

/// `400`, `0.75`, `1e-4`. `isInteger` when written without point and exponent.
struct NumberExpr {
  double value = 0;
  bool isInteger = false;
};

struct BoolExpr {
  bool value = false;
};

struct StringExpr {
  std::string value;
};

struct NameExpr {
  std::string name;
};

/// `base.member`
struct MemberExpr {
  ExprPtr base;
  Identifier member;
};

/// `base[index, ...]`
struct IndexExpr {
  ExprPtr base;
  std::vector<ExprPtr> indices;
};

/// One argument of a call: `value` or `name = value`.
struct CallArgument {
  std::optional<Identifier> name;
  ExprPtr value;
};

/// `variable in range` of a comprehension or a rule.
struct Generator {
  Identifier variable;
  ExprPtr range;
};

/// `callee(arguments)`, or a reduction `callee(argument for variable in range)`.
struct CallExpr {
  ExprPtr callee;
  std::vector<CallArgument> arguments;
  std::vector<Generator> generators;
};

enum class UnaryOperator { Negate, Not };

struct UnaryExpr {
  UnaryOperator op;
  ExprPtr operand;
};

enum class BinaryOperator {
  Add,
  Subtract,
  Multiply,
  Divide,
  Contract, // `a @ b`
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
};

struct BinaryExpr {
  BinaryOperator op;
  ExprPtr left, right;
};

/// `if condition then a else b`
struct IfExpr {
  ExprPtr condition, thenValue, elseValue;
};

/// `value over axis, axis` (a reduction's axes) or `logits over old` (a task range).
struct OverExpr {
  ExprPtr value;
  std::vector<ExprPtr> axes;
};

/// `net(x) at u in eval`: evaluation under a task, a mode, or both.
struct AtExpr {
  ExprPtr value;
  ExprPtr task;                   // null when only a mode is given
  std::optional<Identifier> mode; // `train` or `eval`
};

/// `[a, b]`
struct ListExpr {
  std::vector<ExprPtr> elements;
};

/// `for t in seen { value }`: stacks along the task axis.
struct ForExpr {
  Generator generator;
  ExprPtr value;
};

/// `a..b`, either side may be absent (`..t`).
struct RangeExpr {
  ExprPtr first, last;
};

struct Expr {
  SourceRange range;
  std::variant<NumberExpr, BoolExpr, StringExpr, NameExpr, MemberExpr, IndexExpr, CallExpr, UnaryExpr, BinaryExpr,
               IfExpr, OverExpr, AtExpr, ListExpr, ForExpr, RangeExpr>
      node;
};

//===- Types ------------------------------------------------------------------------------------------------------===//

/// `f32[B, units, H/P * W/P]`, `int`, `bool`, `like(x)`, `f32[..., in]`.
struct TypeExpr {
  SourceRange range;
  /// `f32`, `int`, `bool` or `like`.
  Identifier element;
  /// Argument of `like(...)`; null otherwise.
  ExprPtr like;
  /// Absent for a scalar written without brackets.
  bool hasShape = false;
  /// Axes in order; a null pointer stands for `...`.
  std::vector<ExprPtr> axes;
};

//===- Declarations and statements --------------------------------------------------------------------------------===//

/// `name : type = default` in a configuration or input list.
struct ParameterDecl {
  Identifier name;
  std::optional<TypeExpr> type;
  ExprPtr defaultValue; // may be null
};

/// `return value;`
struct ReturnStatement {
  ExprPtr value;
};

/// `let name[generators] = value;`
struct LetStatement {
  Identifier name;
  std::vector<Generator> indices;
  std::optional<TypeExpr> type;
  ExprPtr value;
  bool isPrivate = false; // only at the top level of a file
};

/// `site name : type = value;`: a place where a method may attach.
struct SiteStatement {
  Identifier name;
  std::optional<TypeExpr> type;
  ExprPtr value;
};

/// How a variable is declared: which memory it lives in.
enum class VariableKind { Param, State, Token, Noise };

/// `param w[generators] : type ~ distribution;`, `state s : type = value;`, `noise u : like(x) ~ uniform(0, 1);`
struct VariableDecl {
  VariableKind kind;
  Identifier name;
  std::vector<Generator> indices;
  std::optional<TypeExpr> type;
  ExprPtr distribution; // after `~`; null when absent
  ExprPtr value;        // after `=`; null when absent
};

/// `head clf = linear(classes);`
struct HeadDecl {
  Identifier name;
  ExprPtr value;
};

/// `norm bn[site in net.sites];`
struct NormDecl {
  Identifier name;
  std::vector<Generator> indices;
};

/// `per task { ... }`, `shared { ... }`, `auxiliary { ... }`
struct ScopeBlock {
  enum class Kind { PerTask, Shared, Auxiliary } kind;
  std::vector<Statement> members;
};

/// `schedule s = anneal(...) at eval value;`
struct ScheduleDecl {
  Identifier name;
  ExprPtr value;
  ExprPtr evalValue; // null when the schedule is the same in evaluation
};

/// `mask site.units by a[site] for site in net.sites;`
struct MaskRule {
  ExprPtr target;
  ExprPtr factor;
  std::vector<Generator> generators;
};

/// `attend cls[t] -> patches, cls[t], memory[u] for u in ..t;`; a segment with a generator is a `ForExpr`.
struct AttendRule {
  ExprPtr from;
  std::vector<ExprPtr> to;
};

/// `gradient p in net.params by factor;` (with a variable) or `gradient e by factor;`
struct GradientRule {
  std::optional<Generator> generator;
  ExprPtr target; // null when a generator is given
  ExprPtr factor;
};

/// `clip norm 10000;` or `clip norm 10000 over clf;`
struct ClipRule {
  Identifier kind; // `norm`
  ExprPtr bound;
  std::vector<ExprPtr> over; // empty: everything that is trained
};

/// `clamp e to [-6, 6];`
struct ClampRule {
  ExprPtr target;
  ExprPtr low, high;
};

/// `freeze net;`, `freeze site.producer.w over frozen[site] for site in net.sites;`, `thaw old;`, `reinit not frozen;`
struct FreezeRule {
  enum class Kind { Freeze, Thaw, Reinit } kind;
  ExprPtr target;
  ExprPtr over; // null when absent
  std::vector<Generator> generators;
};

/// `loss name = value;` or `loss cross_entropy(logits, y);` (named by the callee). `loss a = value over current;` is an
/// `OverExpr` in `value`.
struct LossTerm {
  Identifier name;
  ExprPtr value;
};

/// `predict task = value;` or `predict class = value;`
struct PredictRule {
  Identifier form;
  ExprPtr value;
};

/// `name = value;` inside `after task`, `model` and the like; `target` may be indexed.
struct AssignStatement {
  ExprPtr target;
  ExprPtr value;
};

/// `for p in net.params { ... }`
struct ForStatement {
  Generator generator;
  std::vector<Statement> body;
};

/// `after task { ... }`, `before task { ... }`
struct TaskHook {
  enum class Kind { Before, After } kind;
  std::vector<Statement> body;
};

/// `memory 2000 { ... }`
struct MemoryBlock {
  ExprPtr budget;
  std::vector<Statement> settings;
};

/// `pretrained net from "file";`
struct PretrainedRule {
  ExprPtr target;
  ExprPtr source;
};

/// A setting of `model`, `train` or `phase` written as words: `epochs 200;`, `optimizer sgd(lr = 0.05);`,
/// `restore best;`, `data digits;`, `scenario task_incremental;`. What follows the name stands in `values`: nothing for
/// `early_stop;`, one name a word for `balanced per class;`, and for `plateau(lr, patience = 5);` the whole call (a
/// `CallExpr` whose callee is the setting's name). `for loss task;` is a setting named `for` with the losses as values.
struct Setting {
  Identifier name;
  std::vector<ExprPtr> values;
};

/// `train { ... }` and `phase main { ... }` inside it.
struct TrainBlock {
  std::optional<Identifier> phase; // set for a phase
  std::vector<Statement> settings;
};

/// A layer, a network or a function defined in the language; which one, `kind` says.
struct CallableDecl {
  enum class Kind { Layer, Network, Function } kind;
  Identifier name;
  std::vector<Generator> indices;           // `layer gate[site in net.sites](h)` inside `per task`
  std::vector<ParameterDecl> configuration; // empty for functions
  bool hasConfiguration = false;            // `layer f()(x)` against `layer f(x)`
  std::vector<ParameterDecl> inputs;
  std::optional<TypeExpr> result;
  std::vector<Statement> body; // `= expr` becomes one return statement
  /// `derivative (y, dy) -> d1, d2`: names of the result and its cotangent, then one cotangent per input.
  std::optional<std::vector<Identifier>> derivativeNames;
  std::vector<ExprPtr> derivatives;
  bool isPrivate = false;
};

/// `method hat(smax: f32 = 400) on net { ... }`
struct MethodDecl {
  Identifier name;
  std::vector<ParameterDecl> configuration;
  Identifier network;                   // name after `on`
  std::optional<Identifier> constraint; // `on net : vit`
  std::vector<Statement> body;
  bool isPrivate = false;
};

/// `model name { ... }`
struct ModelDecl {
  std::optional<Identifier> name;
  std::vector<Statement> body;
};

struct Statement {
  SourceRange range;
  std::variant<ReturnStatement, LetStatement, SiteStatement, VariableDecl, HeadDecl, NormDecl, ScopeBlock, ScheduleDecl,
               MaskRule, AttendRule, GradientRule, ClipRule, ClampRule, FreezeRule, LossTerm, PredictRule,
               AssignStatement, ForStatement, TaskHook, MemoryBlock, PretrainedRule, Setting, TrainBlock,
               std::unique_ptr<CallableDecl>>
      node;
};

/// `import std.nets.mlp;` or `import ./mine.clm;`
struct ImportDecl {
  SourceRange range;
  /// As written: `std.nets.mlp` or `./mine.clm`.
  std::string path;
  bool isFile = false;
};

struct Declaration {
  SourceRange range;
  std::variant<std::unique_ptr<CallableDecl>, std::unique_ptr<MethodDecl>, std::unique_ptr<ModelDecl>, LetStatement>
      node;
};

/// One parsed file.
struct File {
  FileId id = -1;
  std::vector<ImportDecl> imports;
  std::vector<Declaration> declarations;
};

} // namespace clm::syntax
