// RUN: clm-opt %s --exec-plan-memory --canonicalize | FileCheck %s
// RUN: clm-opt %s --exec-plan-memory=share=false --canonicalize | FileCheck %s --check-prefix=APART

// The first and the third buffer never live together and share a slot; sizes are multiples of the batch, rounded up.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[B:.*]] = memref.dim
// CHECK:         arith.muli %[[B]]
// CHECK:         %[[W:.*]] = exec.workspace %{{.*}} : memref<?xi8>
// CHECK:         %[[A:.*]] = memref.view %[[W]][%[[FIRST:.*]]][%[[B]]] : memref<?xi8> to memref<?x16xf32>
// CHECK:         memref.view %[[W]][%[[SECOND:.*]]][%[[B]]]
// CHECK:         memref.view %[[W]][%[[FIRST]]][%[[B]]]
// CHECK-NOT:     exec.alloc

// APART-LABEL: func.func @chain
// APART:         memref.view %{{.*}}[%[[FIRST:.*]]][
// APART:         memref.view
// APART-NOT:     memref.view %{{.*}}[%[[FIRST]]][
func.func @chain(%x: memref<?x16xf32>) {
  %zero = arith.constant 0 : index
  %b = memref.dim %x, %zero : memref<?x16xf32>
  %0 = exec.alloc(%b) : memref<?x16xf32>
  exec.launch @kernel(%x, %0) : memref<?x16xf32>, memref<?x16xf32>
  %1 = exec.alloc(%b) : memref<?x16xf32>
  exec.launch @kernel(%0, %1) : memref<?x16xf32>, memref<?x16xf32>
  %2 = exec.alloc(%b) : memref<?x16xf32>
  exec.launch @kernel(%1, %2) : memref<?x16xf32>, memref<?x16xf32>
  return
}
func.func private @kernel(memref<?x16xf32>, memref<?x16xf32>) attributes {clm.kernel}
