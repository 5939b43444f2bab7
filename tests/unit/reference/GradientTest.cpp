/// \file
/// Derivatives: every operation that has one against central differences, the corners against PyTorch's conventions,
/// and the tape.
///
/// A new operation joins by a line in `samples()`; `EveryOperationIsCovered` fails until it has one.

#include "FunctionBuilder.h"

#include "runtime/module/UserError.h"
#include "runtime/reference/Operations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace clm::runtime::reference {
namespace {

/// An instruction and values of its operands at which it is smooth.
struct Sample {
  Instruction instruction;
  std::vector<Tensor> operands;
  TensorSpec type = {};                 // static type of the result, where the instruction reads it
  std::set<std::size_t> constants = {}; // operands without a derivative
  std::string note = {};
};

/// Values without order or repetition, between -1 and 1.
Tensor spread(Shape shape, double scale = 1, double shift = 0) {
  Tensor result(std::move(shape));
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = shift + scale * std::sin(1 + 2.4 * static_cast<double>(i));
  return result;
}

std::vector<Sample> samples() {
  Tensor matrix = spread({2, 3}), row = spread({1, 3}, 0.8, 0.1), column = spread({2, 1}, 0.7, 0.2);
  Tensor positive = spread({2, 3}, 0.5, 2), one = Tensor({}, 0.3);
  std::vector<Sample> all;
  for (const char *name : {"neg", "exp", "tanh", "sigmoid", "relu", "abs", "cosh"})
    all.push_back({{.name = name}, {matrix}});
  for (const char *name : {"log", "sqrt"})
    all.push_back({{.name = name}, {positive}});
  for (const char *name : {"add", "sub", "mul", "maximum", "minimum"}) {
    all.push_back({{.name = name}, {matrix, spread({2, 3}, 0.9, 0.05)}, {}, {}, "equal shapes"});
    all.push_back({{.name = name}, {column, row}, {}, {}, "both stretched"});
    all.push_back({{.name = name}, {one, matrix}, {}, {}, "a scalar"});
    all.push_back({{.name = name}, {matrix, spread({3}, 0.6, 0.1)}, {}, {}, "a missing dimension"});
  }
  all.push_back({{.name = "div"}, {matrix, positive}, {}, {}, "equal shapes"});
  all.push_back({{.name = "div"}, {column, spread({3}, 0.5, 3)}, {}, {}, "both stretched"});
  all.push_back({{.name = "clamp"}, {matrix, Tensor({}, -0.5), Tensor({}, 0.45)}});
  all.push_back({{.name = "clamp"}, {row, spread({2, 1}, 0.1, -0.5), spread({3}, 0.1, 0.4)}, {}, {}, "stretched"});
  all.push_back({{.name = "select"}, {Tensor({3}, {1, 0, 1}), matrix, column}, {}, {0}});
  all.push_back({{.name = "cast"}, {matrix}, {CLM_FLOAT32, {2, 3}}});
  all.push_back({{.name = "reshape"}, {matrix}, real({3, 2})});
  all.push_back({{.name = "broadcast"}, {row}, real({2, 3})});
  all.push_back({{.name = "broadcast"}, {one}, real({2, 3}), {}, "a scalar"});
  for (const char *name : {"reduce_sum", "reduce_max"})
    for (std::vector<std::int64_t> ints : {std::vector<std::int64_t>{0}, {1}, {0, 1}, {}})
      all.push_back({{.name = name, .ints = ints}, {matrix}, {}, {}, std::to_string(ints.size()) + " dimensions"});
  all.push_back({{.name = "matmul", .ints = {0, 0}}, {matrix, spread({3, 4}, 0.9)}, {}, {}, "plain"});
  all.push_back({{.name = "matmul", .ints = {1, 0}}, {matrix, spread({2, 4}, 0.9)}, {}, {}, "first transposed"});
  all.push_back({{.name = "matmul", .ints = {0, 1}}, {matrix, spread({4, 3}, 0.9)}, {}, {}, "second transposed"});
  all.push_back({{.name = "matmul", .ints = {1, 1}}, {matrix, spread({4, 2}, 0.9)}, {}, {}, "both transposed"});
  all.push_back({{.name = "broadcast_like"}, {row, matrix}, {}, {1}});
  all.push_back({{.name = "broadcast_like"}, {one, matrix}, {}, {1}, "a scalar"});
  all.push_back({{.name = "sum_to_like"}, {matrix, row}, {}, {1}});
  all.push_back({{.name = "sum_to_like"}, {matrix, one}, {}, {1}, "to a scalar"});
  return all;
}

/// loss = sum over all elements of w * value, with w different everywhere.
ValueId weightedSum(FunctionBuilder &builder, ValueId value, ValueId weights, const Shape &shape) {
  ValueId product = builder.op("mul", {value, weights}, real(shape));
  std::vector<std::int64_t> dimensions;
  for (std::size_t dimension = 0; dimension < shape.size(); ++dimension)
    dimensions.push_back(static_cast<std::int64_t>(dimension));
  return builder.add({.name = "reduce_sum", .operands = {product}, .ints = dimensions}, real());
}

/// A function (operands..., weights) -> (loss, d loss / d operand...).
Function lossOf(const Sample &sample, const Shape &resultShape) {
  FunctionBuilder builder;
  Instruction instruction = sample.instruction;
  for (const Tensor &operand : sample.operands)
    instruction.operands.push_back(builder.argument(real(operand.shape)));
  std::vector<ValueId> arguments = instruction.operands;
  ValueId weights = builder.argument(real(resultShape));
  ValueId value = builder.add(instruction, sample.type);
  ValueId loss = weightedSum(builder, value, weights, resultShape);
  std::vector<ValueId> results{loss};
  for (ValueId gradient : builder.gradient(loss, arguments))
    results.push_back(gradient);
  builder.returns(results);
  return builder.function;
}

Shape resultShape(const Sample &sample) {
  FunctionBuilder builder;
  Instruction instruction = sample.instruction;
  for (const Tensor &operand : sample.operands)
    instruction.operands.push_back(builder.argument(real(operand.shape)));
  builder.returns({builder.add(instruction, sample.type)});
  return execute({}, builder.function, sample.operands).at(0).shape;
}

class CentralDifferences : public testing::TestWithParam<Sample> {};

TEST_P(CentralDifferences, AgreeWithTheDerivative) {
  const Sample &sample = GetParam();
  Shape shape = resultShape(sample);
  Function function = lossOf(sample, shape);
  std::vector<Tensor> arguments = sample.operands;
  arguments.push_back(spread(shape, 1, 0.35));
  std::vector<Tensor> results = execute({}, function, arguments);
  const double step = 1e-6;
  for (std::size_t operand = 0; operand < sample.operands.size(); ++operand) {
    ASSERT_EQ(results.at(1 + operand).shape, sample.operands[operand].shape);
    for (std::size_t i = 0; i < sample.operands[operand].values.size(); ++i) {
      auto lossAt = [&](double shift) {
        std::vector<Tensor> moved = arguments;
        moved[operand].values[i] += shift;
        return execute({}, function, moved).at(0).values[0];
      };
      double expected = sample.constants.count(operand) ? 0 : (lossAt(step) - lossAt(-step)) / (2 * step);
      EXPECT_NEAR(results[1 + operand].values[i], expected, 1e-8 * std::max(1.0, std::abs(expected)))
          << "operand " << operand << ", element " << i;
    }
  }
}

std::string sampleName(const testing::TestParamInfo<Sample> &info) {
  std::string name = info.param.instruction.name + "_" + info.param.note + "_" + std::to_string(info.index);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Operations, CentralDifferences, testing::ValuesIn(samples()), sampleName);

TEST(Gradient, EveryOperationIsCovered) {
  std::set<std::string> sampled;
  for (const Sample &sample : samples())
    sampled.insert(sample.instruction.name);
  std::set<std::string> without = {"constant", "compare", "one_hot", "extent", "detach"};
  for (const auto &[name, operation] : operations()) {
    EXPECT_EQ(static_cast<bool>(operation.backward), without.count(name) == 0) << name;
    EXPECT_EQ(sampled.count(name), operation.backward ? 1u : 0u) << name;
  }
}

/// d(sum of one instruction's result) / d(each operand).
std::vector<Tensor> gradients(const Instruction &instruction, const std::vector<Tensor> &operands) {
  Sample sample{instruction, operands};
  Shape shape = resultShape(sample);
  std::vector<Tensor> arguments = operands;
  arguments.push_back(Tensor(shape, 1));
  std::vector<Tensor> results = execute({}, lossOf(sample, shape), arguments);
  results.erase(results.begin());
  return results;
}

using Values = std::vector<double>;

TEST(Gradient, CornersFollowPyTorch) {
  EXPECT_EQ(gradients({.name = "relu"}, {Tensor({3}, {-1, 0, 1})})[0].values, (Values{0, 0, 1}));
  EXPECT_EQ(gradients({.name = "abs"}, {Tensor({3}, {-1, 0, 1})})[0].values, (Values{-1, 0, 1}));
  for (const char *name : {"maximum", "minimum"})
    for (const Tensor &gradient : gradients({.name = name}, {Tensor({}, 2), Tensor({}, 2)}))
      EXPECT_EQ(gradient.values, (Values{0.5})) << name;
  EXPECT_EQ(gradients({.name = "reduce_max", .ints = {0}}, {Tensor({4}, {5, 1, 5, 5})})[0].values,
            (Values{1.0 / 3, 0, 1.0 / 3, 1.0 / 3}));
}

TEST(Gradient, ClampPassesOnItsBounds) {
  std::vector<Tensor> found =
      gradients({.name = "clamp"}, {Tensor({5}, {-2, -1, 0, 1, 2}), Tensor({}, -1), Tensor({}, 1)});
  EXPECT_EQ(found[0].values, (Values{0, 1, 1, 1, 0}));
  EXPECT_EQ(found[1].values, (Values{1}));
  EXPECT_EQ(found[2].values, (Values{1}));
}

TEST(Gradient, SigmoidKeepsItsDigitsWhereItSaturates) {
  double slope = gradients({.name = "sigmoid"}, {Tensor({}, 50)})[0].values[0];
  EXPECT_NEAR(slope / std::exp(-50), 1, 1e-12);
}

TEST(Gradient, OfAnEmptyBatchIsZero) {
  std::vector<Tensor> found = gradients({.name = "matmul", .ints = {0, 1}}, {Tensor({0, 3}), Tensor({2, 3}, 1)});
  EXPECT_EQ(found[0], Tensor({0, 3}));
  EXPECT_EQ(found[1], Tensor({2, 3}));
}

TEST(Tape, AddsUpWhatAllUsesGive) {
  // loss = x * x + x: 2 x + 1.
  FunctionBuilder builder;
  ValueId x = builder.argument(real());
  ValueId square = builder.op("mul", {x, x}, real());
  ValueId loss = builder.op("add", {square, x}, real());
  builder.returns(builder.gradient(loss, {x, square}));
  std::vector<Tensor> found = execute({}, builder.function, {Tensor({}, 3)});
  EXPECT_EQ(found[0].values[0], 7);
  EXPECT_EQ(found[1].values[0], 1);
}

TEST(Tape, StopsAtDetachAndAtIntegers) {
  // loss = x * detach(x) + cast_to_real(cast_to_integer(x)): only the first factor counts.
  FunctionBuilder builder;
  ValueId x = builder.argument(real());
  ValueId product = builder.op("mul", {x, builder.op("detach", {x}, real())}, real());
  ValueId integer = builder.op("cast", {x}, {CLM_INT64, {}});
  ValueId loss = builder.op("add", {product, builder.op("cast", {integer}, real())}, real());
  builder.returns(builder.gradient(loss, {x}));
  EXPECT_EQ(execute({}, builder.function, {Tensor({}, 3)})[0].values[0], 3);
}

TEST(Tape, GivesZeroForWhatTheLossDoesNotUse) {
  FunctionBuilder builder;
  ValueId x = builder.argument(real()), unused = builder.argument(real({2}));
  builder.returns(builder.gradient(builder.op("exp", {x}, real()), {unused}));
  EXPECT_EQ(execute({}, builder.function, {Tensor({}, 1), Tensor({2}, 1)})[0], Tensor({2}));
}

TEST(Tape, SeesOnlyWhatWasExecutedBefore) {
  FunctionBuilder builder;
  ValueId x = builder.argument(real());
  ValueId loss = builder.op("mul", {x, x}, real());
  ValueId gradient = builder.gradient(loss, {x})[0];
  ValueId after = builder.op("mul", {gradient, loss}, real());
  builder.returns({gradient, after});
  std::vector<Tensor> found = execute({}, builder.function, {Tensor({}, 3)});
  EXPECT_EQ(found[0].values[0], 6);
  EXPECT_EQ(found[1].values[0], 54);
}

TEST(Tape, RefusesWhatItCannotDo) {
  FunctionBuilder builder;
  ValueId x = builder.argument(real({2}));
  builder.returns(builder.gradient(x, {x}));
  EXPECT_THROW(execute({}, builder.function, {Tensor({2}, 1)}), InternalError) << "not a scalar";

  FunctionBuilder twice;
  ValueId y = twice.argument(real());
  ValueId first = twice.gradient(twice.op("mul", {y, y}, real()), {y})[0];
  twice.returns(twice.gradient(first, {y}));
  EXPECT_THROW(execute({}, twice.function, {Tensor({}, 1)}), InternalError) << "a derivative of a derivative";
}

/// `twice(x, k) = x + x` with a derivative that is deliberately another: (y * dy, k).
Program programWithOwnDerivative() {
  Program program;
  FunctionBuilder forward("twice");
  ValueId x = forward.argument(real({2}));
  forward.argument(real());
  forward.returns({forward.op("add", {x, x}, real({2}))});
  program.applied["twice"] = forward.function;

  FunctionBuilder derivative("twice");
  derivative.argument(real({2}));
  ValueId k = derivative.argument(real());
  ValueId y = derivative.argument(real({2})), dy = derivative.argument(real({2}));
  derivative.returns({derivative.op("mul", {y, dy}, real({2})), k});
  program.derivatives["twice"] = derivative.function;
  return program;
}

TEST(Tape, ApplyUsesTheDerivativeThatTheProgramGives) {
  FunctionBuilder builder;
  ValueId x = builder.argument(real({2})), k = builder.argument(real()), weights = builder.argument(real({2}));
  ValueId y = builder.add({.name = "apply", .operands = {x, k}, .symbol = "twice"}, real({2}));
  ValueId loss = weightedSum(builder, y, weights, {2});
  std::vector<ValueId> found = builder.gradient(loss, {x, k});
  builder.returns({y, found[0], found[1]});
  std::vector<Tensor> results = execute(programWithOwnDerivative(), builder.function,
                                        {Tensor({2}, {1, 2}), Tensor({}, 7), Tensor({2}, {10, 100})});
  EXPECT_EQ(results[0].values, (Values{2, 4}));
  EXPECT_EQ(results[1].values, (Values{20, 400}));
  EXPECT_EQ(results[2].values, (Values{7}));
}

} // namespace
} // namespace clm::runtime::reference
