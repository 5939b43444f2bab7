/// \file
/// mlir-opt for the project's dialects and passes.
#include "driver/Pipeline.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  clm::registerDialects(registry);
  clm::registerPasses();
  mlir::registerPass([] { return mlir::createConvertLinalgToLoopsPass(); });
  mlir::registerPass([] { return mlir::createLowerAffinePass(); });
  mlir::registerPass([] { return mlir::createConvertSCFToCFPass(); });
  mlir::registerPass([] { return mlir::memref::createExpandStridedMetadataPass(); });
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "clm-opt: passes on the clm, ten and exec dialects\n", registry));
}
