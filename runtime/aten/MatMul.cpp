/// \file
/// Matrix products of generated code, through libtorch's out-variant on tensors that borrow the caller's memory. The
/// CPU kernel is called directly, below the dispatcher and autograd: nothing is recorded and nothing is allocated.
#include "runtime/abi/Failure.h"
#include "runtime/abi/clm_runtime.h"
#include "runtime/aten/Aten.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_cpu_dispatch.h>

#include <exception>
#include <string>

namespace {

/// [rows, columns] stored row-major, or, transposed, a view of stored [columns, rows].
at::Tensor borrow(const void *data, int64_t rows, int64_t columns, bool transposed, at::ScalarType type) {
  int64_t rowStride = transposed ? 1 : columns;
  int64_t columnStride = transposed ? rows : 1;
  return at::from_blob(const_cast<void *>(data), {rows, columns}, {rowStride, columnStride}, at::TensorOptions(type));
}

void matmul(const void *a, const void *b, void *out, int64_t m, int64_t n, int64_t k, bool transposeA, bool transposeB,
            at::ScalarType type) {
  try {
    clm::runtime::chooseThreads(static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    at::AutoDispatchBelowADInplaceOrView noAutograd;
    at::Tensor result = borrow(out, m, n, false, type);
    at::cpu::mm_out(result, borrow(a, m, k, transposeA, type), borrow(b, k, n, transposeB, type));
  } catch (const std::exception &) {
    // The library's text names its own internals; the sizes are what tells a reader of a report which call it was.
    clm::runtime::failAndExit("the matrix product of [" + std::to_string(m) + ", " + std::to_string(k) + "] and [" +
                                  std::to_string(k) + ", " + std::to_string(n) + "] failed",
                              clm::runtime::kExitInternalError);
  }
}

} // namespace

extern "C" void clmrt_matmul_f32(clm_context *context, const float *a, const float *b, float *out, int64_t m, int64_t n,
                                 int64_t k, int32_t transpose_a, int32_t transpose_b) {
  matmul(a, b, out, m, n, k, transpose_a != 0, transpose_b != 0, at::kFloat);
}

extern "C" void clmrt_matmul_f64(clm_context *context, const double *a, const double *b, double *out, int64_t m,
                                 int64_t n, int64_t k, int32_t transpose_a, int32_t transpose_b) {
  matmul(a, b, out, m, n, k, transpose_a != 0, transpose_b != 0, at::kDouble);
}
