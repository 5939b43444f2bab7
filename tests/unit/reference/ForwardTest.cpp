/// \file
/// What each operation computes, against numbers worked out by hand.

#include "FunctionBuilder.h"

#include "runtime/module/UserError.h"
#include "runtime/reference/Operations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clm::runtime::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Executes one instruction on these operands; the types are those of the values unless `types` names others.
Tensor evaluateOp(Instruction instruction, const std::vector<Tensor> &operands, TensorSpec resultType = {},
                  std::vector<TensorSpec> types = {}) {
  FunctionBuilder builder;
  for (std::size_t i = 0; i < operands.size(); ++i)
    instruction.operands.push_back(builder.argument(i < types.size() ? types[i] : real(operands[i].shape)));
  builder.returns({builder.add(std::move(instruction), std::move(resultType))});
  return execute({}, builder.function, operands).at(0);
}

Tensor evaluate(const std::string &name, const std::vector<Tensor> &operands) {
  return evaluateOp(Instruction{.name = name}, operands);
}

Tensor vector(std::vector<double> values) {
  Shape shape{static_cast<std::int64_t>(values.size())};
  return {std::move(shape), std::move(values)};
}

Tensor scalar(double value) { return Tensor({}, value); }

void expectNear(const Tensor &actual, const Tensor &expected) {
  ASSERT_EQ(actual.shape, expected.shape);
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    EXPECT_NEAR(actual.values[i], expected.values[i], 1e-12) << "element " << i;
}

TEST(Forward, Arithmetic) {
  EXPECT_EQ(evaluate("add", {vector({1, 2}), vector({10, 20})}), vector({11, 22}));
  EXPECT_EQ(evaluate("sub", {vector({1, 2}), vector({10, 20})}), vector({-9, -18}));
  EXPECT_EQ(evaluate("mul", {vector({3, 2}), vector({10, 20})}), vector({30, 40}));
  EXPECT_EQ(evaluate("div", {vector({3, 2}), vector({2, 0})}), vector({1.5, kInfinity}));
}

TEST(Forward, BroadcastingAlignsAtTheLastDimension) {
  Tensor column({2, 1}, {1, 2}), row({1, 3}, {10, 20, 30});
  EXPECT_EQ(evaluate("add", {column, row}), Tensor({2, 3}, {11, 21, 31, 12, 22, 32}));
  EXPECT_EQ(evaluate("add", {column, vector({10, 20, 30})}), Tensor({2, 3}, {11, 21, 31, 12, 22, 32}));
  EXPECT_EQ(evaluate("sub", {scalar(1), row}), Tensor({1, 3}, {-9, -19, -29}));
  EXPECT_EQ(evaluate("mul", {scalar(3), scalar(2)}), scalar(6));
}

TEST(Forward, AnEmptyBatchStaysEmpty) {
  Tensor empty({0, 3});
  EXPECT_EQ(evaluate("add", {empty, vector({1, 2, 3})}), empty);
  EXPECT_EQ(evaluate("add", {empty, Tensor({1, 3}, {1, 2, 3})}), empty);
  EXPECT_EQ(evaluateOp({.name = "reduce_sum", .ints = {0}}, {empty}), vector({0, 0, 0}));
  EXPECT_EQ(evaluateOp({.name = "matmul", .ints = {0, 0}}, {empty, Tensor({3, 2}, 1)}), Tensor({0, 2}));
}

TEST(Forward, MaximumAndMinimumPassNanOn) {
  EXPECT_EQ(evaluate("maximum", {vector({1, 5}), vector({3, 4})}), vector({3, 5}));
  EXPECT_EQ(evaluate("minimum", {vector({1, 5}), vector({3, 4})}), vector({1, 4}));
  for (const char *name : {"maximum", "minimum"}) {
    EXPECT_TRUE(std::isnan(evaluate(name, {scalar(kNan), scalar(1)}).values[0]));
    EXPECT_TRUE(std::isnan(evaluate(name, {scalar(1), scalar(kNan)}).values[0]));
  }
}

TEST(Forward, Functions) {
  EXPECT_EQ(evaluate("neg", {vector({1, -2})}), vector({-1, 2}));
  EXPECT_EQ(evaluate("abs", {vector({1, -2})}), vector({1, 2}));
  EXPECT_EQ(evaluate("relu", {vector({1, -2, 0})}), vector({1, 0, 0}));
  EXPECT_TRUE(std::isnan(evaluate("relu", {scalar(kNan)}).values[0]));
  expectNear(evaluate("exp", {vector({0, 1})}), vector({1, 2.718281828459045}));
  expectNear(evaluate("log", {vector({1, 10})}), vector({0, 2.302585092994046}));
  expectNear(evaluate("sqrt", {vector({9, 2})}), vector({3, 1.4142135623730951}));
  expectNear(evaluate("tanh", {vector({0, 0.5})}), vector({0, 0.46211715726000975}));
  expectNear(evaluate("cosh", {vector({0, 1})}), vector({1, 1.5430806348152437}));
}

