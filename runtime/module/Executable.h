/// \file
/// The one interface through which the runtime executes a spec: a shared object, JIT-compiled code, or the reference.
#pragma once

#include "runtime/abi/clm_runtime.h"
#include "runtime/module/Manifest.h"

#include <memory>
#include <span>
#include <string>

namespace clm::runtime {

class Executable {
public:
  virtual ~Executable() = default;

  const Manifest &manifest() const { return description; }

  /// Element type in which this executable computes what the manifest calls CLM_FLOAT32: the reference uses
  /// CLM_FLOAT64. Entries, inputs, noise and results of that type must be given in it.
  virtual int realElement() const { return CLM_FLOAT32; }

  /// Calls a function of the manifest. `arguments` and `results` (only untied ones) are in the order of its signature
  /// and have the sizes it asks for; see clm_function.
  virtual void call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
                    std::span<const clm_tensor> results) = 0;

protected:
  explicit Executable(Manifest manifest) : description(std::move(manifest)) {}

private:
  Manifest description;
};

/// Loads a module that `clmc -o` wrote. On failure returns null and says in `error` what is wrong (missing file, not a
/// module, another ABI version).
std::unique_ptr<Executable> loadSharedObject(const std::string &path, std::string &error);

/// How `clmrun` and `clm-golden` ask the compiler library for code.
struct CompileRequest {
  std::string specPath;
  std::vector<std::pair<std::string, std::string>> overrides; // --set
  std::string data;                                           // input shape of this data set; empty: the spec's
  std::vector<std::int64_t> inputShape;                       // wins over `data`; empty: by data set
  bool reference = false;                                     // the reference executor instead of machine code
  bool probes = false;         // `step` also returns named intermediate values (gradients by stage, masks, schedules)
  std::string standardLibrary; // empty: the one beside the program
};

/// Result of a compilation: code, or the rendered diagnostics.
struct CompileResult {
  std::unique_ptr<Executable> executable;
  std::string diagnostics;
  bool internalError = false;
};

/// Loads `libclm_compiler.so` from beside the runtime library on first use and compiles.
CompileResult compileSpec(const CompileRequest &request);

/// The entry point that `libclm_compiler.so` exports as C symbol `clm_compile_spec`.
using CompileEntryPoint = void (*)(const CompileRequest &request, CompileResult &result);

} // namespace clm::runtime
