// RUN: clm-opt %s | clm-opt | FileCheck %s

// CHECK: clm.model "small"
clm.model "small" attributes {data = "digits", input = array<i64: 1, 8, 8>, scenario = "task_incremental", tasks = 5 : i64} {
  // CHECK: clm.setting @method.c "real" 7.500000e-01 origin "spec"
  clm.setting @method.c "real" 0.75 origin "spec"
  // CHECK: clm.setting @net.hidden "integer" 1.000000e+02 fixed origin "default"
  clm.setting @net.hidden "integer" 100.0 fixed origin "default"
  // CHECK: clm.entry "parameter" @e.h1 per_task : tensor<100xf32> shape [100] axes ["h1.units"]
  clm.entry "parameter" @e.h1 per_task : tensor<100xf32> shape [100] axes ["h1.units"]
  // CHECK: clm.noise @net.dropout.u "uniform" : tensor<?x100xf32> shape [-1, 100]
  clm.noise @net.dropout.u "uniform" : tensor<?x100xf32> shape [-1, 100]
  clm.function @predict {
    // CHECK: clm.read @e.h1 : tensor<100xf32>
    %e = clm.read @e.h1 : tensor<100xf32>
    %x = clm.input : tensor<?x100xf32>
    // CHECK: clm.mask %{{.*}} by %{{.*}} on 1 : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h = clm.mask %x by %e on 1 : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    // CHECK: clm.output "logits" %{{.*}} shape [-1, 100] : tensor<?x100xf32>
    clm.output "logits" %h shape [-1, 100] : tensor<?x100xf32>
  }
}