TEST(Forward, SigmoidKeepsItsDigitsOnBothSides) {
  expectNear(evaluate("sigmoid", {vector({0, 1})}), vector({0.5, 0.7310585786300049}));
  double tiny = evaluate("sigmoid", {scalar(-700)}).values[0];
  EXPECT_NEAR(tiny / std::exp(-700), 1, 1e-12);
  EXPECT_EQ(evaluate("sigmoid", {vector({-1000, 1000})}), vector({0, 1}));
}

TEST(Forward, Clamp) {
  EXPECT_EQ(evaluate("clamp", {vector({-9, 0.5, 9}), scalar(-1), scalar(2)}), vector({-1, 0.5, 2}));
  EXPECT_TRUE(std::isnan(evaluate("clamp", {scalar(kNan), scalar(-1), scalar(2)}).values[0]));
}

TEST(Forward, Compare) {
  Tensor a = vector({1, 2, 3}), b = scalar(2);
  auto compare = [&](const char *symbol) { return evaluateOp({.name = "compare", .symbol = symbol}, {a, b}); };
  EXPECT_EQ(compare("lt"), vector({1, 0, 0}));
  EXPECT_EQ(compare("le"), vector({1, 1, 0}));
  EXPECT_EQ(compare("gt"), vector({0, 0, 1}));
  EXPECT_EQ(compare("ge"), vector({0, 1, 1}));
  EXPECT_EQ(compare("eq"), vector({0, 1, 0}));
  EXPECT_EQ(compare("ne"), vector({1, 0, 1}));
  EXPECT_THROW(compare("between"), InternalError);
}

TEST(Forward, SelectBroadcastsAllThree) {
  EXPECT_EQ(evaluate("select", {vector({1, 0}), Tensor({2, 1}, {5, 6}), scalar(9)}), Tensor({2, 2}, {5, 9, 6, 9}));
}

TEST(Forward, CastTruncatesToIntegersAndKeepsReals) {
  auto cast = [](double value, int element) {
    return evaluateOp({.name = "cast"}, {scalar(value)}, {element, {}}).values[0];
  };
  EXPECT_EQ(cast(2.9, CLM_INT64), 2);
  EXPECT_EQ(cast(-2.9, CLM_INT64), -2);
  EXPECT_EQ(cast(0.1, CLM_FLOAT32), 0.1);
  EXPECT_EQ(cast(0.1, CLM_BOOL), 1);
}

TEST(Forward, Constant) {
  EXPECT_EQ(evaluateOp({.name = "constant", .number = 0.75}, {}, real()), scalar(0.75));
  EXPECT_EQ(evaluateOp({.name = "constant", .number = 2}, {}, real({2, 2})), Tensor({2, 2}, 2));
}

