/// \file
/// The compiler's command line.
#include "codegen/SharedObjectLinker.h"
#include "driver/Compilation.h"
#include "support/SourceLoader.h"
#include "syntax/AstPrinter.h"
#include "syntax/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <iostream>

namespace {

constexpr int kUserError = 1;
constexpr int kInternalError = 70;

struct Arguments {
  std::string spec, output, emit, data, input, diagnostics = "text";
  std::vector<std::string> settings, disabled;
  bool outputGiven = false, noCache = false, probes = false;
};

/// A user error that is not about a place in a source.
int complain(const std::string &message) {
  std::cerr << "clmc: error: " << message << "\n";
  return kUserError;
}

/// `3x32x32` as channels, rows, columns.
std::optional<std::vector<std::int64_t>> parseShape(const std::string &text) {
  std::vector<std::int64_t> shape;
  const char *cursor = text.data(), *end = cursor + text.size();
  while (true) {
    std::int64_t size = 0;
    auto [next, error] = std::from_chars(cursor, end, size);
    if (error != std::errc() || size < 1)
      return std::nullopt;
    shape.push_back(size);
    if (next == end)
      break;
    if (*next != 'x')
      return std::nullopt;
    cursor = next + 1;
  }
  return shape.size() == 3 ? std::optional(shape) : std::nullopt;
}

/// Fills the compilation's options; returns an exit status other than 0 for arguments that make no sense.
int readOptions(const Arguments &arguments, clm::CompilationOptions &options) {
  options.sema.standardLibrary = clm::findStandardLibrary();
  options.useCache = !arguments.noCache;
  options.pipeline.probes = arguments.probes;
  if (!arguments.data.empty())
    options.sema.data = arguments.data;
  if (!arguments.input.empty()) {
    options.sema.inputShape = parseShape(arguments.input);
    if (!options.sema.inputShape)
      return complain("`--input " + arguments.input + "` is not a shape; write channels x rows x columns, as 3x32x32");
  }
  for (const std::string &setting : arguments.settings) {
    std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      return complain("`--set " + setting + "` has no value; write --set name=value, as --set method.c=0.5");
    options.sema.overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  for (const std::string &pass : arguments.disabled) {
    if (pass == "fusion")
      options.pipeline.fuseKernels = false;
    else if (pass == "memory-sharing")
      options.pipeline.shareMemory = false;
    else if (pass == "simplification")
      options.pipeline.simplify = false;
    else
      return complain("`--disable " + pass + "` names no pass; known are fusion, memory-sharing, simplification");
  }
  return 0;
}

/// Prints the diagnostics in the form asked for and turns the outcome into an exit status.
int report(const clm::DiagnosticEngine &engine, const Arguments &arguments) {
  std::cerr << (arguments.diagnostics == "json" ? engine.renderJson() : engine.renderText());
  return engine.hasErrors() ? kUserError : 0;
}

int finish(const clm::Compilation &compilation, clm::Outcome outcome, const Arguments &arguments) {
  if (outcome == clm::Outcome::InternalError) {
    std::cerr << "clmc: internal error: " << compilation.internalError() << "\n";
    return kInternalError;
  }
  return report(compilation.diagnostics(), arguments);
}

/// Refuses an output that a rename would destroy: the spec itself, a device, a folder. A link is followed.
int checkOutput(Arguments &arguments) {
  if (!arguments.outputGiven || arguments.output == "-")
    return 0;
  if (arguments.output.empty())
    return complain("`-o` names no file");
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(arguments.output, status))
    return 0; // does not exist yet, or writing will tell
  if (!llvm::sys::fs::is_regular_file(status))
    return complain("`-o " + arguments.output + "` exists and is not an ordinary file; name another");
  bool isSpec = false;
  if (!llvm::sys::fs::equivalent(arguments.output, arguments.spec, isSpec) && isSpec)
    return complain("`-o " + arguments.output + "` is the spec itself; name another file");
  llvm::SmallString<256> target;
  if (!llvm::sys::fs::real_path(arguments.output, target))
    arguments.output = target.str().str();
  return 0;
}

/// Writes to the output file (under a temporary name first) or to standard output.
int writeOutput(const Arguments &arguments, llvm::StringRef content) {
  if (arguments.output.empty() || arguments.output == "-") {
    llvm::outs() << content;
    llvm::outs().flush();
    if (std::error_code error = llvm::outs().error()) {
      llvm::outs().clear_error();
      return complain("cannot write to standard output: " + error.message());
    }
    return 0;
  }
  if (llvm::Error error = llvm::writeToOutput(arguments.output, [&](llvm::raw_ostream &stream) {
        stream << content;
        return llvm::Error::success();
      }))
    return complain("cannot write `" + arguments.output + "`: " + llvm::toString(std::move(error)));
  return 0;
}

int emitSyntaxTree(const Arguments &arguments) {
  clm::SourceManager sources;
  clm::DiagnosticEngine engine(sources);
  std::optional<clm::FileId> file = clm::loadSource(arguments.spec, sources, engine);
  if (!file)
    return report(engine, arguments);
  clm::syntax::File tree = clm::syntax::parse(sources, *file, engine);
  if (int status = report(engine, arguments))
    return status;
  return writeOutput(arguments, clm::syntax::printAst(tree));
}

int emitObjectFile(clm::Compilation &compilation, const Arguments &arguments) {
  std::unique_ptr<llvm::MemoryBuffer> object;
  clm::Outcome outcome = compilation.object(object);
  if (int status = finish(compilation, outcome, arguments))
    return status;
  if (arguments.emit == "obj")
    return writeOutput(arguments, object->getBuffer());
  if (llvm::Error error = clm::linkSharedObject(object->getBuffer(), arguments.output))
    return complain(llvm::toString(std::move(error)));
  return 0;
}

int run(Arguments arguments) {
  if (int status = checkOutput(arguments))
    return status;
  if (arguments.emit == "ast")
    return emitSyntaxTree(arguments);
  clm::CompilationOptions options;
  if (int status = readOptions(arguments, options))
    return status;
  clm::Compilation compilation(arguments.spec, options);
  const std::string &emit = arguments.emit;
  if (emit == "obj" && arguments.output.empty())
    return complain("`--emit=obj` writes machine code; name a file with -o");
  if (emit == "obj" || (emit.empty() && !arguments.output.empty()))
    return emitObjectFile(compilation, arguments);
  std::string text;
  clm::Outcome outcome = emit == "ten"    ? compilation.lowerToTensors()
                         : emit == "exec" ? compilation.lowerToExecution()
                         : emit == "llvm" ? compilation.llvmText(text)
                                          : compilation.buildModel();
  if (int status = finish(compilation, outcome, arguments))
    return status;
  if (emit.empty())
    return 0;
  return writeOutput(arguments, emit == "llvm" ? text : compilation.moduleText());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"clmc: compiles a continual-learning spec to a shared object that clmrun trains and predicts with.\n"
               "Without -o and --emit it only checks the spec."};
  Arguments arguments;
  app.add_option("spec", arguments.spec, "The `.clm` file")->required()->type_name("SPEC.clm");
  CLI::Option *output =
      app.add_option("-o,--output", arguments.output, "Where to write the module (or what --emit asks for)")
          ->type_name("FILE");
  app.add_option("--emit", arguments.emit, "Print a stage instead: ast, clm, ten, exec, llvm, obj")
      ->check(CLI::IsMember({"ast", "clm", "ten", "exec", "llvm", "obj"}));
  app.add_option("--set", arguments.settings, "Override a setting: method.c=0.5, train.epochs=5")
      ->type_name("NAME=VALUE")
      ->take_all();
  app.add_option("--data", arguments.data, "Compile for the pictures of this data set instead of the spec's");
  app.add_option("--input", arguments.input, "Compile for pictures of this shape, as 3x32x32")->type_name("CxHxW");
  app.add_option("--diagnostics", arguments.diagnostics, "Form of diagnostics")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--disable", arguments.disabled, "Leave out a pass: fusion, memory-sharing, simplification")
      ->type_name("PASS")
      ->take_all();
  app.add_flag("--probes", arguments.probes, "`step` also returns named intermediate values");
  app.add_flag("--no-cache", arguments.noCache, "Neither look for nor keep compiled objects");
  app.set_version_flag("--version", "clmc " CLM_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : kUserError;
  }
  arguments.outputGiven = output->count() > 0;
  return run(std::move(arguments));
}
