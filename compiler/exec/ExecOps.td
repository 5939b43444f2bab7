// The `exec` dialect: the host program over buffers.
#ifndef CLM_EXEC_OPS
#define CLM_EXEC_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::clm::exec";
  let summary = "The host program: buffers, kernel launches, library calls";
  let description = [{
    Functions of this level take memrefs and return nothing: what a `ten` function returned is written into the argument it is
    tied to, or into an extra argument at the end. The first argument of an exported function is the runtime's context.
  }];
}

class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

def Exec_AllocOp : Exec_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A temporary buffer; `exec-plan-memory` gives it a place in the workspace";
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "`(` $sizes `)` attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Exec_WorkspaceOp : Exec_Op<"workspace"> {
  let summary = "The session's workspace, at least this many bytes, aligned to 64";
  let arguments = (ins Index:$bytes);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$bytes attr-dict `:` type($buffer)";
}

def Exec_LaunchOp : Exec_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over buffers";
  let description = "Buffers that the kernel writes are distinct from all others it is given.";
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyMemRef>:$buffers);
  let assemblyFormat = "$kernel `(` $buffers `)` attr-dict `:` type($buffers)";
}

def Exec_MatMulOp : Exec_Op<"matmul"> {
  let summary = "out = op(a) op(b) by the runtime's library, where op transposes when its flag is set";
  let arguments = (ins AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$out, BoolAttr:$transposeLhs, BoolAttr:$transposeRhs);
  let assemblyFormat = "$lhs `,` $rhs `into` $out attr-dict `:` type($lhs) `,` type($rhs) `,` type($out)";
}

#endif
