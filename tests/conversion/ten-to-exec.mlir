// RUN: clm-opt %s --ten-outline-kernels --ten-to-exec | FileCheck %s

// The new value of an argument is computed in its buffer, which the kernel takes once.
// CHECK-LABEL: func.func @update_exec
// CHECK-SAME:  (%{{.*}}: !llvm.ptr, %[[W:.*]]: memref<3xf32>, %[[G:.*]]: memref<3xf32>) attributes {clm.arguments = 2 : i64, clm.export = "update"}
// CHECK-NEXT:    exec.launch @kernel_0_buffers_0in0(%[[G]], %[[W]]) : memref<3xf32>, memref<3xf32>
// CHECK-NEXT:    return
func.func @update(%w: tensor<3xf32>, %g: tensor<3xf32>) -> (tensor<3xf32> {clm.tied = 0 : i64}) {
  %0 = ten.kernel(%a = %w : tensor<3xf32>, %b = %g : tensor<3xf32>) -> tensor<3xf32> {
    %1 = ten.sub %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    ten.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// The old value is read after the new one exists: the new one waits in a temporary.
// CHECK-LABEL: func.func @readLater_exec
// CHECK:         %[[NEW:.*]] = exec.alloc() : memref<3x3xf32>
// CHECK:         exec.launch @kernel_1_buffers(%[[W:.*]], %[[NEW]])
// CHECK:         exec.matmul %[[W]], %[[NEW]] into %[[OUT:.*]] {
// CHECK:         memref.copy %[[NEW]], %[[W]]
func.func @readLater(%w: tensor<3x3xf32>) -> (tensor<3x3xf32> {clm.tied = 0 : i64}, tensor<3x3xf32>) {
  %0 = ten.kernel(%a = %w : tensor<3x3xf32>) -> tensor<3x3xf32> {
    %1 = ten.exp %a : (tensor<3x3xf32>) -> tensor<3x3xf32>
    ten.yield %1 : tensor<3x3xf32>
  }
  %2 = ten.matmul %w, %0 {transposeLhs = false, transposeRhs = false} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %2 : tensor<3x3xf32>, tensor<3x3xf32>
}

// Sizes known only at run time come from arguments.
// CHECK-LABEL: func.func @batch_exec
// CHECK:         %[[B:.*]] = memref.dim %[[X:.*]], %{{.*}} : memref<?x4xf32>
// CHECK:         exec.alloc(%[[B]]) : memref<?x5xf32>
func.func @batch(%x: tensor<?x4xf32>, %w: tensor<4x5xf32>) -> tensor<f32> {
  %0 = ten.matmul %x, %w {transposeLhs = false, transposeRhs = false} : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  %1 = ten.kernel(%a = %0 : tensor<?x5xf32>) -> tensor<f32> {
    %2 = ten.reduce_sum %a over [0, 1] : (tensor<?x5xf32>) -> tensor<f32>
    ten.yield %2 : tensor<f32>
  }
  return %1 : tensor<f32>
}

// One loop nest: the pointwise part and the sum over the columns.
// CHECK-LABEL: func.func private @kernel_0_buffers_0in0
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]
// CHECK-LABEL: func.func private @kernel_2_buffers
// CHECK:         linalg.fill
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "reduction"]
// CHECK:           arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
