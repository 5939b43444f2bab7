/// \file
/// Names and what they stand for: a file's declarations, and the nested scopes of the code being elaborated.
#pragma once

#include "sema/Value.h"

namespace clm::sema {

/// One file of the spec, with the names it sees.
struct Module {
  std::string path;
  syntax::File file;
  /// A declaration and the module it stands in.
  struct Name {
    const Module *module = nullptr;
    const syntax::Declaration *declaration = nullptr;
    SourceRange range;
  };
  /// Own declarations and the public ones of imported files.
  std::map<std::string, Name> names;
  /// Private declarations of imported files, to explain why they are not seen.
  std::map<std::string, Name> hidden;
};

/// Whose names and paths a scope's declarations get.
struct Owner {
  std::string path; // `net.fc1`, `method`
  bool perTask = false;
};

/// Names of a body; lookups go on in the enclosing scope.
class Scope {
public:
  struct Binding {
    Value value;
    SourceRange range;
  };

  explicit Scope(const Module &module, Owner owner) : owner(std::move(owner)), enclosingModule(&module) {}
  /// A scope inside of another one, which lives longer.
  explicit Scope(const Scope *enclosing)
      : owner(enclosing->owner), enclosing(enclosing), enclosingModule(enclosing->enclosingModule) {}
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  /// The innermost binding of `name`, or null. Does not look into the file's declarations.
  const Binding *find(const std::string &name) const;
  /// The binding of `name` in this scope itself, or null.
  const Binding *findHere(const std::string &name) const;
  /// Binds a name, over an earlier binding of this scope.
  void bind(const std::string &name, Value value, SourceRange range);

  /// The axis that an integer of the configuration became: `out` of a layer.
  AxisRef axisOf(const std::string &name) const;
  void setAxisOf(const std::string &name, AxisRef axis) { axes[name] = axis; }

  /// All names bound here and outside, and those of the file.
  std::vector<std::string> visibleNames() const;

  const Module &module() const { return *enclosingModule; }

  Owner owner;

private:
  const Scope *enclosing = nullptr;
  const Module *enclosingModule;
  std::map<std::string, Binding> bindings;
  std::map<std::string, AxisRef> axes;
};

} // namespace clm::sema
