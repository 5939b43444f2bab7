#include "sema/ModelVerifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace clm::sema {

namespace {

constexpr Dimension one{Dimension::Kind::Fixed, 1};

using Shape = std::vector<Dimension>;

/// The shape of two operands together, as NumPy broadcasts, or nothing when they do not fit.
std::optional<Shape> broadcast(const Shape &left, const Shape &right) {
  Shape result(std::max(left.size(), right.size()), one);
  for (std::size_t i = 1; i <= result.size(); ++i) {
    Dimension a = i <= left.size() ? left[left.size() - i] : one;
    Dimension b = i <= right.size() ? right[right.size() - i] : one;
    if (a != b && a != one && b != one)
      return std::nullopt;
    result[result.size() - i] = a == one ? b : a;
  }
  return result;
}

/// Checks the nodes of one list.
class NodeVerifier {
public:
  NodeVerifier(const Model &model, const std::vector<Node> &nodes, const std::vector<TensorType> *arguments)
      : model(model), nodes(nodes), arguments(arguments) {}

  std::string run() {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node &node = nodes[i];
      std::string violation;
      for (NodeId operand : node.operands)
        if (operand < 0 || static_cast<std::size_t>(operand) >= i)
          violation = "uses a node that does not stand before it";
      if (violation.empty())
        violation = check(node);
      if (!violation.empty())
        return fmt::format("node {} ({}) {}", i, opName(node.op), violation);
    }
    return {};
  }

private:
  const TensorType &type(const Node &node, std::size_t operand) const {
    return nodes[static_cast<std::size_t>(node.operands[operand])].type;
  }

  std::string check(const Node &node);
  std::string checkLeaf(const Node &node);
  std::string checkElementwise(const Node &node);
  std::string checkShapeOp(const Node &node);
  std::string checkReduction(const Node &node);
  std::string checkMatMul(const Node &node);
  std::string checkApply(const Node &node);
  std::string checkMask(const Node &node);

  const Model &model;
  const std::vector<Node> &nodes;
  const std::vector<TensorType> *arguments; // of a derivative function; null in a function of the model
};

std::string NodeVerifier::checkLeaf(const Node &node) {
  auto index = static_cast<std::size_t>(node.index);
  bool fits = true;
  switch (node.op) {
  case Op::Read:
    if (arguments)
      fits = node.index >= 0 && index < arguments->size() && (*arguments)[index] == node.type;
    else
      fits = node.index >= 0 && index < model.entries.size() && model.entries[index].type == node.type;
    break;
  case Op::Input:
    fits = node.type.element == ElementType::Float32 && node.type.shape.size() == model.inputShape.size() + 1;
    break;
  case Op::Label:
    fits = node.type == TensorType{ElementType::Int64, {{Dimension::Kind::Batch, -1}}};
    break;
  case Op::Scalar:
    fits = node.type == TensorType{ElementType::Float64, {}} && !node.symbol.empty();
    break;
  case Op::Noise:
    fits = node.index >= 0 && index < model.noise.size() && model.noise[index].type == node.type;
    break;
  default: // Constant
    fits = node.type.shape.empty();
    break;
  }
  return fits ? "" : "does not have the type of what it names";
}

std::string NodeVerifier::checkElementwise(const Node &node) {
  static const std::set<Op> binary = {Op::Add,     Op::Subtract, Op::Multiply, Op::Divide,
                                      Op::Maximum, Op::Minimum,  Op::Compare};
  std::size_t count = binary.count(node.op) ? 2 : (node.op == Op::Clamp || node.op == Op::Select ? 3 : 1);
  if (node.operands.size() != count)
    return fmt::format("has {} operands", node.operands.size());
  Shape shape;
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Shape> joined = broadcast(shape, type(node, i).shape);
    if (!joined)
      return "has operands that do not broadcast";
    shape = *joined;
  }
  if (shape != node.type.shape)
    return "has another shape than its operands together";
  std::size_t first = node.op == Op::Select ? 1 : 0;
  ElementType element = type(node, first).element;
  for (std::size_t i = first; i < count; ++i)
    if (type(node, i).element != element)
      return "mixes element types";
  if (node.op == Op::Select && type(node, 0).element != ElementType::Bool)
    return "selects by something that is no condition";
  static const std::set<std::string> predicates = {"lt", "le", "gt", "ge", "eq", "ne"};
  if (node.op == Op::Compare)
    return node.type.element == ElementType::Bool && predicates.count(node.symbol) ? "" : "is no comparison";
  if (node.op == Op::Cast)
    return node.type.element == element ? "converts to the type it has" : "";
  return node.type.element == element ? "" : "has another element type than its operands";
}

