// Every op prints as it was read.
// RUN: clm-opt %s | clm-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<?x4xf32>, %b: tensor<4xf32>, %c: tensor<f32>) -> tensor<?x4xf32> {
  // CHECK: ten.add %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %0 = ten.add %x, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  // CHECK: ten.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
  %1 = ten.clamp %0, %c, %c : (tensor<?x4xf32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
  // CHECK: ten.compare ge %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xi1>
  %2 = ten.compare ge %1, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xi1>
  // CHECK: ten.select
  %3 = ten.select %2, %1, %x : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<?x4xf32>, %y: tensor<?xi64>) -> (tensor<f32>, tensor<f64>, tensor<?x4xf32>) {
  // CHECK: ten.reduce_sum %{{.*}} over [0, 1] : (tensor<?x4xf32>) -> tensor<f32>
  %0 = ten.reduce_sum %x over [0, 1] : (tensor<?x4xf32>) -> tensor<f32>
  // CHECK: ten.extent %{{.*}} of [0] : (tensor<?x4xf32>) -> tensor<f64>
  %1 = ten.extent %x of [0] : (tensor<?x4xf32>) -> tensor<f64>
  // CHECK: ten.one_hot %{{.*}}, %{{.*}} : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = ten.one_hot %y, %x : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1, %2 : tensor<f32>, tensor<f64>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @gradient
func.func @gradient(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: ten.matmul %{{.*}}, %{{.*}} {transposeLhs = false, transposeRhs = true}
  %0 = ten.matmul %x, %w {transposeLhs = false, transposeRhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = ten.reduce_sum %0 over [0, 1] : (tensor<2x4xf32>) -> tensor<f32>
  // CHECK: ten.gradient %{{.*}} with_respect_to(%{{.*}}) : (tensor<f32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = ten.gradient %1 with_respect_to (%w) : (tensor<f32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @kernel
func.func @kernel(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: ten.kernel(%[[IN:.*]] = %{{.*}} : tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: ten.yield %{{.*}} : tensor<3xf32>
  %0 = ten.kernel(%a = %x : tensor<3xf32>) -> tensor<3xf32> {
    %1 = ten.exp %a : (tensor<3xf32>) -> tensor<3xf32>
    ten.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