TEST(Forward, ReshapeTakesDynamicSizesInOrder) {
  Tensor images({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(evaluateOp({.name = "reshape"}, {images}, real({kBatch, 6}), {real({kBatch, 2, 3})}),
            Tensor({2, 6}, images.values));
  EXPECT_EQ(evaluateOp({.name = "reshape"}, {Tensor({0, 2, 3})}, real({kBatch, 6}), {real({kBatch, 2, 3})}),
            Tensor({0, 6}));
  EXPECT_EQ(
      evaluateOp({.name = "reshape"}, {Tensor({2, 3}, 1)}, real({kBatch, 1, kClasses, 1}), {real({kBatch, kClasses})}),
      Tensor({2, 1, 3, 1}, 1));
  EXPECT_EQ(evaluateOp({.name = "reshape"}, {scalar(4)}, real({1, 1})), Tensor({1, 1}, 4));
}

TEST(Forward, OneHotUsesTheShapeOfItsSecondOperand) {
  EXPECT_EQ(evaluate("one_hot", {vector({2, 0}), Tensor({2, 3}, 7)}), Tensor({2, 3}, {0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(evaluate("one_hot", {vector({5}), Tensor({1, 3})}), Tensor({1, 3}));
}

TEST(Forward, ExtentIsAProductOfSizes) {
  EXPECT_EQ(evaluateOp({.name = "extent", .ints = {0, 2}}, {Tensor({2, 3, 4})}), scalar(8));
  EXPECT_EQ(evaluateOp({.name = "extent"}, {Tensor({2, 3, 4})}), scalar(1));
}

TEST(Forward, ReductionsDropTheirDimensions) {
  Tensor matrix({2, 3}, {1, 2, 3, 40, 50, 60});
  EXPECT_EQ(evaluateOp({.name = "reduce_sum", .ints = {1}}, {matrix}), vector({6, 150}));
  EXPECT_EQ(evaluateOp({.name = "reduce_sum", .ints = {0}}, {matrix}), vector({41, 52, 63}));
  EXPECT_EQ(evaluateOp({.name = "reduce_sum", .ints = {0, 1}}, {matrix}), scalar(156));
  EXPECT_EQ(evaluateOp({.name = "reduce_sum"}, {matrix}), matrix);
  EXPECT_EQ(evaluateOp({.name = "reduce_max", .ints = {1}}, {matrix}), vector({3, 60}));
  EXPECT_EQ(evaluateOp({.name = "reduce_max", .ints = {0}}, {vector({-5, -3})}), scalar(-3));
  EXPECT_TRUE(std::isnan(evaluateOp({.name = "reduce_max", .ints = {0}}, {vector({kNan, 1})}).values[0]));
  EXPECT_TRUE(std::isnan(evaluateOp({.name = "reduce_max", .ints = {0}}, {vector({1, kNan, 2})}).values[0]));
  EXPECT_THROW(evaluateOp({.name = "reduce_max", .ints = {0}}, {Tensor({0})}), InternalError);
}

TEST(Forward, MatmulInAllTranspositions) {
  Tensor a({2, 3}, {1, 2, 3, 4, 5, 6}), transposedA({3, 2}, {1, 4, 2, 5, 3, 6});
  Tensor b({3, 1}, {1, 10, 100}), transposedB({1, 3}, {1, 10, 100});
  Tensor expected({2, 1}, {321, 654});
  EXPECT_EQ(evaluateOp({.name = "matmul", .ints = {0, 0}}, {a, b}), expected);
  EXPECT_EQ(evaluateOp({.name = "matmul", .ints = {1, 0}}, {transposedA, b}), expected);
  EXPECT_EQ(evaluateOp({.name = "matmul", .ints = {0, 1}}, {a, transposedB}), expected);
  EXPECT_EQ(evaluateOp({.name = "matmul", .ints = {1, 1}}, {transposedA, transposedB}), expected);
  EXPECT_THROW(evaluateOp({.name = "matmul", .ints = {0, 0}}, {a, transposedB}), InternalError);
}

TEST(Forward, BroadcastLikeAndSumToLikeAreOpposites) {
  Tensor row({1, 3}, {1, 2, 3}), matrix({2, 3}, {1, 2, 3, 40, 50, 60});
  EXPECT_EQ(evaluate("broadcast_like", {row, matrix}), Tensor({2, 3}, {1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(evaluate("broadcast_like", {scalar(5), matrix}), Tensor({2, 3}, 5));
  EXPECT_EQ(evaluate("sum_to_like", {matrix, row}), Tensor({1, 3}, {41, 52, 63}));
  EXPECT_EQ(evaluate("sum_to_like", {matrix, vector({0, 0, 0})}), vector({41, 52, 63}));
  EXPECT_EQ(evaluate("sum_to_like", {matrix, Tensor({2, 1})}), Tensor({2, 1}, {6, 150}));
  EXPECT_EQ(evaluate("sum_to_like", {matrix, scalar(0)}), scalar(156));
}

TEST(Forward, BroadcastGoesToTheShapeOfItsType) {
  EXPECT_EQ(evaluateOp({.name = "broadcast"}, {Tensor({1, 3}, {1, 2, 3})}, real({2, 3})),
            Tensor({2, 3}, {1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(evaluateOp({.name = "broadcast"}, {scalar(5)}, real({2})), vector({5, 5}));
}

TEST(Forward, DetachKeepsTheValue) { EXPECT_EQ(evaluate("detach", {vector({1, 2})}), vector({1, 2})); }

TEST(Forward, BrokenProgramsAreInternalErrors) {
  EXPECT_THROW(evaluate("add", {vector({1, 2}), vector({1, 2, 3})}), InternalError);
  EXPECT_THROW(evaluate("add", {vector({1, 2})}), InternalError);
  EXPECT_THROW(evaluate("erf", {scalar(1)}), InternalError);
}

} // namespace
} // namespace clm::runtime::reference
