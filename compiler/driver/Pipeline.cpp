/// \file
/// See Pipeline.h.
#include "driver/Pipeline.h"

#include "clm/Clm.h"
#include "conversion/Passes.h"
#include "exec/transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"
#include "ten/transforms/Passes.h"

using namespace mlir;

namespace clm {

static void addSimplification(OpPassManager &manager, const PipelineOptions &options) {
  if (!options.simplify)
    return;
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void addDeclarationPasses(OpPassManager &manager, const PipelineOptions &options) {
  ConvertClmToTenOptions conversion;
  conversion.probes = options.probes;
  manager.addPass(createConvertClmToTen(conversion));
}

void addTensorPasses(OpPassManager &manager, const PipelineOptions &options) {
  addSimplification(manager, options);
  manager.addNestedPass<func::FuncOp>(ten::createDifferentiate());
  manager.addPass(ten::createInlineFunctions());
  addSimplification(manager, options);
}

void addExecutionPasses(OpPassManager &manager, const PipelineOptions &options) {
  ten::FormKernelsOptions kernels;
  kernels.maxOps = options.fuseKernels ? 0 : 1;
  manager.addNestedPass<func::FuncOp>(ten::createFormKernels(kernels));
  manager.addPass(ten::createOutlineKernels());
  manager.addPass(createConvertTenToExec());
  exec::PlanMemoryOptions memory;
  memory.share = options.shareMemory;
  manager.addNestedPass<func::FuncOp>(exec::createPlanMemory(memory));
  addSimplification(manager, options);
}

void addLoweringPasses(OpPassManager &manager, const PipelineOptions &options) {
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createApproximateMath());
  addSimplification(manager, options);
  manager.addPass(createConvertSCFToCFPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  addSimplification(manager, options);
  // LLVM's intrinsics first; what has none becomes a call of the C library.
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertExecToLlvm());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void registerPasses() {
  registerConversionPasses();
  ten::registerTenPasses();
  exec::registerExecPasses();
  registerTransformsPasses();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<decl::ClmDialect, ten::TenDialect, exec::ExecDialect, func::FuncDialect, arith::ArithDialect,
                  affine::AffineDialect, cf::ControlFlowDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
}

} // namespace clm
