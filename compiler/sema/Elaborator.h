/// \file
/// Evaluates the language over compile-time values and nodes of one function: expressions, calls, bodies of layers,
/// declarations. What surrounds them, a network inside a method, is behind `Surroundings`.
#pragma once

#include "sema/Builtins.h"
#include "sema/ModelTables.h"
#include "sema/Scope.h"

#include <utility>

#include <utility>

namespace clm::sema {

/// What a body can meet that is decided outside of it.
class Surroundings {
public:
  virtual ~Surroundings() = default;

  /// The value that flows on from a site: masks act here.
  virtual Value attach(const SiteInfo &site, const Operand &value) = 0;
  /// Whether the function being built gives this entry its first value, and has not done so yet.
  virtual bool initializes(const EntryInfo &entry) = 0;
  virtual void setInitialValue(const EntryInfo &entry, const TensorValue &value) = 0;
  virtual Value callNetwork(const Operand &input, SourceRange range) = 0;
  /// `net.sites`
  virtual Value sites(SourceRange range) = 0;
  /// Axes of an entry on which a mask acts.
  virtual AxisList gatedAxes(const EntryInfo &entry) = 0;
  /// `sum(value for batch in data(t))`
  virtual Value dataPass(Arithmetic::Reduction reduction, const syntax::Expr &value, Scope &scope,
                         SourceRange range) = 0;
};

class Elaborator {
public:
  Elaborator(ModelTables &tables, Reporter &reporter, FunctionBuilder &builder, Surroundings &surroundings,
             bool training)
      : arithmetic(builder, reporter, tables.fixedSettings), tables(tables), reporter(reporter), builder(builder),
        surroundings(surroundings), training(training) {}

  //===- Expressions ----------------------------------------------------------------------------------------------===//

  Value evaluate(const syntax::Expr &expr, Scope &scope);
  Operand operand(const syntax::Expr &expr, Scope &scope) { return {evaluate(expr, scope), expr.range}; }
  /// Elements of a range (`net.sites`, a list), or nothing when it is none.
  std::optional<std::vector<Value>> elements(const syntax::Expr &range, Scope &scope);
  /// Members over `generator`, each evaluated with the variable bound.
  Value family(const syntax::Generator &generator, Scope &scope,
               const std::function<Value(Scope &, const Value &)> &member);

  //===- Calls ----------------------------------------------------------------------------------------------------===//

  /// The argument of each parameter `names`, null where one that is not among the first `required` is absent.
  std::optional<std::vector<const syntax::CallArgument *>>
  assignArguments(const std::vector<std::string> &names, std::size_t required, const syntax::CallExpr &call,
                  SourceRange range, const std::string &callee, SourceRange declared);
  /// Runs a layer's or a network's body under a path that its parameters carry.
  Value runInstance(const Instance &instance, const std::vector<Operand> &inputs, SourceRange range);
  /// A layer under a name: anonymous instances are named by what they are bound to.
  Value nameInstance(Value value, const std::string &name, const Scope &scope);
  /// Starts the count of anonymous instances and noise streams anew, for a body that may be evaluated several times and
  /// is the same each time. Returns the counts so far, for `resume`.
  std::map<std::string, int> restartNames() { return std::exchange(uses, {}); }
  void resumeNames(std::map<std::string, int> counts) { uses = std::move(counts); }

  //===- Declarations ---------------------------------------------------------------------------------------------===//

  /// `let name[generator] : type = value;`
  void runLet(const syntax::LetStatement &let, Scope &scope);
  /// A parameter or state with its first value; members of a family each under their own path.
  Value declareEntry(const syntax::VariableDecl &variable, Scope &scope, EntryRole role);
  /// Reports a name that is declared already in the same scope.
  bool declare(const syntax::Identifier &name, Value value, Scope &scope);

  //===- Types ----------------------------------------------------------------------------------------------------===//

  /// Checks a value against a written type and binds the axes that the type names. Nothing when it does not fit.
  std::optional<Value> match(const syntax::TypeExpr &type, const Operand &operand, Scope &scope);
  /// Axes of a declared tensor; makes those that are new.
  std::optional<AxisList> resolveAxes(const syntax::TypeExpr &type, Scope &scope, const std::string &path);

  Arithmetic arithmetic;

private:
  // Elaborator.cpp
  Value evaluateName(const std::string &name, SourceRange range, Scope &scope);
  Value evaluateGlobal(const Module::Name &name, SourceRange range);
  Value evaluateMember(const syntax::MemberExpr &member, SourceRange range, Scope &scope);
  Value evaluateSiteMember(const SiteInfo &site, const syntax::Identifier &member);
  Value evaluateIndex(const syntax::IndexExpr &index, SourceRange range, Scope &scope);
  Value indexOnce(const Operand &base, const Operand &index, SourceRange range);
  Value indexFamily(const Family &family, const Operand &base, const Operand &index, SourceRange range);
  Value evaluateUnary(const syntax::UnaryExpr &unary, SourceRange range, Scope &scope);
  Value evaluateBinary(const syntax::BinaryExpr &binary, SourceRange range, Scope &scope);
  Value evaluateLogic(const syntax::BinaryExpr &binary, Scope &scope);
  Value evaluateIf(const syntax::IfExpr &choice, Scope &scope);
  bool enter(SourceRange range);
  bool exhaust(SourceRange range, Diag id, std::string message);

