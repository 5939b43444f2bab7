#include "sema/Value.h"

#include <fmt/format.h>

namespace clm::sema {

namespace {

std::string_view elementName(ElementType element) {
  switch (element) {
  case ElementType::Float32:
  case ElementType::Float64: // settings are written `f32`; that they are computed in double precision is no type
    return "f32";
  case ElementType::Int64:
    return "int";
  case ElementType::Bool:
    break;
  }
  return "bool";
}

/// Describes each kind of value.
struct Describer {
  std::string operator()(const Poison &) const { return "nothing"; }
  std::string operator()(const Nothing &) const { return "an extremum over an empty range"; }
  std::string operator()(const Integer &number) const { return fmt::format("the integer {}", number.value); }
  std::string operator()(const Real &number) const { return fmt::format("the number {}", number.value); }
  std::string operator()(const Boolean &flag) const { return flag.value ? "`true`" : "`false`"; }
  std::string operator()(const Text &) const { return "a string"; }
  std::string operator()(const ClassCount &) const { return "the number of classes"; }
  std::string operator()(const TaskReference &) const { return "a task"; }
  std::string operator()(const DataRange &) const { return "a pass over data"; }
  std::string operator()(const NetworkReference &) const { return "the network"; }
  std::string operator()(const TensorValue &tensor) const {
    return (tensor.axes.empty() ? "a scalar " : "a tensor ") + describeTensor(tensor.element, tensor.axes);
  }
  std::string operator()(const EntryReference &reference) const {
    return fmt::format("`{}`, a tensor {}", reference.entry->path,
                       describeTensor(reference.entry->element, reference.entry->axes));
  }
  std::string operator()(const SiteReference &reference) const {
    return fmt::format("the site `{}`", reference.site->name);
  }
  std::string operator()(const AxisReference &reference) const { return "an axis, " + describe(reference.axis); }
  std::string operator()(const ListValue &) const { return "a list"; }
  std::string operator()(const FamilyValue &value) const {
    return value.family->members.empty() ? "an empty family"
                                         : "a family whose members are each " + describe(value.family->members.front());
  }
  std::string operator()(const PerTaskValue &value) const { return fmt::format("`{}` of all tasks", value.name); }
  std::string operator()(const CallableReference &reference) const {
    bool isFunction = reference.declaration->kind == syntax::CallableDecl::Kind::Function;
    bool isLayer = reference.declaration->kind == syntax::CallableDecl::Kind::Layer;
    return fmt::format("the {} `{}`", isFunction ? "function" : (isLayer ? "layer" : "network"),
                       reference.declaration->name.text);
  }
  std::string operator()(const InstanceReference &reference) const {
    return fmt::format("a layer `{}`", reference.instance->declaration->name.text);
  }
  std::string operator()(const BuiltinReference &) const { return "a built-in function"; }
};

} // namespace

Value makeList(std::vector<Value> elements) {
  return {ListValue{std::make_shared<const std::vector<Value>>(std::move(elements))}};
}

Value makeFamily(std::vector<Value> keys, std::vector<Value> members) {
  return {FamilyValue{std::make_shared<const Family>(Family{std::move(keys), std::move(members)})}};
}

std::string keyName(const Value &key) {
  if (const auto *reference = key.as<SiteReference>())
    return reference->site->name;
  if (const auto *reference = key.as<EntryReference>())
    return reference->entry->path;
  if (const auto *number = key.as<Integer>())
    return std::to_string(number->value);
  if (const auto *reference = key.as<AxisReference>())
    return reference->axis->name;
  return {};
}

std::string describe(const Value &value) { return std::visit(Describer(), value.data); }

std::string describeTensor(ElementType element, const AxisList &axes) {
  std::string text(elementName(element));
  if (axes.empty())
    return text;
  std::vector<std::string> names;
  for (AxisRef axis : axes)
    names.push_back(axis->isFixed() ? fmt::format("{} ({})", axis->name, axis->dimension.size) : axis->name);
  return fmt::format("{}[{}]", text, fmt::join(names, ", "));
}

} // namespace clm::sema
