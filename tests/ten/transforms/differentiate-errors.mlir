// RUN: clm-opt %s --allow-unregistered-dialect --ten-differentiate -verify-diagnostics

func.func @kernel(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'test.unknown' op has no derivative}}
  %0 = "test.unknown"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = ten.reduce_sum %0 over [0] : (tensor<3xf32>) -> tensor<f32>
  %2 = ten.gradient %1 with_respect_to (%x) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
