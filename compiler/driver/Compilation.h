/// \file
/// One compilation, from a file name to machine code. Each stage is a function of the one before; tools ask for the
/// stage they need.
#pragma once

#include "driver/Pipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/module/Manifest.h"
#include "runtime/reference/Program.h"
#include "sema/Sema.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>

namespace clm {

struct CompilationOptions {
  sema::SemaOptions sema;
  PipelineOptions pipeline;
  /// Keep and look for objects in the user's cache.
  bool useCache = true;
  /// Where a crash of a pass leaves its reproducer.
  std::string reproducer = "clm-reproducer.mlir";
};

/// How a stage ended. `UserError`: the diagnostics tell. `InternalError`: `Compilation::internalError` tells.
enum class Outcome { Success, UserError, InternalError };

class Compilation {
public:
  Compilation(std::string path, CompilationOptions options);
  ~Compilation();

  /// Parses, checks and builds the module of declarations.
  Outcome buildModel();
  /// Runs the passes up to a stage; each includes the ones before.
  Outcome lowerToTensors();
  Outcome lowerToExecution();
  Outcome lowerToLlvm();

  /// Text of the module at the stage reached.
  std::string moduleText() const;
  /// LLVM IR after optimization, as text.
  Outcome llvmText(std::string &text);
  /// The relocatable object, from the cache when an equal module was compiled before for this processor.
  Outcome object(std::unique_ptr<llvm::MemoryBuffer> &result);
  /// The forward program before any pass, for the reference executor, with its manifest.
  Outcome referenceProgram(runtime::reference::Program &program, runtime::Manifest &manifest);

  const DiagnosticEngine &diagnostics() const { return engine; }
  const std::string &internalError() const { return failure; }

private:
  enum class Stage { Nothing, Declared, Functions, Tensors, Execution, Llvm };
  Outcome advance(Stage stage);
  Outcome runPasses(Stage stage);
  Outcome fail(std::string message);
  std::string cacheKey() const;
  /// Hash of the spec and everything it imports, as written.
  std::string sourceHash() const;

  std::string path;
  CompilationOptions options;
  SourceManager sources;
  DiagnosticEngine engine;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Stage reached = Stage::Nothing;
  std::string manifestText;
  std::string failure;
};

/// Folder of the standard library: `CLM_STDLIB`, else beside the program, else the source tree. Empty when there is
/// none.
std::string findStandardLibrary();

} // namespace clm
