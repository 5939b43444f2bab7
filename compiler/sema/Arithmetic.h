/// \file
/// Arithmetic on values: folds what is known when compiling, builds nodes for the rest, works key by key on families,
/// and aligns tensors by their axes. Reports what does not fit.
#pragma once

#include "sema/FunctionBuilder.h"
#include "sema/Reporter.h"

#include <functional>

namespace clm::sema {

/// An operand with the place it was written at.
struct Operand {
  Value value;
  SourceRange range;
};

class Arithmetic {
public:
  Arithmetic(FunctionBuilder &builder, Reporter &reporter, std::set<int> &fixedSettings)
      : builder(builder), reporter(reporter), fixedSettings(fixedSettings) {}

  /// May tensors over different axes be combined to their outer product? Reductions over a range of axes do so.
  enum class Outer { Refuse, Allow };

  /// An elementwise operation. `symbol` is the predicate of a comparison.
  Value apply(Op op, const std::vector<Operand> &operands, SourceRange range, Outer outer = Outer::Refuse,
              const std::string &symbol = {});
  /// The matrix product `left @ right`.
  Value contract(const Operand &left, const Operand &right, SourceRange range);
  Value negate(const Operand &operand, SourceRange range) { return apply(Op::Negate, {operand}, range); }

  enum class Reduction { Sum, Mean, Max, Min };
  /// Reduces a tensor over `over`, or over all axes when it is absent; a family is reduced over its members as well.
  Value reduce(Reduction reduction, const Operand &operand, const std::optional<AxisList> &over, SourceRange range);

  /// The value as a tensor; numbers become constants of type `wanted`. Reports what is no tensor.
  std::optional<TensorValue> toTensor(const Operand &operand, ElementType wanted);
  /// The same, converted to Float32.
  std::optional<TensorValue> toFloat32(const Operand &operand);
  /// The value as an integer known when compiling. Reports others as `what`.
  std::optional<std::int64_t> toInteger(const Operand &operand, std::string_view what);
  /// The value as a number known when compiling; settings it depends on become fixed.
  std::optional<double> toNumber(const Operand &operand, std::string_view what);
  /// The value as a decision; settings it depends on become fixed.
  std::optional<bool> toDecision(const Operand &operand, std::string_view what);

  /// Calls `function` with the members of each key when an operand is a family, else with the operands.
  Value forEachKey(const std::vector<Operand> &operands, SourceRange range,
                   const std::function<Value(const std::vector<Operand> &)> &function);

  /// Reports that a value is of the wrong kind.
  Value mismatch(const Operand &operand, std::string_view expected);

private:
  Value applyToTensors(Op op, const std::vector<Operand> &operands, SourceRange range, Outer outer,
                       const std::string &symbol);
  Value fold(Op op, const std::vector<Operand> &operands, SourceRange range, const std::string &symbol);
  Value foldIntegers(Op op, std::int64_t left, std::int64_t right, SourceRange range);
  std::optional<AxisList> commonAxes(const std::vector<Operand> &operands, const std::vector<TensorValue> &tensors,
                                     SourceRange range, Outer outer);
  void reportAxes(const Operand &left, const TensorValue &leftTensor, const Operand &right,
                  const TensorValue &rightTensor, SourceRange range);
  Value reduceTensor(Reduction reduction, const TensorValue &tensor, const AxisList &over);
  Value reduceFamily(Reduction reduction, const Family &family, const std::optional<AxisList> &over, SourceRange range);

  FunctionBuilder &builder;
  Reporter &reporter;
  std::set<int> &fixedSettings;
};

/// Value of `op` on numbers, as the runtime computes it in double precision.
double evaluate(Op op, const std::vector<double> &operands, const std::string &symbol = {});

/// A number without a node, if the value is one: integers, reals, sizes of axes.
std::optional<double> plainNumber(const Value &value);

} // namespace clm::sema
