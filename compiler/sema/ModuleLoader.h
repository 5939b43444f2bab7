/// \file
/// Reads a spec and the files it imports, each once, and says which names each of them sees.
#pragma once

#include "sema/Reporter.h"
#include "sema/Scope.h"

namespace clm::sema {

class ModuleLoader {
public:
  ModuleLoader(SourceManager &sources, std::string standardLibrary, Reporter &reporter)
      : sources(sources), standardLibrary(std::move(standardLibrary)), reporter(reporter) {}

  /// The file at `path` with everything it imports, or null when one of them cannot be read or parsed. The modules live
  /// as long as the loader.
  const Module *load(const std::string &path);

private:
  Module *load(const std::string &path, SourceRange importedAt);
  /// The path that an import names, or nothing when there is no such file.
  std::optional<std::string> resolve(const syntax::ImportDecl &import, const std::string &importer);
  void reportCycle(const Module &target, SourceRange range);
  void addImported(Module &module, const syntax::ImportDecl &import, const Module &imported);
  void addDeclared(Module &module);

  SourceManager &sources;
  std::string standardLibrary;
  Reporter &reporter;
  std::map<std::string, std::unique_ptr<Module>> modules; // by canonical path
  /// Files being read, each with the import in it that is being followed.
  std::vector<std::pair<const Module *, SourceRange>> active;
  bool failed = false;
};

/// Name and whether it is private; a model has neither.
struct DeclaredName {
  const syntax::Identifier *name = nullptr;
  bool isPrivate = false;
};
DeclaredName declaredName(const syntax::Declaration &declaration);

} // namespace clm::sema
