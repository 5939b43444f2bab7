/// \file
/// Lowers host programs and kernels to the LLVM dialect in one conversion, then adds the C entry points.
#include "conversion/ExecToLlvm/EntryPoints.h"
#include "conversion/Passes.h"

#include "exec/Exec.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace clm {
#define GEN_PASS_DEF_CONVERTEXECTOLLVM
#include "conversion/Passes.h.inc"
namespace {

/// The runtime's context, which is the first argument of every host program.
Value contextOf(Operation *op) { return op->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0); }

/// Declares a function of the runtime at first use.
FlatSymbolRefAttr runtimeFunction(Operation *user, StringRef name, Type result, ArrayRef<Type> arguments,
                                  OpBuilder &builder) {
  auto module = user->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    builder.create<LLVM::LLVMFuncOp>(module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
  }
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

struct LowerWorkspace : ConvertOpToLLVMPattern<exec::WorkspaceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(exec::WorkspaceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(getContext()), i64 = rewriter.getI64Type();
    FlatSymbolRefAttr callee = runtimeFunction(op, "clmrt_workspace", pointer, {pointer, i64}, rewriter);
    Value memory =
        rewriter
            .create<LLVM::CallOp>(location, TypeRange{pointer}, callee, ValueRange{contextOf(op), adaptor.getBytes()})
            .getResult();
    auto type = cast<MemRefType>(op.getBuffer().getType());
    auto descriptor = MemRefDescriptor::undef(rewriter, location, getTypeConverter()->convertType(type));
    descriptor.setAllocatedPtr(rewriter, location, memory);
    descriptor.setAlignedPtr(rewriter, location, memory);
    descriptor.setConstantOffset(rewriter, location, 0);
    descriptor.setSize(rewriter, location, 0, adaptor.getBytes());
    descriptor.setConstantStride(rewriter, location, 0, 1);
    rewriter.replaceOp(op, {descriptor});
    return success();
  }
};

struct LowerMatMul : ConvertOpToLLVMPattern<exec::MatMulOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(exec::MatMulOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    auto lhsType = cast<MemRefType>(op.getLhs().getType());
    if (!lhsType.getElementType().isF32() && !lhsType.getElementType().isF64())
      return rewriter.notifyMatchFailure(op, "the runtime multiplies f32 and f64 only");
    StringRef name = lhsType.getElementType().isF32() ? "clmrt_matmul_f32" : "clmrt_matmul_f64";
    MemRefDescriptor lhs(adaptor.getLhs()), rhs(adaptor.getRhs()), out(adaptor.getOut());
    Type pointer = LLVM::LLVMPointerType::get(getContext()), i64 = rewriter.getI64Type(), i32 = rewriter.getI32Type();
    SmallVector<Type> types{pointer, pointer, pointer, pointer, i64, i64, i64, i32, i32};
    FlatSymbolRefAttr callee = runtimeFunction(op, name, LLVM::LLVMVoidType::get(getContext()), types, rewriter);
    auto flag = [&](bool value) -> Value { return rewriter.create<LLVM::ConstantOp>(location, i32, value ? 1 : 0); };
    rewriter.create<LLVM::CallOp>(location, TypeRange{}, callee,
                                  ValueRange{contextOf(op), lhs.alignedPtr(rewriter, location),
                                             rhs.alignedPtr(rewriter, location), out.alignedPtr(rewriter, location),
                                             out.size(rewriter, location, 0), out.size(rewriter, location, 1),
                                             lhs.size(rewriter, location, op.getTransposeLhs() ? 0 : 1),
                                             flag(op.getTransposeLhs()), flag(op.getTransposeRhs())});
    rewriter.eraseOp(op);
    return success();
  }
};

/// A launch is a call of the kernel, before types are converted.
struct LowerLaunch : OpConversionPattern<exec::LaunchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(exec::LaunchOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<func::CallOp>(op, op.getKernel(), TypeRange{}, op.getBuffers());
    return success();
  }
};

struct ConvertExecToLlvm : impl::ConvertExecToLlvmBase<ConvertExecToLlvm> {
  void runOnOperation() override {
    recordRanks(getOperation());
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerWorkspace, LowerMatMul>(converter);
    patterns.add<LowerLaunch>(&getContext());
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    addEntryPoints(getOperation());
  }
};

} // namespace
} // namespace clm
