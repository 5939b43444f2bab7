/// \file
/// The bridge to the compiler: loaded when a `.clm` file is given and not before, so that compiled modules run where
/// the compiler is not installed.
#include "runtime/module/Executable.h"
#include "runtime/module/Location.h"

#include <dlfcn.h>

namespace clm::runtime {
namespace {

/// The entry point, or null with the reason in `problem`.
CompileEntryPoint loadCompiler(std::string &problem) {
  const std::filesystem::path path = libraryFolder() / "libclm_compiler.so";
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    problem = "error: the compiler library is not installed here (looked for `" + path.string() +
              "`); compile the spec with clmc elsewhere and run the module it writes\n";
    return nullptr;
  }
  // Never closed: executables it makes contain its code.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "clm_compile_spec") : nullptr;
  if (!symbol)
    problem =
        "error: the compiler library `" + path.string() +
        "` cannot be loaded; it is damaged, of another release, or its libraries (LLVM 19, MLIR 19) are missing\n";
  return reinterpret_cast<CompileEntryPoint>(symbol);
}

} // namespace

CompileResult compileSpec(const CompileRequest &request) {
  static std::string problem;
  static const CompileEntryPoint compile = loadCompiler(problem);
  CompileResult result;
  if (compile)
    compile(request, result);
  else
    result.diagnostics = problem;
  return result;
}

} // namespace clm::runtime
