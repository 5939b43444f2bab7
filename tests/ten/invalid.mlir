// RUN: clm-opt %s -split-input-file -verify-diagnostics

func.func @shapes(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  // expected-error @+2 {{operand shapes do not broadcast}}
  // expected-error @+1 {{'ten.add' op failed to infer returned types}}
  %0 = ten.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @elements(%a: tensor<3xf32>, %b: tensor<3xf64>) {
  // expected-error @+1 {{requires the same element type for all operands}}
  %0 = ten.add %a, %b : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// -----

func.func @contraction(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{contracts 3 with 4}}
  // expected-error @+1 {{'ten.matmul' op failed to infer returned types}}
  %0 = ten.matmul %a, %b {transposeLhs = false, transposeRhs = false} : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @rank(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{multiplies values of rank 3 and 2, not matrices}}
  // expected-error @+1 {{'ten.matmul' op failed to infer returned types}}
  %0 = ten.matmul %a, %b {transposeLhs = false, transposeRhs = false} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dimension(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{reduces dimension 2 of a value of rank 2}}
  // expected-error @+1 {{'ten.reduce_sum' op failed to infer returned types}}
  %0 = ten.reduce_sum %a over [2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape(%a: tensor<?x6xf32>) {
  // expected-error @+1 {{'ten.reshape' op reshapes 'tensor<?x6xf32>' to 'tensor<?x5xf32>'}}
  %0 = ten.reshape %a : (tensor<?x6xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @notAScalar(%a: tensor<6xf32>) {
  // expected-error @+1 {{'ten.gradient' op differentiates a value of rank 1, not a scalar}}
  %0 = ten.gradient %a with_respect_to (%a) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @readInside(%x: tensor<3xf32>) -> tensor<f32> {
  %0 = ten.kernel(%a = %x : tensor<3xf32>) -> tensor<f32> {
    // expected-error @+1 {{'ten.reduce_sum' op is read inside the kernel that computes it}}
    %1 = ten.reduce_sum %a over [0] : (tensor<3xf32>) -> tensor<f32>
    %2 = ten.exp %1 : (tensor<f32>) -> tensor<f32>
    ten.yield %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @unknownFunction(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'ten.apply' op refers to an unknown function @gate}}
  %0 = ten.apply @gate derivative @gate.derivative(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @columns(%y: tensor<?xi64>, %like: tensor<?x4xf32>) {
  // expected-error @+1 {{'ten.one_hot' op has 5 columns, but the last dimension of `like` is 4}}
  %0 = ten.one_hot %y, %like : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x5xf32>
  return
}