  // Calls.cpp
  Value evaluateCall(const syntax::CallExpr &call, SourceRange range, Scope &scope);
  std::optional<std::vector<Operand>> inputsOf(const syntax::CallableDecl &declaration, const syntax::CallExpr &call,
                                               SourceRange range, Scope &scope);
  Value configure(const CallableReference &callable, const syntax::CallExpr &call, SourceRange range, Scope &scope);
  Value callFunction(const CallableReference &callable, const std::vector<Operand> &inputs, SourceRange range);
  Value applyFunction(const CallableReference &callable, const std::vector<Operand> &inputs, SourceRange range);
  Value runBody(const syntax::CallableDecl &declaration, Scope &scope, SourceRange range);
  bool bindInputs(const syntax::CallableDecl &declaration, const std::vector<Operand> &inputs, Scope &scope);
  void runStatement(const syntax::Statement &statement, const syntax::CallableDecl &declaration, Scope &scope);
  void runSite(const syntax::SiteStatement &site, SourceRange range, Scope &scope);
  void addSite(const syntax::SiteStatement &site, const AxisList &axes, const Scope &typeScope);
  std::string freshPath(const std::string &base);

  // BuiltinCalls.cpp
  Value callBuiltin(const Builtin &builtin, const syntax::CallExpr &call, SourceRange range, Scope &scope);
  Value callExtremum(const Builtin &builtin, const syntax::CallExpr &call, SourceRange range, Scope &scope);
  Value reduceRange(const Builtin &builtin, const syntax::CallExpr &call, SourceRange range, Scope &scope);
  Value reduceValue(const Builtin &builtin, const syntax::CallArgument &argument, SourceRange range, Scope &scope);
  Value flatten(const Operand &operand, SourceRange range);
  Value oneHot(const Operand &labels, const Operand &classes, SourceRange range);
  Value size(const Operand &operand, SourceRange range);
  Value anneal(const std::vector<const syntax::CallArgument *> &arguments, SourceRange range, Scope &scope);
  std::optional<AxisList> axesOf(const std::vector<syntax::ExprPtr> &axes, Scope &scope);

  // Declarations.cpp
  Value declareMember(const syntax::VariableDecl &variable, Scope &scope, EntryRole role, const std::string &path);
  bool checkStored(const AxisList &axes, bool perTask, SourceRange range);
  void declareNoise(const syntax::VariableDecl &variable, SourceRange range, Scope &scope);
  std::optional<TensorValue> draw(const syntax::Expr &distribution, const AxisList &axes, const std::string &stream,
                                  Scope &scope);
  std::optional<Operand> kaimingBound(const Operand &slope, const AxisList &axes, SourceRange range);
  std::optional<TensorValue> scaleNoise(Distribution distribution, const Operand &scale, const Operand &shift,
                                        const AxisList &axes, const std::string &stream, SourceRange range);

  // Types.cpp
  AxisRef axisOfExpression(const syntax::Expr &expr, Scope &scope, const std::string &path);
  std::optional<Value> matchScalar(const syntax::TypeExpr &type, const Operand &operand);
  bool matchAxes(const syntax::TypeExpr &type, const TensorValue &tensor, const Operand &operand, Scope &scope);
  bool matchAxis(const syntax::Expr &pattern, AxisRef axis, const Operand &operand, Scope &scope);
  bool checkSize(std::int64_t size, SourceRange range);

  // Derivatives.cpp
  Value applyDerivativeFunction(const CallableReference &callable, const std::vector<Operand> &inputs,
                                SourceRange range);
  std::optional<DerivativeInfo> buildDerivativeFunction(const CallableReference &callable,
                                                        const std::vector<TensorValue> &inputs, const std::string &name,
                                                        SourceRange range);

  ModelTables &tables;
  Reporter &reporter;
  FunctionBuilder &builder;
  Surroundings &surroundings;
  bool training;
  /// How often each path was given to an anonymous instance or a noise stream.
  std::map<std::string, int> uses;
  /// Bodies being run, and expressions being evaluated: bounds that keep recursion from exhausting the stack.
  std::vector<const syntax::CallableDecl *> activeBodies;
  int expressionDepth = 0;
  std::int64_t evaluations = 0;
  /// Top-level constants being evaluated.
  std::set<const syntax::Declaration *> activeGlobals;
};

} // namespace clm::sema
