// RUN: clm-opt %s --ten-inline-functions | FileCheck %s

func.func private @gate(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.sigmoid %x : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @gate.derivative(%x: tensor<3xf32>, %y: tensor<3xf32>, %dy: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.mul %y, %dy : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-NOT:   @gate
// CHECK-LABEL: func.func @use
// CHECK:         %[[Y:.*]] = ten.sigmoid
// CHECK:         ten.mul %[[Y]], %{{.*}}
// CHECK-NOT:   @gate
func.func @use(%x: tensor<3xf32>, %dy: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.apply @gate derivative @gate.derivative(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = ten.call @gate.derivative(%x, %0, %dy) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
