// RUN: clm-opt %s -split-input-file -verify-diagnostics

func.func @sizes(%n: index) {
  // expected-error @+1 {{'exec.alloc' op has 1 sizes for 0 dynamic dimensions}}
  %0 = exec.alloc(%n) : memref<3xf32>
  return
}

// -----

func.func private @kernel(memref<3xf32>)
func.func @launch(%a: memref<4xf32>) {
  // expected-error @+1 {{'exec.launch' op does not fit the type of @kernel}}
  exec.launch @kernel(%a) : memref<4xf32>
  return
}

// -----

func.func @unknown(%a: memref<4xf32>) {
  // expected-error @+1 {{'exec.launch' op refers to an unknown kernel @kernel}}
  exec.launch @kernel(%a) : memref<4xf32>
  return
}
