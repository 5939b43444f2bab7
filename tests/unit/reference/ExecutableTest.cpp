/// \file
/// The reference executor behind the interface of all executables: element types, tied results, broken calls.

#include "FunctionBuilder.h"

#include "runtime/module/UserError.h"
#include "runtime/reference/ReferenceExecutable.h"

#include <gtest/gtest.h>

#include <array>

namespace clm::runtime::reference {
namespace {

clm_tensor boundary(void *data, int element, std::vector<std::int64_t> sizes) {
  clm_tensor tensor{data, element, static_cast<std::int32_t>(sizes.size()), {}};
  std::copy(sizes.begin(), sizes.end(), tensor.sizes);
  return tensor;
}

/// swap(a, b) writes b into a and a into b, and returns a + b and the number of labels that are at least 1.
class Swap : public testing::Test {
protected:
  Swap() {
    FunctionBuilder builder("swap");
    ValueId a = builder.argument(real({2})), b = builder.argument(real({2}));
    ValueId labels = builder.argument({CLM_INT64, {kBatch}});
    ValueId sum = builder.op("add", {a, b}, real({2}));
    ValueId one = builder.add({.name = "constant", .number = 1}, {CLM_INT64, {}});
    ValueId large = builder.add({.name = "compare", .operands = {labels, one}, .symbol = "ge"}, {CLM_BOOL, {kBatch}});
    ValueId asNumbers = builder.op("cast", {large}, {CLM_INT64, {kBatch}});
    ValueId count = builder.add({.name = "reduce_sum", .operands = {asNumbers}, .ints = {0}}, {CLM_INT64, {}});
    builder.returns({b, sum, a, large, count});

    spec.name = "swap";
    spec.arguments.resize(3);
    spec.results = {
        {0, -1, "", {}}, {-1, -1, "sum", {}}, {1, -1, "", {}}, {-1, -1, "large", {}}, {-1, -1, "count", {}}};
    Manifest manifest;
    manifest.functions = {spec};
    executable = std::make_unique<ReferenceExecutable>(manifest, Program{{builder.function}, {}, {}});
  }

  std::vector<clm_tensor> arguments() {
    return {boundary(a.data(), CLM_FLOAT64, {2}), boundary(b.data(), CLM_FLOAT64, {2}),
            boundary(labels.data(), CLM_INT64, {3})};
  }
  std::vector<clm_tensor> results() {
    return {boundary(sum.data(), CLM_FLOAT32, {2}), boundary(large.data(), CLM_BOOL, {3}),
            boundary(&count, CLM_INT64, {})};
  }

  FunctionSpec spec;
  std::unique_ptr<ReferenceExecutable> executable;
  std::array<double, 2> a{1, 2}, b{10, 20};
  std::array<std::int64_t, 3> labels{0, 1, 2};
  std::array<float, 2> sum{};
  std::array<std::uint8_t, 3> large{};
  std::int64_t count = 0;
};

TEST_F(Swap, TiedResultsAreWrittenAfterEverythingIsComputed) {
  executable->call(spec, arguments(), results());
  EXPECT_EQ(a, (std::array<double, 2>{10, 20}));
  EXPECT_EQ(b, (std::array<double, 2>{1, 2}));
  EXPECT_EQ(sum, (std::array<float, 2>{11, 22}));
  EXPECT_EQ(large, (std::array<std::uint8_t, 3>{0, 1, 1}));
  EXPECT_EQ(count, 2);
}

TEST_F(Swap, ComputesInDoublePrecision) {
  EXPECT_EQ(executable->realElement(), CLM_FLOAT64);
  a = {1e16, 0.1};
  b = {1, 0.2};
  executable->call(spec, arguments(), results());
  EXPECT_EQ(b[1], 0.1);
}

TEST_F(Swap, BrokenCallsAreInternalErrors) {
  std::vector<clm_tensor> tooFew = results();
  tooFew.pop_back();
  EXPECT_THROW(executable->call(spec, arguments(), tooFew), InternalError);
  std::vector<clm_tensor> otherShape = results();
  otherShape[0].sizes[0] = 1;
  EXPECT_THROW(executable->call(spec, arguments(), otherShape), InternalError);
  std::vector<clm_tensor> missing = arguments();
  missing.pop_back();
  EXPECT_THROW(executable->call(spec, missing, results()), InternalError);
  FunctionSpec unknown = spec;
  unknown.name = "exchange";
  EXPECT_THROW(executable->call(unknown, arguments(), results()), InternalError);
}

} // namespace
} // namespace clm::runtime::reference
