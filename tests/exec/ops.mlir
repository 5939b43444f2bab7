// RUN: clm-opt %s | clm-opt | FileCheck %s

// CHECK-LABEL: func.func @host
func.func @host(%context: !llvm.ptr, %a: memref<?x3xf32>, %n: index) {
  // CHECK: exec.workspace %{{.*}} : memref<?xi8>
  %w = exec.workspace %n : memref<?xi8>
  // CHECK: %[[T:.*]] = exec.alloc(%{{.*}}) : memref<?x3xf32>
  %t = exec.alloc(%n) : memref<?x3xf32>
  // CHECK: exec.launch @kernel(%{{.*}}, %[[T]]) : memref<?x3xf32>, memref<?x3xf32>
  exec.launch @kernel(%a, %t) : memref<?x3xf32>, memref<?x3xf32>
  return
}
func.func private @kernel(memref<?x3xf32>, memref<?x3xf32>) attributes {clm.kernel}
