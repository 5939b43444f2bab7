/// \file
/// One code generator for the JIT and for shared objects: both run the same bytes, so that their numbers are equal.
#include "codegen/NativeObject.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

namespace clm {

namespace {

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string hostFeatures() {
  std::string text;
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto &feature : features)
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(names);
  return llvm::join(names, ",");
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string triple = llvm::sys::getDefaultTargetTriple(), message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return failure("no code generator for " + triple + ": " + message);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), hostFeatures(), llvm::TargetOptions(),
                                  llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return failure("no target machine for " + triple);
  return machine;
}

/// The optimized LLVM module; `context` must outlive it.
llvm::Expected<std::unique_ptr<llvm::Module>> translate(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                        llvm::TargetMachine &machine) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> result = mlir::translateModuleToLLVMIR(module, context, "clm_module");
  if (!result)
    return failure("translation to LLVM IR failed");
  result->setTargetTriple(machine.getTargetTriple().str());
  result->setDataLayout(machine.createDataLayout());
  if (llvm::Error error = mlir::makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, &machine)(result.get()))
    return error;
  return result;
}

} // namespace

std::string targetDescription() { return llvm::sys::getHostCPUName().str() + " " + hostFeatures(); }

llvm::Expected<std::string> emitLlvmText(mlir::ModuleOp module) {
  llvm::LLVMContext context;
  auto machine = createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto translated = translate(module, context, **machine);
  if (!translated)
    return translated.takeError();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*translated)->print(stream, nullptr);
  return text;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emitObject(mlir::ModuleOp module) {
  llvm::LLVMContext context;
  auto machine = createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto translated = translate(module, context, **machine);
  if (!translated)
    return translated.takeError();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failure("the target cannot write object files");
  passes.run(**translated);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "clm_module.o",
                                                         /*RequiresNullTerminator=*/false);
}

} // namespace clm
