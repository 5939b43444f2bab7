// RUN: clm-opt %s --ten-differentiate | FileCheck %s

// CHECK-LABEL: func.func @square
// CHECK-SAME:  (%[[X:.*]]: tensor<3xf32>)
// CHECK-DAG:   %[[ONE:.*]] = ten.constant 1.0
// CHECK:       %[[WIDE:.*]] = ten.reshape %[[ONE]]
// CHECK:       %[[CT:.*]] = ten.broadcast_like %[[WIDE]]
// CHECK:       %[[A:.*]] = ten.mul %[[CT]], %[[X]]
// CHECK:       %[[B:.*]] = ten.mul %[[CT]], %[[X]]
// CHECK:       %[[SUM:.*]] = ten.add %[[A]], %[[B]]
// CHECK-NOT:   ten.gradient
// CHECK:       return %[[SUM]]
func.func @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.mul %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = ten.reduce_sum %0 over [0] : (tensor<3xf32>) -> tensor<f32>
  %2 = ten.gradient %1 with_respect_to (%x) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// Transpositions become flags of the products.
// CHECK-LABEL: func.func @linear
// CHECK-SAME:  (%[[X:.*]]: tensor<?x4xf32>, %[[W:.*]]: tensor<3x4xf32>)
// CHECK:       %[[CT:.*]] = ten.broadcast_like
// CHECK:       ten.matmul %[[CT]], %[[X]] {transposeLhs = true, transposeRhs = false} : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<3x4xf32>
func.func @linear(%x: tensor<?x4xf32>, %w: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = ten.matmul %x, %w {transposeLhs = false, transposeRhs = true} : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  %1 = ten.reduce_sum %0 over [0, 1] : (tensor<?x3xf32>) -> tensor<f32>
  %2 = ten.gradient %1 with_respect_to (%w) : (tensor<f32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// A value that the scalar does not depend on has a zero gradient; `detach` cuts the dependence.
// CHECK-LABEL: func.func @detached
// CHECK-NOT:   ten.detach
// CHECK:       %[[ZERO:.*]] = ten.constant 0.0
// CHECK:       %[[G:.*]] = ten.broadcast_like %[[ZERO]]
// CHECK:       return %[[G]]
func.func @detached(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.detach %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = ten.reduce_sum %0 over [0] : (tensor<3xf32>) -> tensor<f32>
  %2 = ten.gradient %1 with_respect_to (%x) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func private @gate(tensor<3xf32>) -> tensor<3xf32>
func.func private @gate.derivative(tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>

// A function with its own derivative is not looked into.
// CHECK-LABEL: func.func @own
// CHECK:       %[[Y:.*]] = ten.apply @gate
// CHECK:       ten.call @gate.derivative(%{{.*}}, %[[Y]], %{{.*}})
func.func @own(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.apply @gate derivative @gate.derivative(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = ten.reduce_sum %0 over [0] : (tensor<3xf32>) -> tensor<f32>
  %2 = ten.gradient %1 with_respect_to (%x) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
