// RUN: clm-opt %s --canonicalize --cse | FileCheck %s

// Conversions and views that change nothing vanish.
// CHECK-LABEL: func.func @identities
// CHECK-SAME:  (%[[X:.*]]: tensor<3x4xf32>)
// CHECK-NEXT:  return %[[X]]
func.func @identities(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = ten.cast %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = ten.reshape %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = ten.broadcast_like %1, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = ten.sum_to_like %2, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// Ops are pure: equal ones are computed once, unused ones not at all.
// CHECK-LABEL: func.func @common
// CHECK:         ten.exp
// CHECK-NOT:     ten.exp
// CHECK-NOT:     ten.log
func.func @common(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ten.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = ten.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = ten.log %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = ten.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
