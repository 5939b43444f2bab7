/// \file
/// The one symbol that `libclm_compiler.so` exports: it compiles a spec for the runtime that loaded the library.
#include "driver/Compilation.h"
#include "runtime/jit/Jit.h"
#include "runtime/module/Executable.h"
#include "runtime/reference/ReferenceExecutable.h"

namespace clm {

namespace {

CompilationOptions optionsOf(const runtime::CompileRequest &request) {
  CompilationOptions options;
  options.sema.standardLibrary = request.standardLibrary.empty() ? findStandardLibrary() : request.standardLibrary;
  options.sema.overrides = request.overrides;
  if (!request.data.empty())
    options.sema.data = request.data;
  if (!request.inputShape.empty())
    options.sema.inputShape = request.inputShape;
  options.pipeline.probes = request.probes;
  return options;
}

Outcome compileReference(Compilation &compilation, runtime::CompileResult &result) {
  runtime::reference::Program program;
  runtime::Manifest manifest;
  Outcome outcome = compilation.referenceProgram(program, manifest);
  if (outcome == Outcome::Success)
    result.executable =
        std::make_unique<runtime::reference::ReferenceExecutable>(std::move(manifest), std::move(program));
  return outcome;
}

Outcome compileNative(Compilation &compilation, runtime::CompileResult &result) {
  std::unique_ptr<llvm::MemoryBuffer> object;
  if (Outcome outcome = compilation.object(object); outcome != Outcome::Success)
    return outcome;
  llvm::Expected<std::unique_ptr<runtime::Executable>> loaded = runtime::loadObject(std::move(object));
  if (!loaded) {
    result.diagnostics = llvm::toString(loaded.takeError());
    return Outcome::InternalError;
  }
  result.executable = std::move(*loaded);
  return Outcome::Success;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void clm_compile_spec(const runtime::CompileRequest &request,
                                                                        runtime::CompileResult &result) {
  Compilation compilation(request.specPath, optionsOf(request));
  Outcome outcome = request.reference ? compileReference(compilation, result) : compileNative(compilation, result);
  if (outcome == Outcome::InternalError) {
    result.internalError = true;
    result.diagnostics = "internal error: " + compilation.internalError() + result.diagnostics + "\n";
    return;
  }
  result.diagnostics = compilation.diagnostics().renderText();
}

} // namespace clm
