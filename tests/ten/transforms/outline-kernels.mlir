// RUN: clm-opt %s --ten-outline-kernels | FileCheck %s

// Equal kernels share a function, another body gets its own.
// CHECK-LABEL: func.func @three
// CHECK:         ten.launch @kernel_0
// CHECK:         ten.launch @kernel_0
// CHECK:         ten.launch @kernel_1
func.func @three(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ten.kernel(%a = %x : tensor<3xf32>) -> tensor<3xf32> {
    %1 = ten.exp %a : (tensor<3xf32>) -> tensor<3xf32>
    ten.yield %1 : tensor<3xf32>
  }
  %2 = ten.kernel(%a = %0 : tensor<3xf32>) -> tensor<3xf32> {
    %1 = ten.exp %a : (tensor<3xf32>) -> tensor<3xf32>
    ten.yield %1 : tensor<3xf32>
  }
  %3 = ten.kernel(%a = %2 : tensor<3xf32>) -> tensor<3xf32> {
    %1 = ten.log %a : (tensor<3xf32>) -> tensor<3xf32>
    ten.yield %1 : tensor<3xf32>
  }
  return %3 : tensor<3xf32>
}
// CHECK: func.func private @kernel_0(%{{.*}}: tensor<3xf32>) -> tensor<3xf32> attributes {clm.kernel}
// CHECK:   ten.exp
// CHECK: func.func private @kernel_1
// CHECK:   ten.log
