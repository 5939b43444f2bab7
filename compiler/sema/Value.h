/// \file
/// What an expression means while a spec is elaborated: numbers and names known at compile time, tensors of the
/// function being built, and the things rules speak of (sites, entries, axes, families over them).
#pragma once

#include "sema/Axes.h"
#include "syntax/Ast.h"

#include <map>
#include <memory>
#include <set>
#include <variant>

namespace clm::sema {

struct Value;
struct Module;
struct Builtin;
struct Instance;
struct Family;

/// The value has an error that was reported; everything computed from it is silent.
struct Poison {};

/// The minimum or maximum over an empty range, and what was computed from it.
struct Nothing {
  SourceRange range;
};

struct Integer {
  std::int64_t value = 0;
};

struct Real {
  double value = 0;
};

struct Boolean {
  bool value = false;
};

struct Text {
  std::string value;
};

/// The number of classes of the current task, which only the runtime knows.
struct ClassCount {};

/// The current task, `t`.
struct TaskReference {};

/// `data(t)`: the training data of the current task, in batches.
struct DataRange {};

/// The network of the model.
struct NetworkReference {};

/// Number of a scalar that is known when compiling, with the settings it was computed from. They become fixed as soon
/// as something is decided by it.
struct KnownScalar {
  double value = 0;
  std::set<int> settings;
};

/// A tensor of the function being built.
struct TensorValue {
  NodeId node = -1;
  ElementType element = ElementType::Float32;
  AxisList axes;
  std::optional<KnownScalar> known;
};

/// An entry of the state table. In arithmetic it stands for its value.
struct EntryInfo {
  std::int32_t index = -1;
  std::string path;
  EntryRole role = EntryRole::Parameter;
  bool perTask = false;
  bool ofNetwork = false;
  ElementType element = ElementType::Float32;
  AxisList axes;
  SourceRange range;
};

struct EntryReference {
  const EntryInfo *entry = nullptr;
};

/// A place of the network where a method may attach.
struct SiteInfo {
  std::string name;
  AxisList axes;
  /// Names that the site's type gives to its axes.
  std::vector<std::pair<std::string, AxisRef>> names;
  SourceRange range;
};

struct SiteReference {
  const SiteInfo *site = nullptr;
};

struct AxisReference {
  AxisRef axis = nullptr;
};

/// `[a, b]`, `net.sites`, `net.params`, `p.gated_axes`.
struct ListValue {
  std::shared_ptr<const std::vector<Value>> elements;
};

/// Values by key, from `name[key in range]`.
struct FamilyValue {
  std::shared_ptr<const Family> family;
};

/// What `per task { ... }` declares: `inner` is the current task's part.
struct PerTaskValue {
  std::shared_ptr<const Value> inner;
  std::string name;
};

/// A layer, network or function by its name.
struct CallableReference {
  const syntax::CallableDecl *declaration = nullptr;
  const Module *module = nullptr;
};

/// A layer with its configuration.
struct InstanceReference {
  std::shared_ptr<const Instance> instance;
};

struct BuiltinReference {
  const Builtin *builtin = nullptr;
};

struct Value {
  std::variant<Poison, Nothing, Integer, Real, Boolean, Text, ClassCount, TaskReference, DataRange, NetworkReference,
               TensorValue, EntryReference, SiteReference, AxisReference, ListValue, FamilyValue, PerTaskValue,
               CallableReference, InstanceReference, BuiltinReference>
      data;

  template <typename T>
  const T *as() const {
    return std::get_if<T>(&data);
  }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(data);
  }
};

/// Members of a family; keys are sites, entries or numbers.
struct Family {
  std::vector<Value> keys;
  std::vector<Value> members;
};

/// One layer of the model. Its parameters are found by the path; an anonymous one gets its path when it is called.
struct Instance {
  const syntax::CallableDecl *declaration = nullptr;
  const Module *module = nullptr;
  std::vector<std::pair<std::string, Value>> configuration;
  std::string path;
  bool perTask = false;
};

inline Value poison() { return {Poison{}}; }
Value makeList(std::vector<Value> elements);
Value makeFamily(std::vector<Value> keys, std::vector<Value> members);

/// Name of a family's key: a site's name, an entry's path, a number.
std::string keyName(const Value &key);

/// What a value is, for messages: `an integer`, `a tensor f32[B, net.fc1.out]`, `the layer `linear``.
std::string describe(const Value &value);

/// `f32[B, net.fc1.out]` for messages; a scalar is `f32`.
std::string describeTensor(ElementType element, const AxisList &axes);

} // namespace clm::sema
