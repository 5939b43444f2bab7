#include "sema/FunctionBuilder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace clm::sema {

namespace {

/// A text that is equal for equal nodes. The place does not count.
std::string keyOf(const Node &node) {
  std::string key = fmt::format("{} {} {:a} {} {}:", static_cast<int>(node.op), node.index, node.number, node.symbol,
                                static_cast<int>(node.type.element));
  for (const Dimension &dimension : node.type.shape)
    fmt::format_to(std::back_inserter(key), "{}/{},", static_cast<int>(dimension.kind), dimension.size);
  fmt::format_to(std::back_inserter(key), ":{}:{}", fmt::join(node.operands, ","), fmt::join(node.ints, ","));
  return key;
}

Node makeNode(Op op, ElementType element, std::vector<NodeId> operands = {}) {
  Node node;
  node.op = op;
  node.type.element = element;
  node.operands = std::move(operands);
  return node;
}

} // namespace

NodeId FunctionBuilder::add(Node node) {
  auto [place, isNew] = known.try_emplace(keyOf(node), static_cast<NodeId>(nodes.size()));
  if (isNew) {
    node.range = current;
    nodes.push_back(std::move(node));
    axesOfNodes.emplace_back();
  }
  return place->second;
}

TensorValue FunctionBuilder::make(Node node, const AxisList &axes) {
  node.type.shape = shapeOf(axes);
  ElementType element = node.type.element;
  NodeId id = add(std::move(node));
  axesOfNodes[id] = axes;
  return {id, element, axes, std::nullopt};
}

TensorValue FunctionBuilder::read(const EntryInfo &entry) { return argument(entry.index, entry.element, entry.axes); }

TensorValue FunctionBuilder::argument(std::int32_t index, ElementType element, const AxisList &axes) {
  Node node = makeNode(Op::Read, element);
  node.index = index;
  return make(std::move(node), axes);
}

TensorValue FunctionBuilder::input(const AxisList &axes) {
  return make(makeNode(Op::Input, ElementType::Float32), axes);
}

TensorValue FunctionBuilder::label(AxisRef batch) {
  Node node = makeNode(Op::Label, ElementType::Int64);
  return make(std::move(node), {batch});
}

TensorValue FunctionBuilder::scalar(const std::string &symbol, std::optional<KnownScalar> known) {
  Node node = makeNode(Op::Scalar, ElementType::Float64);
  node.symbol = symbol;
  TensorValue value = make(std::move(node), {});
  value.known = std::move(known);
  return value;
}

TensorValue FunctionBuilder::noise(std::int32_t stream, const AxisList &axes) {
  Node node = makeNode(Op::Noise, ElementType::Float32);
  node.index = stream;
  return make(std::move(node), axes);
}

TensorValue FunctionBuilder::constant(double number, ElementType element) {
  Node node = makeNode(Op::Constant, element);
  node.number = number;
  return make(std::move(node), {});
}

TensorValue FunctionBuilder::cast(const TensorValue &operand, ElementType element) {
  if (operand.element == element)
    return operand;
  TensorValue result;
  if (nodes[operand.node].op == Op::Constant) {
    result = constant(nodes[operand.node].number, element);
  } else {
    Node node = makeNode(Op::Cast, element, {operand.node});
    result = make(std::move(node), operand.axes);
  }
  result.known = operand.known;
  return result;
}

TensorValue FunctionBuilder::elementwise(Op op, const std::vector<TensorValue> &operands, const AxisList &axes,
                                         ElementType element, const std::string &symbol) {
  Node node = makeNode(op, element);
  node.symbol = symbol;
  for (const TensorValue &operand : operands)
    node.operands.push_back(align(operand, axes));
  return make(std::move(node), axes);
}

TensorValue FunctionBuilder::reduce(Op op, const TensorValue &operand, const AxisList &over) {
  if (over.empty())
    return operand;
  Node node = makeNode(op, operand.element, {operand.node});
  AxisList left;
  for (std::size_t i = 0; i < operand.axes.size(); ++i)
    if (positionOf(operand.axes[i], over) >= 0)
      node.ints.push_back(static_cast<std::int64_t>(i));
    else
      left.push_back(operand.axes[i]);
  return make(std::move(node), left);
}

