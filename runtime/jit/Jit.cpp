/// \file
/// See Jit.h. The object is already optimized machine code: the JIT links it and nothing more, so that it computes what
/// the same object computes in a shared library.
#include "runtime/jit/Jit.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

#include <map>

namespace clm::runtime {

namespace {

class JitExecutable final : public Executable {
public:
  JitExecutable(Manifest manifest, std::unique_ptr<llvm::orc::LLJIT> jit, std::map<std::string, clm_function> functions)
      : Executable(std::move(manifest)), jit(std::move(jit)), functions(std::move(functions)),
        context(clm_context_create()) {}
  ~JitExecutable() override { clm_context_destroy(context); }
  JitExecutable(const JitExecutable &) = delete;
  JitExecutable &operator=(const JitExecutable &) = delete;

  void call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
            std::span<const clm_tensor> results) override {
    functions.at(function.name)(context, arguments.data(), results.data());
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::map<std::string, clm_function> functions;
  clm_context *context;
};

/// The functions of the C interface that generated code calls, by address: this library may have been loaded where its
/// symbols are not visible to the whole process.
llvm::Error defineRuntimeFunctions(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  add("clmrt_workspace", &clmrt_workspace);
  add("clmrt_matmul_f32", &clmrt_matmul_f32);
  add("clmrt_matmul_f64", &clmrt_matmul_f64);
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

} // namespace

llvm::Expected<std::unique_ptr<Executable>> loadObject(std::unique_ptr<llvm::MemoryBuffer> object) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = defineRuntimeFunctions(**jit))
    return error;
  auto process =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess((*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = (*jit)->addObjectFile(std::move(object)))
    return error;
  auto text = (*jit)->lookup(CLM_MANIFEST_SYMBOL);
  if (!text)
    return text.takeError();
  std::string problem;
  std::optional<Manifest> manifest = parseManifest(text->toPtr<const char *>(), problem);
  if (!manifest)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
  std::map<std::string, clm_function> functions;
  for (const FunctionSpec &function : manifest->functions) {
    auto address = (*jit)->lookup("clm_" + function.name);
    if (!address)
      return address.takeError();
    functions[function.name] = address->toPtr<clm_function>();
  }
  return std::make_unique<JitExecutable>(std::move(*manifest), std::move(*jit), std::move(functions));
}

} // namespace clm::runtime
