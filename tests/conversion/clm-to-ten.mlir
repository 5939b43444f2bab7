// RUN: clm-opt %s --clm-to-ten | FileCheck %s
// RUN: clm-opt %s --clm-to-ten=probes | FileCheck %s --check-prefix=PROBES

// What a step reads becomes arguments; new values are tied to the argument they replace. Losses are added up, the gradient
// is taken, then rules, optimizer and clamp follow in the order written.
// CHECK-LABEL: func.func @step
// CHECK-SAME:  %[[W:arg0]]: tensor<3xf32> {clm.kind = "entry", clm.name = "w"
// CHECK-SAME:  %[[C:arg1]]: tensor<f64> {clm.kind = "scalar", clm.name = "method.c"
// CHECK-SAME:  %[[RATE:arg2]]: tensor<f64> {clm.kind = "scalar", clm.name = "learning_rate"
// CHECK-SAME:  -> (tensor<f32> {clm.name = "loss.size"
// CHECK-SAME:      tensor<f32> {clm.name = "loss",
// CHECK-SAME:      tensor<3xf32> {clm.name = "w", clm.shape = array<i64: 3>, clm.tied = 0 : i64})
// CHECK:         %[[L:.*]] = ten.reduce_sum
// CHECK:         %[[G:.*]] = ten.gradient %[[L]] with_respect_to(%[[W]])
// CHECK:         %[[SCALED:.*]] = ten.mul %[[G]], %{{.*}}
// CHECK:         %[[NORM:.*]] = ten.sqrt
// CHECK:         %[[COEFFICIENT:.*]] = ten.minimum
// CHECK:         %[[CLIPPED:.*]] = ten.mul %[[SCALED]], %[[COEFFICIENT]]
// CHECK:         %[[CHANGE:.*]] = ten.mul %[[CLIPPED]], %{{.*}}
// CHECK:         %[[NEW:.*]] = ten.sub %[[W]], %[[CHANGE]]
// CHECK:         ten.clamp %[[NEW]]

// PROBES: clm.name = "gradient.raw.w"
// PROBES: clm.name = "factor.rule0.w"
// PROBES: clm.name = "gradient.rule0.w"
// PROBES: clm.name = "norm.rule1"
// PROBES: clm.name = "gradient.rule1.w"
// PROBES: clm.name = "gradient.final.w"
// PROBES: clm.name = "unclamped.w"
clm.model "small" attributes {data = "", input = array<i64: 1, 8, 8>, scenario = "task_incremental", tasks = 5 : i64} {
  clm.setting @method.c "real" 0.75 origin "spec"
  clm.entry "parameter" @w : tensor<3xf32> shape [3] axes ["units"]
  clm.function @step {
    %w = clm.read @w : tensor<3xf32>
    %c = clm.scalar "method.c" : tensor<f64>
    %limit = ten.constant 6.0 : tensor<f64>
    %square = ten.mul %w, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %sum = ten.reduce_sum %square over [0] : (tensor<3xf32>) -> tensor<f32>
    clm.loss "size" %sum : tensor<f32>
    clm.scale_gradient @w by %c rule 0 : tensor<f64>
    clm.clip_norm [@w] to %c rule 1 : tensor<f64>
    clm.optimize "sgd" [@w]
    clm.clamp @w to %c, %limit : tensor<f64>, tensor<f64>
  }

  // A gate stretches along the axis it masks.
  // CHECK-LABEL: func.func @predict
  // CHECK:         %[[GATE:.*]] = ten.reshape %{{.*}} : (tensor<3xf32>) -> tensor<3x1xf32>
  // CHECK:         ten.mul %{{.*}}, %[[GATE]] : (tensor<?x3x4xf32>, tensor<3x1xf32>) -> tensor<?x3x4xf32>
  clm.function @predict {
    %x = clm.input : tensor<?x3x4xf32>
    %w = clm.read @w : tensor<3xf32>
    %h = clm.mask %x by %w on 1 : (tensor<?x3x4xf32>, tensor<3xf32>) -> tensor<?x3x4xf32>
    clm.output "logits" %h shape [-1, 3, 4] : tensor<?x3x4xf32>
  }
}
