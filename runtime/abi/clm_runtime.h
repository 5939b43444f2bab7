/*
 * The binary interface between compiled modules and the runtime. Plain C: generated machine code, the JIT and emitted
 * programs call these functions, and the runtime calls the functions a module exports.
 */
#ifndef CLM_RUNTIME_H
#define CLM_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows whenever a struct, a symbol or the manifest changes its meaning. */
#define CLM_ABI_VERSION 1
#define CLM_MAX_RANK 6

/* Element types of tensors at the boundary. */
enum { CLM_FLOAT32 = 0, CLM_FLOAT64 = 1, CLM_INT64 = 2, CLM_BOOL = 3 };

/* A dense row-major tensor that somebody else owns. `sizes` beyond `rank` are 0; rank 0 is a scalar. */
typedef struct clm_tensor {
  void *data;
  int32_t element;
  int32_t rank;
  int64_t sizes[CLM_MAX_RANK];
} clm_tensor;

/* Execution context of one session: workspace and counters. Not shared between threads. */
typedef struct clm_context clm_context;

clm_context *clm_context_create(void);
void clm_context_destroy(clm_context *context);

/*
 * A function of a module. `arguments` and `results` are in the order of its signature in the manifest. Results that are
 * tied to an argument are written into that argument and do not appear in `results`.
 */
typedef void (*clm_function)(clm_context *context, const clm_tensor *arguments, const clm_tensor *results);

/* Every module exports its manifest (JSON, see runtime/module/Manifest.h) as `const char clm_manifest[]`. */
#define CLM_MANIFEST_SYMBOL "clm_manifest"

/*
 * Called by generated code. They do not return on failure: out of memory ends the process with a message and exit code
 * 1, a broken call with exit code 70.
 */

/* At least `bytes` bytes, aligned to 64, valid until the next call with the same context. */
void *clmrt_workspace(clm_context *context, int64_t bytes);

/* out[m, n] = op(a) op(b), where op transposes when its flag is set; a is [m, k] (or [k, m]), b is [k, n] (or [n, k]).
 */
void clmrt_matmul_f32(clm_context *context, const float *a, const float *b, float *out, int64_t m, int64_t n, int64_t k,
                      int32_t transpose_a, int32_t transpose_b);
void clmrt_matmul_f64(clm_context *context, const double *a, const double *b, double *out, int64_t m, int64_t n,
                      int64_t k, int32_t transpose_a, int32_t transpose_b);

#ifdef __cplusplus
}
#endif

#endif
