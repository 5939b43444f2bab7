// RUN: clm-opt %s --clm-approximate-math | FileCheck %s

// exp, log and tanh of f32 become polynomials, which vectorize.
// CHECK-LABEL: func.func @single
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.log
// CHECK-NOT:     math.tanh
// CHECK:         return
func.func @single(%x: f32) -> (f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.log %x : f32
  %2 = math.tanh %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// Scalars in double precision keep the exact functions.
// CHECK-LABEL: func.func @double
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         math.tanh %{{.*}} : f64
func.func @double(%x: f64) -> (f64, f64) {
  %0 = math.exp %x : f64
  %1 = math.tanh %x : f64
  return %0, %1 : f64, f64
}
