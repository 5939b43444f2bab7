// RUN: clm-opt %s -split-input-file -verify-diagnostics

func.func @maskSize(%h: tensor<?x64xf32>, %a: tensor<32xf32>) {
  // expected-error @+1 {{'clm.mask' op mask has type 'tensor<32xf32>', but the masked axis has size 64}}
  %0 = clm.mask %h by %a on 1 : (tensor<?x64xf32>, tensor<32xf32>) -> tensor<?x64xf32>
  return
}

// -----

func.func @maskDimension(%h: tensor<?x64xf32>, %a: tensor<64xf32>) {
  // expected-error @+1 {{'clm.mask' op acts on dimension 2 of a value of rank 2}}
  %0 = clm.mask %h by %a on 2 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  return
}
