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

/// An optimized module with what it needs to live, in the order of construction.
struct Translation {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

llvm::Expected<Translation> translate(mlir::ModuleOp module) {
  Translation result;
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createTargetMachine();
  if (!machine)
    return machine.takeError();
  result.machine = std::move(*machine);
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  result.module = mlir::translateModuleToLLVMIR(module, *result.context, "clm_module");
  if (!result.module)
    return failure("translation to LLVM IR failed");
  result.module->setTargetTriple(result.machine->getTargetTriple().str());
  result.module->setDataLayout(result.machine->createDataLayout());
  auto optimize = mlir::makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, result.machine.get());
  if (llvm::Error error = optimize(result.module.get()))
    return error;
  return result;
}

} // namespace

std::string targetDescription() { return llvm::sys::getHostCPUName().str() + " " + hostFeatures(); }

llvm::Expected<std::string> emitLlvmText(mlir::ModuleOp module) {
  llvm::Expected<Translation> translation = translate(module);
  if (!translation)
    return translation.takeError();
  std::string text;
  llvm::raw_string_ostream stream(text);
  translation->module->print(stream, nullptr);
  return text;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emitObject(mlir::ModuleOp module) {
  llvm::Expected<Translation> translation = translate(module);
  if (!translation)
    return translation.takeError();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (translation->machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failure("the target cannot write object files");
  passes.run(*translation->module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "clm_module.o",
                                                         /*RequiresNullTerminator=*/false);
}

} // namespace clm
