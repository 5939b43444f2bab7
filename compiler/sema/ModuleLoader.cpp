#include "sema/ModuleLoader.h"

#include "support/SourceLoader.h"
#include "syntax/Parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace clm::sema {

namespace {

namespace fs = std::filesystem;

/// One spelling for each file, so that two ways to name it read it once.
std::string canonical(const std::string &path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result.string();
}

} // namespace

DeclaredName declaredName(const syntax::Declaration &declaration) {
  if (const auto *callable = std::get_if<std::unique_ptr<syntax::CallableDecl>>(&declaration.node))
    return {&(*callable)->name, (*callable)->isPrivate};
  if (const auto *method = std::get_if<std::unique_ptr<syntax::MethodDecl>>(&declaration.node))
    return {&(*method)->name, (*method)->isPrivate};
  if (const auto *let = std::get_if<syntax::LetStatement>(&declaration.node))
    return {&let->name, let->isPrivate};
  return {};
}

const Module *ModuleLoader::load(const std::string &path) {
  const Module *module = load(path, {});
  return failed ? nullptr : module;
}

Module *ModuleLoader::load(const std::string &path, SourceRange importedAt) {
  std::unique_ptr<Module> &slot = modules[canonical(path)];
  if (slot)
    return slot.get();
  std::optional<FileId> file = loadSource(path, sources, reporter.diagnostics(), importedAt);
  slot = std::make_unique<Module>();
  Module &module = *slot; // stays where it is when the map grows
  module.path = path;
  if (!file) {
    failed = true;
    return &module;
  }
  unsigned errorsBefore = reporter.diagnostics().errors();
  module.file = syntax::parse(sources, *file, reporter.diagnostics());
  if (reporter.diagnostics().errors() > errorsBefore) {
    failed = true;
    return &module;
  }
  for (const syntax::ImportDecl &import : module.file.imports) {
    std::optional<std::string> target = resolve(import, path);
    if (!target)
      continue;
    auto known = modules.find(canonical(*target));
    bool isActive = known != modules.end() && (known->second.get() == &module ||
                                               std::any_of(active.begin(), active.end(), [&](const auto &entry) {
                                                 return entry.first == known->second.get();
                                               }));
    if (isActive) {
      active.push_back({&module, import.range});
      reportCycle(*known->second, import.range);
      active.pop_back();
      continue;
    }
    active.push_back({&module, import.range});
    Module *imported = load(*target, import.range);
    active.pop_back();
    addImported(module, import, *imported);
  }
  addDeclared(module);
  return &module;
}

std::optional<std::string> ModuleLoader::resolve(const syntax::ImportDecl &import, const std::string &importer) {
  fs::path target;
  if (import.isFile) {
    target = (fs::path(importer).parent_path() / import.path).lexically_normal();
  } else {
    std::string relative = import.path;
    bool isStandard = relative.rfind("std.", 0) == 0;
    if (!isStandard) {
      reporter
          .error(import.range, Diag::ImportNotFound,
                 fmt::format("there is no library `{}`", relative.substr(0, relative.find('.'))))
          .help("write `std.nets.mlp` for the standard library, `./mine.clm` for a file beside this one");
      failed = true;
      return std::nullopt;
    }
    relative = relative.substr(4);
    std::replace(relative.begin(), relative.end(), '.', '/');
    target = fs::path(standardLibrary) / (relative + ".clm");
  }
  std::error_code error;
  if (fs::is_regular_file(target, error))
    return target.string();
  reporter.error(import.range, Diag::ImportNotFound, fmt::format("there is no file for `{}`", import.path))
      .help(fmt::format("looked for `{}`", target.string()));
  failed = true;
  return std::nullopt;
}

void ModuleLoader::reportCycle(const Module &target, SourceRange range) {
  Diagnostic &diagnostic = reporter.error(range, Diag::ImportCycle, "this import closes a circle");
  auto first = std::find_if(active.begin(), active.end(), [&](const auto &entry) { return entry.first == &target; });
  for (auto entry = first; entry + 1 < active.end(); ++entry)
    diagnostic.note(entry->second, fmt::format("`{}` imports `{}` here", entry->first->path, (entry + 1)->first->path));
  if (first + 1 == active.end())
    diagnostic.help("the file imports itself");
  failed = true;
}

void ModuleLoader::addImported(Module &module, const syntax::ImportDecl &import, const Module &imported) {
  for (const syntax::Declaration &declaration : imported.file.declarations) {
    DeclaredName declared = declaredName(declaration);
    if (!declared.name)
      continue;
    Module::Name name{&imported, &declaration, declared.name->range};
    if (declared.isPrivate) {
      module.hidden.emplace(declared.name->text, name);
      continue;
    }
    auto [place, isNew] = module.names.emplace(declared.name->text, name);
    if (isNew || place->second.declaration == &declaration)
      continue;
    reporter.error(import.range, Diag::NameClash, fmt::format("two imported files declare `{}`", declared.name->text))
        .note(place->second.range, "declared here")
        .note(declared.name->range, "and declared here")
        .help("rename one of them, or make it `private`");
  }
}

void ModuleLoader::addDeclared(Module &module) {
  const syntax::Declaration *model = nullptr;
  for (const syntax::Declaration &declaration : module.file.declarations) {
    DeclaredName declared = declaredName(declaration);
    if (!declared.name) {
      if (model) {
        reporter.error(declaration.range, Diag::Redeclared, "found a second model in one file")
            .note(model->range, "the first one is here");
      } else {
        model = &declaration;
      }
      continue;
    }
    auto [place, isNew] =
        module.names.emplace(declared.name->text, Module::Name{&module, &declaration, declared.name->range});
    if (isNew)
      continue;
    bool isImported = place->second.module != &module;
    reporter
        .error(declared.name->range, isImported ? Diag::NameClash : Diag::Redeclared,
               fmt::format("`{}` is {}", declared.name->text,
                           isImported ? "also declared in an imported file" : "declared twice"))
        .note(place->second.range, "declared here");
  }
}

} // namespace clm::sema