TensorValue FunctionBuilder::extent(const TensorValue &operand, const AxisList &over) {
  Node node = makeNode(Op::Extent, ElementType::Float64, {operand.node});
  for (AxisRef axis : over)
    node.ints.push_back(positionOf(axis, operand.axes));
  return make(std::move(node), {});
}

TensorValue FunctionBuilder::matmul(const TensorValue &left, const TensorValue &right, AxisRef shared) {
  std::int64_t leftPosition = positionOf(shared, left.axes);
  std::int64_t rightPosition = positionOf(shared, right.axes);
  Node node = makeNode(Op::MatMul, left.element, {left.node, right.node});
  node.ints = {leftPosition == 0 ? 1 : 0, rightPosition == 1 ? 1 : 0};
  return make(std::move(node), {left.axes[1 - leftPosition], right.axes[1 - rightPosition]});
}

TensorValue FunctionBuilder::reshape(const TensorValue &operand, const AxisList &axes) {
  if (shapeOf(axes) == nodes[operand.node].type.shape)
    return {operand.node, operand.element, axes, operand.known};
  Node node = makeNode(Op::Reshape, operand.element, {operand.node});
  return make(std::move(node), axes);
}

TensorValue FunctionBuilder::oneHot(const TensorValue &labels, const TensorValue &like) {
  Node node = makeNode(Op::OneHot, like.element, {labels.node, like.node});
  return make(std::move(node), like.axes);
}

TensorValue FunctionBuilder::mask(const TensorValue &value, const TensorValue &gate, AxisRef axis) {
  Node node = makeNode(Op::Mask, value.element, {value.node, gate.node});
  node.ints = {positionOf(axis, value.axes)};
  return make(std::move(node), value.axes);
}

TensorValue FunctionBuilder::apply(const std::string &function, const std::vector<TensorValue> &operands,
                                   ElementType element, const AxisList &axes) {
  Node node = makeNode(Op::Apply, element);
  node.symbol = function;
  for (const TensorValue &operand : operands)
    node.operands.push_back(operand.node);
  return make(std::move(node), axes);
}

NodeId FunctionBuilder::align(const TensorValue &operand, const AxisList &axes) {
  std::vector<Dimension> shape;
  for (AxisRef axis : axes) {
    if (positionOf(axis, operand.axes) >= 0)
      shape.push_back(axis->dimension);
    else if (!shape.empty())
      shape.push_back({Dimension::Kind::Fixed, 1});
  }
  if (shape == nodes[operand.node].type.shape)
    return operand.node;
  Node node = makeNode(Op::Reshape, operand.element, {operand.node});
  node.type.shape = std::move(shape);
  return add(std::move(node));
}

std::optional<TensorValue> FunctionBuilder::findWithAxes(const AxisList &axes) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (axesOfNodes[i] == axes && nodes[i].type.element == ElementType::Float32)
      return TensorValue{static_cast<NodeId>(i), ElementType::Float32, axes, std::nullopt};
  return std::nullopt;
}

std::vector<Node> keepReachable(const std::vector<Node> &nodes, const std::vector<NodeId *> &roots) {
  std::vector<bool> needed(nodes.size(), false);
  for (const NodeId *root : roots)
    needed[*root] = true;
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (needed[i])
      for (NodeId operand : nodes[i].operands)
        needed[operand] = true;
  std::vector<NodeId> renumbered(nodes.size(), -1);
  std::vector<Node> kept;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i])
      continue;
    renumbered[i] = static_cast<NodeId>(kept.size());
    kept.push_back(nodes[i]);
    for (NodeId &operand : kept.back().operands)
      operand = renumbered[operand];
  }
  for (NodeId *root : roots)
    *root = renumbered[*root];
  return kept;
}

} // namespace clm::sema
