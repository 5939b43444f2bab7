/// \file
/// The functions that generated code calls: workspace and matrix products.
#include "runtime/abi/clm_runtime.h"

#include "runtime/aten/Aten.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

struct DestroyContext {
  void operator()(clm_context *context) const { clm_context_destroy(context); }
};
using Context = std::unique_ptr<clm_context, DestroyContext>;

/// A matrix of small whole numbers, so that every order of summation is exact.
template <typename Real>
std::vector<Real> numbers(std::int64_t count, int seed) {
  std::vector<Real> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<Real>((i * 7 + seed) % 11 - 5));
  return values;
}

template <typename Real>
void compareWithTheDefinition(std::int64_t m, std::int64_t n, std::int64_t k) {
  Context context(clm_context_create());
  std::vector<Real> a = numbers<Real>(m * k, 1), b = numbers<Real>(k * n, 2);
  for (int transposes = 0; transposes < 4; ++transposes) {
    bool transposeA = transposes & 1, transposeB = transposes & 2;
    std::vector<Real> out(m * n, 99);
    if constexpr (std::is_same_v<Real, float>)
      clmrt_matmul_f32(context.get(), a.data(), b.data(), out.data(), m, n, k, transposeA, transposeB);
    else
      clmrt_matmul_f64(context.get(), a.data(), b.data(), out.data(), m, n, k, transposeA, transposeB);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        Real sum = 0;
        for (std::int64_t l = 0; l < k; ++l)
          sum += (transposeA ? a[l * m + i] : a[i * k + l]) * (transposeB ? b[j * k + l] : b[l * n + j]);
        ASSERT_EQ(out[i * n + j], sum) << m << " " << n << " " << k << " " << transposes << " " << i << " " << j;
      }
    }
  }
}

} // namespace

TEST(RuntimeAbi, MatrixProductsFollowTheDefinition) {
  for (auto [m, n, k] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {3, 5, 2}, {1, 7, 4}, {7, 1, 4}, {33, 17, 65}, {2, 3, 0}, {0, 3, 2}}) {
    compareWithTheDefinition<float>(m, n, k);
    compareWithTheDefinition<double>(m, n, k);
  }
}

TEST(RuntimeAbi, WorkspaceIsAlignedAndGrows) {
  Context context(clm_context_create());
  for (std::int64_t bytes : {1, 64, 100, 1 << 20, 10}) {
    void *memory = clmrt_workspace(context.get(), bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
    std::fill_n(static_cast<char *>(memory), bytes, '\x5a');
  }
}

TEST(RuntimeAbiDeathTest, FailuresEndTheProcess) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Context context(clm_context_create());
  EXPECT_EXIT(clmrt_workspace(context.get(), -1), testing::ExitedWithCode(70), "internal error: .*negative size");
  EXPECT_EXIT(clmrt_workspace(context.get(), INT64_MAX - 128), testing::ExitedWithCode(1), "error: out of memory");
  std::vector<float> numbers(4);
  EXPECT_EXIT(clmrt_matmul_f32(context.get(), numbers.data(), numbers.data(), numbers.data(), -1, 2, 2, 0, 0),
              testing::ExitedWithCode(70), "internal error: the matrix product of");
}

TEST(RuntimeAbi, LibtorchNamesItsVersion) { EXPECT_EQ(clm::runtime::torchVersion().substr(0, 2), "2."); }
