/// \file
/// Emits the expression nodes of one function of the model, each as one op.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "sema/Model.h"
#include "support/SourceFile.h"

#include <functional>
#include <span>

namespace clm {

/// Sizes as the `shape` attributes spell them: -1 is the batch, -2 the classes of a task.
llvm::SmallVector<int64_t> shapeAttributeOf(const sema::TensorType &type);

mlir::RankedTensorType tensorTypeOf(const sema::TensorType &type, mlir::MLIRContext *context);

class NodeEmitter {
public:
  /// `read` gives the value of a `Read` node: a table entry in functions of the model, an argument in functions with a
  /// derivative.
  NodeEmitter(mlir::OpBuilder &builder, const sema::Model &model, const SourceManager &sources,
              std::function<mlir::Value(const sema::Node &, mlir::Location)> read)
      : builder(builder), model(model), sources(sources), read(std::move(read)) {}

  /// Emits all nodes in order; afterwards `value` gives their results.
  void emit(std::span<const sema::Node> nodes);
  mlir::Value value(sema::NodeId node) const { return values[node]; }
  mlir::Location location(SourceRange range) const;

private:
  mlir::Value emitNode(const sema::Node &node);
  mlir::Value emitLeaf(const sema::Node &node, mlir::Location location);
  mlir::Value emitElementwise(const sema::Node &node, mlir::Location location);
  mlir::Value emitOther(const sema::Node &node, mlir::Location location);
  mlir::Value operand(const sema::Node &node, unsigned index) const { return values[node.operands[index]]; }

  mlir::OpBuilder &builder;
  const sema::Model &model;
  const SourceManager &sources;
  std::function<mlir::Value(const sema::Node &, mlir::Location)> read;
  std::vector<mlir::Value> values;
};

} // namespace clm
