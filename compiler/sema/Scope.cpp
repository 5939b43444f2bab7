#include "sema/Scope.h"

namespace clm::sema {

const Scope::Binding *Scope::findHere(const std::string &name) const {
  auto found = bindings.find(name);
  return found == bindings.end() ? nullptr : &found->second;
}

const Scope::Binding *Scope::find(const std::string &name) const {
  for (const Scope *scope = this; scope; scope = scope->enclosing)
    if (const Binding *binding = scope->findHere(name))
      return binding;
  return nullptr;
}

void Scope::bind(const std::string &name, Value value, SourceRange range) {
  bindings[name] = {std::move(value), range};
}

AxisRef Scope::axisOf(const std::string &name) const {
  for (const Scope *scope = this; scope; scope = scope->enclosing)
    if (auto found = scope->axes.find(name); found != scope->axes.end())
      return found->second;
  return nullptr;
}

std::vector<std::string> Scope::visibleNames() const {
  std::vector<std::string> names;
  for (const Scope *scope = this; scope; scope = scope->enclosing)
    for (const auto &[name, binding] : scope->bindings)
      names.push_back(name);
  for (const auto &[name, declared] : enclosingModule->names)
    names.push_back(name);
  return names;
}

} // namespace clm::sema
