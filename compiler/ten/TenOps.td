// Ops of the `ten` dialect, by family.
#ifndef CLM_TEN_OPS
#define CLM_TEN_OPS

include "ten/TenDialect.td"

//===- Elementwise ------------------------------------------------------------------------------------------------===//

class Ten_Elementwise<string mnemonic, list<Trait> traits = []>
    : Ten_Op<mnemonic, !listconcat([Pure, Pointwise, DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return inferElementwiseType(location, operands, results);
    }
  }];
}

class Ten_Unary<string mnemonic, string meaning>
    : Ten_Elementwise<mnemonic, [DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = meaning;
  let arguments = (ins AnyRankedTensor:$operand);
}

class Ten_Binary<string mnemonic, string meaning>
    : Ten_Elementwise<mnemonic, [DeclareOpInterfaceMethods<Differentiable>, SameOperandsElementType]> {
  let summary = meaning;
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
}

def Ten_AddOp : Ten_Binary<"add", "a + b">;
def Ten_SubOp : Ten_Binary<"sub", "a - b">;
def Ten_MulOp : Ten_Binary<"mul", "a * b">;
def Ten_DivOp : Ten_Binary<"div", "a / b">;
def Ten_MaximumOp : Ten_Binary<"maximum", "The larger of two values; at a tie each side gets half of the derivative, as in PyTorch">;
def Ten_MinimumOp : Ten_Binary<"minimum", "The smaller of two values; at a tie each side gets half of the derivative, as in PyTorch">;

def Ten_NegOp : Ten_Unary<"neg", "-x">;
def Ten_ExpOp : Ten_Unary<"exp", "e to the power x">;
def Ten_LogOp : Ten_Unary<"log", "Natural logarithm">;
def Ten_SqrtOp : Ten_Unary<"sqrt", "Square root">;
def Ten_TanhOp : Ten_Unary<"tanh", "Hyperbolic tangent">;
def Ten_CoshOp : Ten_Unary<"cosh", "Hyperbolic cosine">;
def Ten_AbsOp : Ten_Unary<"abs", "Absolute value; its derivative at 0 is 0">;
def Ten_ReluOp : Ten_Unary<"relu", "max(x, 0); its derivative at 0 is 0">;

def Ten_SigmoidOp : Ten_Unary<"sigmoid", "1 / (1 + exp(-x))"> {
  let description = [{
    The derivative is built as sigmoid(x) sigmoid(-x), which keeps its relative accuracy on both sides; y (1 - y) loses all
    digits in single precision where y is near 1.
  }];
}

def Ten_ClampOp : Ten_Elementwise<"clamp", [DeclareOpInterfaceMethods<Differentiable>, SameOperandsElementType]> {
  let summary = "x limited to [low, high]; the derivative passes inside, bounds included";
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$low, AnyRankedTensor:$high);
}

def Ten_Predicate : I32EnumAttr<"Predicate", "comparison", [
    I32EnumAttrCase<"lt", 0>, I32EnumAttrCase<"le", 1>, I32EnumAttrCase<"gt", 2>,
    I32EnumAttrCase<"ge", 3>, I32EnumAttrCase<"eq", 4>, I32EnumAttrCase<"ne", 5>]> {
  let cppNamespace = "::clm::ten";
}