std::string NodeVerifier::checkShapeOp(const Node &node) {
  auto dynamic = [](const Shape &shape) {
    Shape result;
    for (const Dimension &dimension : shape)
      if (dimension.kind != Dimension::Kind::Fixed)
        result.push_back(dimension);
    return result;
  };
  auto fixedElements = [](const Shape &shape) {
    std::int64_t count = 1;
    for (const Dimension &dimension : shape)
      count *= dimension.kind == Dimension::Kind::Fixed ? dimension.size : 1;
    return count;
  };
  if (node.op == Op::Reshape) {
    const TensorType &operand = type(node, 0);
    bool fits = operand.element == node.type.element && dynamic(operand.shape) == dynamic(node.type.shape) &&
                fixedElements(operand.shape) == fixedElements(node.type.shape);
    return fits ? "" : "does not keep its elements";
  }
  if (node.op == Op::OneHot) {
    const TensorType &labels = type(node, 0), &like = type(node, 1);
    bool fits = labels.element == ElementType::Int64 && labels.shape.size() == 1 && like.shape.size() == 2 &&
                like.shape[0] == labels.shape[0] && node.type == like;
    return fits ? "" : "does not turn labels into rows like those of its second operand";
  }
  bool fits = node.type == TensorType{ElementType::Float64, {}}; // Extent
  for (std::int64_t dimension : node.ints)
    fits &= dimension >= 0 && static_cast<std::size_t>(dimension) < type(node, 0).shape.size();
  return fits ? "" : "measures a dimension that does not exist";
}

std::string NodeVerifier::checkReduction(const Node &node) {
  const TensorType &operand = type(node, 0);
  Shape left;
  std::size_t reduced = 0;
  for (std::size_t i = 0; i < operand.shape.size(); ++i)
    if (std::find(node.ints.begin(), node.ints.end(), static_cast<std::int64_t>(i)) == node.ints.end())
      left.push_back(operand.shape[i]);
    else
      ++reduced;
  bool fits = reduced == node.ints.size() && node.type == TensorType{operand.element, left};
  return fits ? "" : "does not drop the dimensions it names";
}

std::string NodeVerifier::checkMatMul(const Node &node) {
  const TensorType &left = type(node, 0), &right = type(node, 1);
  if (left.shape.size() != 2 || right.shape.size() != 2 || node.ints.size() != 2)
    return "does not multiply two matrices";
  std::size_t leftSum = node.ints[0] ? 0 : 1, rightSum = node.ints[1] ? 1 : 0;
  Shape expected = {left.shape[1 - leftSum], right.shape[1 - rightSum]};
  bool fits = left.shape[leftSum] == right.shape[rightSum] && left.element == ElementType::Float32 &&
              right.element == ElementType::Float32 && node.type == TensorType{ElementType::Float32, expected};
  return fits ? "" : "has operands or a result of the wrong shape";
}

std::string NodeVerifier::checkApply(const Node &node) {
  for (const DerivativeFunction &function : model.derivativeFunctions) {
    if (function.name != node.symbol)
      continue;
    bool fits = function.inputs.size() == node.operands.size() && function.result == node.type;
    for (std::size_t i = 0; fits && i < node.operands.size(); ++i)
      fits = function.inputs[i] == type(node, i);
    return fits ? "" : "does not fit the function it calls";
  }
  return "calls an unknown function";
}

std::string NodeVerifier::checkMask(const Node &node) {
  const TensorType &value = type(node, 0), &gate = type(node, 1);
  bool fits = node.ints.size() == 1 && node.ints[0] >= 0 && static_cast<std::size_t>(node.ints[0]) < value.shape.size();
  fits = fits && gate == TensorType{value.element, {value.shape[static_cast<std::size_t>(node.ints[0])]}};
  return fits && node.type == value ? "" : "has a gate that does not lie on its dimension";
}

std::string NodeVerifier::check(const Node &node) {
  static const std::map<Op, std::size_t> operands = {{Op::Reshape, 1}, {Op::OneHot, 2}, {Op::Extent, 1}, {Op::Sum, 1},
                                                     {Op::Max, 1},     {Op::MatMul, 2}, {Op::Mask, 2}};
  if (auto found = operands.find(node.op); found != operands.end() && found->second != node.operands.size())
    return fmt::format("has {} operands", node.operands.size());
  switch (node.op) {
  case Op::Read:
  case Op::Input:
  case Op::Label:
  case Op::Scalar:
  case Op::Noise:
  case Op::Constant:
    return checkLeaf(node);
  case Op::Reshape:
  case Op::OneHot:
  case Op::Extent:
    return checkShapeOp(node);
  case Op::Sum:
  case Op::Max:
    return checkReduction(node);
  case Op::MatMul:
    return checkMatMul(node);
  case Op::Apply:
    return checkApply(node);
  case Op::Mask:
    return checkMask(node);
  default:
    return checkElementwise(node);
  }
}

