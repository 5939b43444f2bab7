/// \file
/// What the `model` block of a spec says: which network and which method, with which settings, trained how.
#pragma once

#include "sema/ModelTables.h"
#include "sema/Reporter.h"
#include "sema/Scope.h"
#include "sema/Sema.h"

namespace clm::sema {

/// A configuration parameter and the setting of the model that holds its value.
struct ConfiguredParameter {
  std::string name;
  int setting = -1;
  SourceRange range;
};

struct ModelSpec {
  const Module *module = nullptr;
  SourceRange range; // of the model's name
  const syntax::CallableDecl *network = nullptr;
  const Module *networkModule = nullptr;
  SourceRange networkRange; // where the model names it
  std::vector<ConfiguredParameter> networkConfiguration;
  const syntax::MethodDecl *method = nullptr;
  const Module *methodModule = nullptr;
  std::vector<ConfiguredParameter> methodConfiguration;
  /// Rules of `train` that come behind those of the method.
  std::vector<std::pair<const syntax::ClipRule *, SourceRange>> clips;
};

/// Reads the model block of `module`; fills the model's name, data, settings and training plan. Nothing when the
/// network or the method could not be found or configured.
std::optional<ModelSpec> readModel(const Module &module, const SemaOptions &options, ModelTables &tables,
                                   Reporter &reporter);

} // namespace clm::sema
