// RUN: clm-opt %s --ten-form-kernels | FileCheck %s
// RUN: clm-opt %s --ten-form-kernels=max-ops=1 | FileCheck %s --check-prefix=SINGLE

// A chain of pointwise ops and the reduction at its end are one kernel; the constant is copied into it.
// CHECK-LABEL:  func.func @chain
// SINGLE-LABEL: func.func @chain
// CHECK-NEXT:     ten.kernel(%[[P:.*]] = %{{.*}} : tensor<?x4xf32>, %[[Q:.*]] = %{{.*}} : tensor<4xf32>) -> tensor<f32> {
// CHECK-NEXT:       ten.add %[[P]], %[[Q]]
// CHECK-NEXT:       ten.constant 2.0
// CHECK-NEXT:       ten.mul
// CHECK-NEXT:       ten.reduce_sum
// CHECK-NEXT:       ten.yield
// SINGLE-COUNT-3:   ten.kernel
func.func @chain(%x: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %two = ten.constant 2.0 : tensor<f32>
  %0 = ten.add %x, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %1 = ten.mul %0, %two : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  %2 = ten.reduce_sum %1 over [0, 1] : (tensor<?x4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// A reduction's result is complete only after the loop: what reads it is another kernel.
// CHECK-LABEL: func.func @softmax
// CHECK:         ten.kernel
// CHECK:           ten.exp
// CHECK-NEXT:      ten.reduce_sum
// CHECK:         ten.reshape
// CHECK:         ten.kernel
// CHECK-NEXT:      ten.div
func.func @softmax(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = ten.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = ten.reduce_sum %0 over [1] : (tensor<?x4xf32>) -> tensor<?xf32>
  %2 = ten.reshape %1 : (tensor<?xf32>) -> tensor<?x1xf32>
  %3 = ten.div %0, %2 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// The two adds cannot be one kernel: the product between them would have to leave it and come back.
// CHECK-LABEL: func.func @convex
// CHECK:         ten.kernel
// CHECK-NEXT:      ten.exp
// CHECK-NEXT:      ten.yield
// CHECK:         ten.matmul
// CHECK:         ten.kernel
// CHECK-NEXT:      ten.add
func.func @convex(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ten.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = ten.matmul %0, %x {transposeLhs = false, transposeRhs = false} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = ten.add %0, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// Equal types do not prove equal sizes: two dynamic rows counts stay apart.
// CHECK-LABEL:   func.func @dynamicSiblings
// CHECK-COUNT-2:   ten.kernel
func.func @dynamicSiblings(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = ten.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = ten.exp %y : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}
