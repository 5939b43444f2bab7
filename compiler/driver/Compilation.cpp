/// \file
/// See Compilation.h.
#include "driver/Compilation.h"

#include "codegen/ManifestBuilder.h"
#include "codegen/NativeObject.h"
#include "conversion/ModelToClm/ModelToClm.h"
#include "conversion/TenToReference/TenToReference.h"
#include "driver/ObjectCache.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace clm {

namespace {

/// While it lives, what MLIR reports is collected instead of printed: it goes into the message of an internal error.
struct CollectedMessages {
  explicit CollectedMessages(MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; }) {}

  std::string messages;
  ScopedDiagnosticHandler handler;
};

} // namespace

Compilation::Compilation(std::string path, CompilationOptions options)
    : path(std::move(path)), options(std::move(options)), engine(sources) {
  DialectRegistry registry;
  registerDialects(registry);
  // The runtime owns the threads of the process.
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
}

Compilation::~Compilation() = default;

Outcome Compilation::fail(std::string message) {
  failure = std::move(message);
  return Outcome::InternalError;
}

Outcome Compilation::buildModel() {
  if (reached >= Stage::Declared)
    return Outcome::Success;
  std::string violation;
  std::optional<sema::Model> model = sema::analyze(sources, path, options.sema, engine, &violation);
  if (!violation.empty())
    return fail(violation);
  if (!model)
    return engine.hasErrors() ? Outcome::UserError : fail("the checker gave neither a model nor an error");
  CollectedMessages collected(*context);
  module = convertModelToClm(*model, sources, *context);
  if (failed(verify(*module)))
    return fail("the declared model is malformed: " + collected.messages);
  reached = Stage::Declared;
  return Outcome::Success;
}

Outcome Compilation::runPasses(Stage stage) {
  PassManager manager(context.get());
  switch (stage) {
  case Stage::Functions:
    addDeclarationPasses(manager, options.pipeline);
    break;
  case Stage::Tensors:
    addTensorPasses(manager, options.pipeline);
    break;
  case Stage::Execution:
    addExecutionPasses(manager, options.pipeline);
    break;
  case Stage::Llvm:
    addLoweringPasses(manager, options.pipeline);
    break;
  default:
    llvm_unreachable("a stage without passes");
  }
  manager.enableCrashReproducerGeneration(options.reproducer);
  CollectedMessages collected(*context);
  if (failed(manager.run(*module)))
    return fail(collected.messages + "a reproducer was written to " + options.reproducer);
  return Outcome::Success;
}

Outcome Compilation::advance(Stage stage) {
  if (Outcome outcome = buildModel(); outcome != Outcome::Success)
    return outcome;
  while (reached < stage) {
    Stage next = static_cast<Stage>(static_cast<int>(reached) + 1);
    // Declarations have done their work once the functions exist; the manifest keeps what the runtime needs.
    if (next == Stage::Execution) {
      runtime::Manifest manifest = buildManifest(*module);
      manifest.specHash = sourceHash();
      manifestText = runtime::printManifest(manifest);
      for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
        if (op.getName().getStringRef() == "clm.model")
          op.erase();
    }
    if (Outcome outcome = runPasses(next); outcome != Outcome::Success)
      return outcome;
    if (next == Stage::Llvm)
      addManifestConstant(*module, manifestText);
    reached = next;
  }
  return Outcome::Success;
}

Outcome Compilation::lowerToTensors() { return advance(Stage::Tensors); }
Outcome Compilation::lowerToExecution() { return advance(Stage::Execution); }
Outcome Compilation::lowerToLlvm() { return advance(Stage::Llvm); }

std::string Compilation::sourceHash() const {
  std::string all;
  for (size_t file = 0; file < sources.size(); ++file)
    all += sources.text(static_cast<FileId>(file));
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(all));
  return "xxh3-" + llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

std::string Compilation::moduleText() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ModuleOp operation = module.get();
  operation.print(stream, OpPrintingFlags());
  stream << "\n";
  return text;
}

Outcome Compilation::llvmText(std::string &text) {
  if (Outcome outcome = lowerToLlvm(); outcome != Outcome::Success)
    return outcome;
  llvm::Expected<std::string> result = emitLlvmText(*module);
  if (!result)
    return fail(llvm::toString(result.takeError()));
  text = std::move(*result);
  return Outcome::Success;
}

/// What the object depends on: the declared model, the options and the processor.
std::string Compilation::cacheKey() const {
  const PipelineOptions &pipeline = options.pipeline;
  std::string key = moduleText() + sourceHash() + targetDescription();
  for (bool flag : {pipeline.probes, pipeline.fuseKernels, pipeline.shareMemory, pipeline.simplify})
    key += flag ? '1' : '0';
  return key;
}

Outcome Compilation::object(std::unique_ptr<llvm::MemoryBuffer> &result) {
  if (Outcome outcome = buildModel(); outcome != Outcome::Success)
    return outcome;
  std::optional<ObjectCache> cache;
  std::string key;
  if (options.useCache && reached == Stage::Declared) {
    cache.emplace();
    key = cacheKey();
    if ((result = cache->find(key)))
      return Outcome::Success;
  }
  if (Outcome outcome = lowerToLlvm(); outcome != Outcome::Success)
    return outcome;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compiled = emitObject(*module);
  if (!compiled)
    return fail(llvm::toString(compiled.takeError()));
  result = std::move(*compiled);
  if (cache)
    cache->store(key, result->getBuffer());
  return Outcome::Success;
}

Outcome Compilation::referenceProgram(runtime::reference::Program &program, runtime::Manifest &manifest) {
  if (Outcome outcome = advance(Stage::Functions); outcome != Outcome::Success)
    return outcome;
  manifest = buildManifest(*module);
  manifest.specHash = sourceHash();
  std::string error;
  if (!convertToReference(*module, program, error))
    return fail(error);
  return Outcome::Success;
}

} // namespace clm