def Ten_CompareOp : Ten_Op<"compare", [Pure, Pointwise, NoGradient, SameOperandsElementType,
                                       DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Elementwise comparison; the result's elements are i1, false where a side is NaN (true for ne)";
  let arguments = (ins Ten_Predicate:$predicate, AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$predicate operands attr-dict `:` functional-type(operands, results)";
}

def Ten_SelectOp : Ten_Op<"select", [Pure, Pointwise, DeclareOpInterfaceMethods<Differentiable>,
                                     DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "a where the condition holds, else b";
  let arguments = (ins AnyRankedTensor:$condition, AnyRankedTensor:$trueValue, AnyRankedTensor:$falseValue);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Ten_CastOp : Ten_Op<"cast", [Pure, Pointwise, DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = "Conversion between element types; between floating-point types it has a derivative";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ten_DetachOp : Ten_Elementwise<"detach", [NoGradient]> {
  let summary = "The value, without a derivative";
  let arguments = (ins AnyRankedTensor:$operand);
}

def Ten_ConstantOp : Ten_Op<"constant", [Pure, NoGradient]> {
  let summary = "A scalar constant";
  let arguments = (ins F64Attr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{ double number() { return getValue().convertToDouble(); } }];
}

def Ten_OneHotOp : Ten_Op<"one_hot", [Pure, Pointwise, NoGradient]> {
  let summary = "labels [B] to [B, C]: 1 in the column that the label names, else 0";
  let description = "C is the last dimension of `like`, whose values are not read. A label outside 0..C-1 gives a row of zeros.";
  let arguments = (ins AnyRankedTensor:$labels, AnyRankedTensor:$like);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Ten_BroadcastLikeOp : Ten_Op<"broadcast_like", [Pure, Pointwise, DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = "x stretched to the shape of `like`, whose values are not read";
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$like);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ten_BroadcastOp : Ten_Op<"broadcast", [Pure, Pointwise, DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = "x stretched to the static shape of the result";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===- Reductions -------------------------------------------------------------------------------------------------===//

class Ten_Reduce<string mnemonic, string meaning>
    : Ten_Op<mnemonic, [Pure, Reduction, DeclareOpInterfaceMethods<Differentiable>,
                        DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = meaning;
  let arguments = (ins AnyRankedTensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand `over` $dims attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor adaptor(operands, attributes, *properties.as<Properties *>());
      return inferReducedType(location, operands[0], adaptor.getDims(), results);
    }
  }];
}

def Ten_ReduceSumOp : Ten_Reduce<"reduce_sum", "Sum over dimensions, which vanish from the shape">;
def Ten_ReduceMaxOp : Ten_Reduce<"reduce_max", "Largest element over dimensions, which vanish; ties share the derivative evenly, as torch.amax">;

def Ten_SumToLikeOp : Ten_Op<"sum_to_like", [Pure, Reduction, DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = "Sums x over the dimensions along which `like` would be stretched to x's shape";
  let description = "The transpose of `broadcast_like`. Values of `like` are not read.";
  let arguments = (ins AnyRankedTensor:$operand, AnyRankedTensor:$like);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===- Shape ------------------------------------------------------------------------------------------------------===//

def Ten_ReshapeOp : Ten_Op<"reshape", [Pure, DeclareOpInterfaceMethods<Differentiable>]> {
  let summary = "The same elements in row-major order under another shape";
  let description = "Both shapes have the same dynamic dimensions in the same order.";
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ten_ExtentOp : Ten_Op<"extent", [Pure, Pointwise, NoGradient]> {
  let summary = "Product of the sizes of some dimensions, as a scalar";
  let arguments = (ins AnyRankedTensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand `of` $dims attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===- Contraction ------------------------------------------------------------------------------------------------===//

def Ten_MatMulOp : Ten_Op<"matmul", [Pure, DeclareOpInterfaceMethods<Differentiable>, SameOperandsElementType,
                                     DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Product of two matrices, either transposed before";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, BoolAttr:$transposeLhs, BoolAttr:$transposeRhs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

//===- Functions with their own derivative, and differentiation --------------------------------------------------===//

def Ten_ApplyOp : Ten_Op<"apply", [Pure, DeclareOpInterfaceMethods<Differentiable>,
                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function whose derivative is given by another function";
  let description = [{
    `forward` maps the operands to the result; `derivative` maps the operands, the result and its cotangent to one cotangent
    per operand. `ten-inline-functions` replaces the op after differentiation.
  }];
  let arguments = (ins FlatSymbolRefAttr:$forward, FlatSymbolRefAttr:$derivative, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $forward `derivative` $derivative `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
}

def Ten_CallOp : Ten_Op<"call", [Pure, NoGradient, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function of the module that is inlined later; made from the derivative of `ten.apply`";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type(operands, results)";
}

def Ten_GradientOp : Ten_Op<"gradient", [Pure, NoGradient]> {
  let summary = "Derivatives of a scalar with respect to values it was computed from";
  let description = [{
    One result per value of `with_respect_to`, of its type; zero where the scalar does not depend on it.
    `ten-differentiate` replaces the op by reverse-mode code.
  }];
  let arguments = (ins AnyRankedTensor:$value, Variadic<AnyRankedTensor>:$withRespectTo);
  let results = (outs Variadic<AnyRankedTensor>:$gradients);
  let assemblyFormat = "$value `with_respect_to` `(` $withRespectTo `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===- Kernels ----------------------------------------------------------------------------------------------------===//

def Ten_KernelOp : Ten_Op<"kernel", [Pure, NoGradient, IsolatedFromAbove, SingleBlock]> {
  let summary = "Ops that run as one loop nest";
  let description = [{
    The body holds pointwise ops over one iteration domain and reductions over it. A reduction's result is only yielded, never
    read inside.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Ten_LaunchOp : Ten_Op<"launch", [Pure, NoGradient, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs an outlined kernel";
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type(operands, results)";
}

def Ten_YieldOp : Ten_Op<"yield", [Pure, NoGradient, Terminator, ParentOneOf<["KernelOp"]>]> {
  let summary = "Ends a kernel";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif
