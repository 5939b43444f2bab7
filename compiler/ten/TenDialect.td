// The `ten` dialect: pure, differentiable tensor values.
#ifndef CLM_TEN_DIALECT
#define CLM_TEN_DIALECT

include "ten/Differentiable.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Ten_Dialect : Dialect {
  let name = "ten";
  let cppNamespace = "::clm::ten";
  let summary = "Differentiable tensor values";
  let description = [{
    Every op is pure and works on builtin ranked tensors. A function of this level maps table entries, a batch, scalars and
    noise to new entries and outputs. Elementwise ops broadcast as NumPy does: shapes are aligned at their last dimension,
    and a dimension of static size 1 stretches. A dynamic dimension never stretches.

    Scalars (settings, schedules) are 0-d tensors of f64; tensors of the model have element type f32.
  }];
  let hasConstantMaterializer = 0;
}

/// The op's result does not depend smoothly on its operands; differentiation stops here.
def NoGradient : NativeOpTrait<"NoGradient"> { let cppNamespace = "::clm::ten"; }

/// One result element per point of the iteration domain, computed from the operands at that point.
def Pointwise : NativeOpTrait<"Pointwise"> { let cppNamespace = "::clm::ten"; }

/// Accumulates over dimensions of its first operand.
def Reduction : NativeOpTrait<"Reduction"> { let cppNamespace = "::clm::ten"; }

class Ten_Op<string mnemonic, list<Trait> traits = []> : Op<Ten_Dialect, mnemonic, traits>;

#endif
