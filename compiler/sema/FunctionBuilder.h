/// \file
/// Builds the nodes of one function. Knows types, axes and how operands are aligned, nothing of the language: whoever
/// calls has checked that the operands fit and has reported what does not.
///
/// Equal nodes are made once, so that a value computed twice (the network under two names) is one value.
#pragma once

#include "sema/Value.h"

#include <unordered_map>

namespace clm::sema {

class FunctionBuilder {
public:
  /// Nodes made from here on carry this place.
  void setRange(SourceRange range) { current = range; }
  SourceRange range() const { return current; }

  //===- Leaves ---------------------------------------------------------------------------------------------------===//

  TensorValue read(const EntryInfo &entry);
  /// An argument of a derivative function: a `Read` that counts arguments.
  TensorValue argument(std::int32_t index, ElementType element, const AxisList &axes);
  TensorValue input(const AxisList &axes);
  TensorValue label(AxisRef batch);
  /// A Float64 scalar that the runtime passes.
  TensorValue scalar(const std::string &symbol, std::optional<KnownScalar> known = std::nullopt);
  TensorValue noise(std::int32_t stream, const AxisList &axes);
  TensorValue constant(double number, ElementType element);

  //===- Values ---------------------------------------------------------------------------------------------------===//

  /// A constant is made anew in the other type instead of being converted.
  TensorValue cast(const TensorValue &operand, ElementType element);
  /// Operands are aligned to `axes`, of which each has a subsequence. `element` is that of the result.
  TensorValue elementwise(Op op, const std::vector<TensorValue> &operands, const AxisList &axes, ElementType element,
                          const std::string &symbol = {});
  TensorValue unary(Op op, const TensorValue &operand) {
    return elementwise(op, {operand}, operand.axes, operand.element);
  }
  /// Sum or maximum over the axes `over`.
  TensorValue reduce(Op op, const TensorValue &operand, const AxisList &over);
  /// Product of the sizes of the axes `over` of `operand`.
  TensorValue extent(const TensorValue &operand, const AxisList &over);
  /// Product of two matrices over the one axis they share.
  TensorValue matmul(const TensorValue &left, const TensorValue &right, AxisRef shared);
  /// The same elements under other axes, in row-major order.
  TensorValue reshape(const TensorValue &operand, const AxisList &axes);
  TensorValue oneHot(const TensorValue &labels, const TensorValue &like);
  TensorValue mask(const TensorValue &value, const TensorValue &gate, AxisRef axis);
  TensorValue apply(const std::string &function, const std::vector<TensorValue> &operands, ElementType element,
                    const AxisList &axes);

  /// A node whose shape broadcasts against a tensor with `axes`: dimensions of size 1 stand for the axes that are
  /// missing behind the first one present.
  NodeId align(const TensorValue &operand, const AxisList &axes);

  /// The first tensor over exactly `axes`, for operations that read only a shape.
  std::optional<TensorValue> findWithAxes(const AxisList &axes) const;

  const Node &node(NodeId id) const { return nodes[id]; }
  const std::vector<Node> &all() const { return nodes; }

private:
  NodeId add(Node node);
  TensorValue make(Node node, const AxisList &axes);

  std::vector<Node> nodes;
  std::vector<AxisList> axesOfNodes; // empty where a node's shape has inserted dimensions
  std::unordered_map<std::string, NodeId> known;
  SourceRange current;
};

/// Nodes that `roots` need, renumbered in place; `roots` afterwards hold the new numbers.
std::vector<Node> keepReachable(const std::vector<Node> &nodes, const std::vector<NodeId *> &roots);

} // namespace clm::sema
