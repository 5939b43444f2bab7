// The ABI offers no pointwise operation: chains become one generated loop with the scalar code inside.
// RUN: clm-opt %s --ten-form-kernels --ten-outline-kernels --ten-to-exec --convert-linalg-to-loops | FileCheck %s

// CHECK-LABEL: func.func private @kernel_0_buffers
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load
// CHECK:             arith.addf
// CHECK:             arith.cmpf olt
// CHECK:             arith.select
// CHECK:             arith.mulf
// CHECK:             memref.store
// CHECK-NOT:     scf.for
func.func @chain(%x: tensor<8x4xf32>, %b: tensor<4xf32>, %gate: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = ten.add %x, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %1 = ten.relu %0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = ten.mul %1, %gate : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
