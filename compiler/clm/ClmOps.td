// The `clm` dialect: the declared model.
#ifndef CLM_CLM_OPS
#define CLM_CLM_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Clm_Dialect : Dialect {
  let name = "clm";
  let cppNamespace = "::clm::decl";
  let summary = "What a spec declares";
  let description = [{
    A `clm.model` holds the state table, settings, noise streams, the training plan and one `clm.function` for each thing the
    runtime can ask of the model. Values inside functions are `ten` ops; rules (masks, gradient rules, clamps) and losses are
    ops of this dialect. `clm-to-ten` turns each function into a pure one over tensors.

    Dimensions known only at run time are `?` in types; attributes `shape` say which: -1 is the batch, -2 the classes of the
    task an entry is viewed at.
  }];
}

class Clm_Op<string mnemonic, list<Trait> traits = []> : Op<Clm_Dialect, mnemonic, traits>;

//===- Declarations -----------------------------------------------------------------------------------------------===//

def Clm_ModelOp : Clm_Op<"model", [NoTerminator, SymbolTable, NoRegionArguments, SingleBlock]> {
  let summary = "A continual learner";
  let arguments = (ins StrAttr:$sym_name, StrAttr:$data, DenseI64ArrayAttr:$input, StrAttr:$scenario, I64Attr:$tasks);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

class Clm_Declaration<string mnemonic> : Clm_Op<mnemonic, [HasParent<"ModelOp">, Symbol]>;

def Clm_SettingOp : Clm_Declaration<"setting"> {
  let summary = "A configuration parameter with its resolved value";
  let description = [{
    `kind` is real, integer or boolean. A `fixed` setting shaped the program when it was compiled; others are arguments.
    `origin` tells who set the value: the default, the spec, or the command line.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kind, F64Attr:$value, UnitAttr:$fixed, StrAttr:$origin);
  let assemblyFormat = "$sym_name $kind $value (`fixed` $fixed^)? `origin` $origin attr-dict";
}

def Clm_EntryOp : Clm_Declaration<"entry"> {
  let summary = "A row of the state table: a parameter, a state, or an accumulator of a pass over data";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$role, UnitAttr:$perTask, TypeAttr:$type,
                       DenseI64ArrayAttr:$shape, StrArrayAttr:$axes);
  let assemblyFormat = "$role $sym_name (`per_task` $perTask^)? `:` $type `shape` $shape `axes` $axes attr-dict";
}

def Clm_NoiseOp : Clm_Declaration<"noise"> {
  let summary = "A stream of random tensors: uniform on [0, 1) or standard normal";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$distribution, TypeAttr:$type, DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$sym_name $distribution `:` $type `shape` $shape attr-dict";
}

def Clm_PassOp : Clm_Op<"pass", [HasParent<"ModelOp">]> {
  let summary = "A pass over the data of the current task before `finish`";
  let arguments = (ins StrAttr:$part);
  let assemblyFormat = "$part attr-dict";
}

def Clm_TrainOp : Clm_Op<"train", [HasParent<"ModelOp">]> {
  let summary = "What the training loop follows";
  let arguments = (ins I64Attr:$epochs, I64Attr:$batch, F64Attr:$validation, F64Attr:$learningRate, UnitAttr:$plateau,
                       I64Attr:$patience, F64Attr:$factor, F64Attr:$minimumRate, UnitAttr:$earlyStop,
                       UnitAttr:$restoreBest, DictionaryAttr:$origins);
  let assemblyFormat = "attr-dict";
}

def Clm_FunctionOp : Clm_Op<"function", [HasParent<"ModelOp">, NoTerminator, Symbol, NoRegionArguments, SingleBlock]> {
  let summary = "One thing the runtime can ask of the model";
  let description = [{
    `init` and `arrive` give first values, `step` trains on a batch, `evaluate` and `predict` look at one, `accumulate` and
    `finish` close a task.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

//===- Values -----------------------------------------------------------------------------------------------------===//

def Clm_ReadOp : Clm_Op<"read", [Pure]> {
  let summary = "Value of a table entry; a per-task entry is viewed at the current task";
  let arguments = (ins FlatSymbolRefAttr:$entry);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$entry attr-dict `:` type($result)";
}

def Clm_InputOp : Clm_Op<"input", [Pure]> {
  let summary = "The samples of the batch";
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Clm_LabelOp : Clm_Op<"label", [Pure]> {
  let summary = "The labels of the batch, counted within the task";
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Clm_ScalarOp : Clm_Op<"scalar", [Pure]> {
  let summary = "A scalar that the runtime passes: a setting, `progress`, `epoch` or `learning_rate`";
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Clm_DrawOp : Clm_Op<"draw", [Pure]> {
  let summary = "The random tensor of this call from a noise stream";
  let arguments = (ins FlatSymbolRefAttr:$stream);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$stream attr-dict `:` type($result)";
}

def Clm_MaskOp : Clm_Op<"mask", [Pure]> {
  let summary = "A gate multiplies a value along one of its axes";
  let arguments = (ins AnyRankedTensor:$value, AnyRankedTensor:$gate, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `by` $gate `on` $dim attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===- Effects of a function --------------------------------------------------------------------------------------===//

class Clm_Effect<string mnemonic> : Clm_Op<mnemonic, [HasParent<"FunctionOp">]>;

def Clm_LossOp : Clm_Effect<"loss"> {
  let summary = "A named term of what is minimized";
  let arguments = (ins StrAttr:$name, AnyRankedTensor:$value);
  let assemblyFormat = "$name $value attr-dict `:` type($value)";
}

def Clm_OutputOp : Clm_Effect<"output"> {
  let summary = "A named result; a `probe` is returned only when probes are asked for";
  let arguments = (ins StrAttr:$name, UnitAttr:$probe, AnyRankedTensor:$value, DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$name (`probe` $probe^)? $value `shape` $shape attr-dict `:` type($value)";
}

def Clm_UpdateOp : Clm_Effect<"update"> {
  let summary = "A new value for a table entry";
  let arguments = (ins FlatSymbolRefAttr:$entry, AnyRankedTensor:$value);
  let assemblyFormat = "$entry `to` $value attr-dict `:` type($value)";
}

def Clm_ScaleGradientOp : Clm_Effect<"scale_gradient"> {
  let summary = "Gradient rule: the gradient of an entry is multiplied by a factor";
  let arguments = (ins FlatSymbolRefAttr:$entry, AnyRankedTensor:$factor, I64Attr:$rule);
  let assemblyFormat = "$entry `by` $factor `rule` $rule attr-dict `:` type($factor)";
}

def Clm_ClipNormOp : Clm_Effect<"clip_norm"> {
  let summary = "Gradient rule: one Euclidean norm over the gradients of all entries is limited";
  let description = "Each gradient is multiplied by min(1, bound / (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_ does.";
  let arguments = (ins FlatSymbolRefArrayAttr:$entries, AnyRankedTensor:$bound, I64Attr:$rule);
  let assemblyFormat = "$entries `to` $bound `rule` $rule attr-dict `:` type($bound)";
}

def Clm_OptimizeOp : Clm_Effect<"optimize"> {
  let summary = "The optimizer updates entries by their gradients";
  let arguments = (ins StrAttr:$kind, FlatSymbolRefArrayAttr:$entries);
  let assemblyFormat = "$kind $entries attr-dict";
}

def Clm_ClampOp : Clm_Effect<"clamp"> {
  let summary = "After the optimizer an entry is limited to [low, high]";
  let arguments = (ins FlatSymbolRefAttr:$entry, AnyRankedTensor:$low, AnyRankedTensor:$high);
  let assemblyFormat = "$entry `to` $low `,` $high attr-dict `:` type($low) `,` type($high)";
}

#endif