/// Checks what a function does with its nodes.
class FunctionVerifier {
public:
  FunctionVerifier(const Model &model, const Function &function) : model(model), function(function) {}

  std::string run() {
    if (std::string violation = NodeVerifier(model, function.nodes, nullptr).run(); !violation.empty())
      return violation;
    for (const NamedNode &loss : function.losses)
      if (!exists(loss.node) || typeOf(loss.node) != TensorType{})
        return fmt::format("loss {} is no Float32 scalar", loss.name);
    for (const auto *list : {&function.outputs, &function.probes})
      for (const NamedNode &named : *list)
        if (!exists(named.node))
          return fmt::format("{} names no node", named.name);
    for (const Update &update : function.updates)
      if (!fills(update.node, update.entry))
        return fmt::format("the update of entry {} does not fit it", update.entry);
    for (const GradientRule &rule : function.gradientRules)
      if (std::string violation = check(rule); !violation.empty())
        return violation;
    for (const ClampRule &clamp : function.clamps)
      if (!fills(clamp.low, clamp.entry) || !fills(clamp.high, clamp.entry))
        return fmt::format("the bounds of entry {} do not fit it", clamp.entry);
    for (std::int32_t entry : function.trained)
      if (!isEntry(entry))
        return "an entry that is trained does not exist";
    return {};
  }

private:
  bool exists(NodeId node) const { return node >= 0 && static_cast<std::size_t>(node) < function.nodes.size(); }
  bool isEntry(std::int32_t entry) const {
    return entry >= 0 && static_cast<std::size_t>(entry) < model.entries.size();
  }
  const TensorType &typeOf(NodeId node) const { return function.nodes[static_cast<std::size_t>(node)].type; }

  /// Whether the node's value, stretched to the entry's shape, is one for the entry.
  bool fills(NodeId node, std::int32_t entry) const {
    if (!exists(node) || !isEntry(entry))
      return false;
    const TensorType &wanted = model.entries[static_cast<std::size_t>(entry)].type;
    return typeOf(node).element == wanted.element && broadcast(typeOf(node).shape, wanted.shape) == wanted.shape;
  }

  std::string check(const GradientRule &rule) const {
    bool isScale = rule.kind == GradientRule::Kind::Scale;
    for (std::int32_t entry : rule.entries)
      if (std::find(function.trained.begin(), function.trained.end(), entry) == function.trained.end())
        return fmt::format("gradient rule {} acts on entry {}, which is not trained", rule.rule, entry);
    if (isScale && (rule.entries.size() != 1 || !fills(rule.value, rule.entries.front())))
      return fmt::format("the factor of gradient rule {} does not fit its entry", rule.rule);
    if (!isScale && (!exists(rule.value) || typeOf(rule.value) != TensorType{ElementType::Float64, {}}))
      return fmt::format("the bound of gradient rule {} is no Float64 scalar", rule.rule);
    return {};
  }

  const Model &model;
  const Function &function;
};

std::string verifyDerivative(const Model &model, const DerivativeFunction &function) {
  if (std::string violation = NodeVerifier(model, function.forwardNodes, &function.inputs).run(); !violation.empty())
    return violation;
  std::vector<TensorType> arguments = function.inputs;
  arguments.push_back(function.result);
  arguments.push_back(function.result);
  if (std::string violation = NodeVerifier(model, function.derivativeNodes, &arguments).run(); !violation.empty())
    return "its derivative: " + violation;
  if (function.forwardNodes.at(static_cast<std::size_t>(function.forward)).type != function.result)
    return "its result has another type than it declares";
  if (function.cotangents.size() != function.inputs.size())
    return "it has not one cotangent for each input";
  for (std::size_t i = 0; i < function.inputs.size(); ++i)
    if (function.derivativeNodes.at(static_cast<std::size_t>(function.cotangents[i])).type != function.inputs[i])
      return "a cotangent has another type than its input";
  return {};
}

} // namespace

std::string verify(const Model &model) {
  for (const Entry &entry : model.entries)
    for (std::size_t i = 0; i < entry.type.shape.size(); ++i) {
      Dimension::Kind kind = entry.type.shape[i].kind;
      if (kind == Dimension::Kind::Batch || (kind == Dimension::Kind::Classes && (i > 0 || !entry.perTask)))
        return fmt::format("entry {} has a dimension that its table cannot hold", entry.path);
    }
  for (const DerivativeFunction &function : model.derivativeFunctions)
    if (std::string violation = verifyDerivative(model, function); !violation.empty())
      return fmt::format("function {}: {}", function.name, violation);
  for (const Function &function : model.functions)
    if (std::string violation = FunctionVerifier(model, function).run(); !violation.empty())
      return fmt::format("function {}: {}", function.name, violation);
  return {};
}

} // namespace clm::sema
