// RUN: clm-opt %s --exec-to-llvm | FileCheck %s

// CHECK-DAG: llvm.func @clmrt_workspace(!llvm.ptr, i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @clmrt_matmul_f32(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i32, i32)

// CHECK-LABEL: llvm.func internal @product_exec
// CHECK:         llvm.call @clmrt_workspace(%arg0, %{{.*}})
// CHECK:         llvm.call @clmrt_matmul_f32(%arg0,
// CHECK:         llvm.call @kernel(

// The entry point unpacks `clm_tensor` records and has the C type `clm_function`.
// CHECK-LABEL: llvm.func @clm_product(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr)
// CHECK:         llvm.getelementptr %arg1[0, 0] {{.*}} !llvm.struct<(ptr, i32, i32, array<6 x i64>)>
// CHECK:         llvm.call @product_exec
func.func @product_exec(%context: !llvm.ptr, %a: memref<?x3xf32>, %b: memref<3x3xf32>, %out: memref<?x3xf32>) attributes {clm.export = "product", clm.arguments = 2 : i64} {
  %bytes = arith.constant 64 : index
  %w = exec.workspace %bytes : memref<?xi8>
  exec.matmul %a, %b into %out {transposeLhs = false, transposeRhs = false} : memref<?x3xf32>, memref<3x3xf32>, memref<?x3xf32>
  exec.launch @kernel(%b) : memref<3x3xf32>
  return
}

// CHECK-LABEL: llvm.func internal @kernel(%arg0: !llvm.ptr {llvm.noalias}, %arg1: !llvm.ptr {llvm.noalias}
// CHECK-SAME:  passthrough = ["noinline", "nounwind"]
func.func private @kernel(%b: memref<3x3xf32>) attributes {clm.kernel} {
  return
}
