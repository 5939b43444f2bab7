/// \file
/// One case per operation of the model; types come from sema, so that a disagreement with the dialect's own inference
/// is caught by the verifier.
#include "conversion/ModelToClm/NodeEmitter.h"

#include "clm/Clm.h"
#include "ten/Ten.h"

using namespace mlir;

namespace clm {

llvm::SmallVector<int64_t> shapeAttributeOf(const sema::TensorType &type) {
  SmallVector<int64_t> shape;
  for (const sema::Dimension &dimension : type.shape)
    switch (dimension.kind) {
    case sema::Dimension::Kind::Fixed:
      shape.push_back(dimension.size);
      break;
    case sema::Dimension::Kind::Batch:
      shape.push_back(-1);
      break;
    case sema::Dimension::Kind::Classes:
      shape.push_back(-2);
      break;
    }
  return shape;
}

mlir::RankedTensorType tensorTypeOf(const sema::TensorType &type, MLIRContext *context) {
  SmallVector<int64_t> shape;
  for (const sema::Dimension &dimension : type.shape)
    shape.push_back(dimension.kind == sema::Dimension::Kind::Fixed ? dimension.size : ShapedType::kDynamic);
  Builder builder(context);
  switch (type.element) {
  case sema::ElementType::Float32:
    return RankedTensorType::get(shape, builder.getF32Type());
  case sema::ElementType::Float64:
    return RankedTensorType::get(shape, builder.getF64Type());
  case sema::ElementType::Int64:
    return RankedTensorType::get(shape, builder.getI64Type());
  case sema::ElementType::Bool:
    return RankedTensorType::get(shape, builder.getI1Type());
  }
  llvm_unreachable("unknown element type");
}

Location NodeEmitter::location(SourceRange range) const {
  if (!range.isValid())
    return builder.getUnknownLoc();
  LineColumn place = sources.lineColumn(range.file, range.begin);
  return FileLineColLoc::get(builder.getContext(), StringRef(sources.path(range.file)), place.line, place.column);
}

void NodeEmitter::emit(std::span<const sema::Node> nodes) {
  values.reserve(nodes.size());
  for (const sema::Node &node : nodes)
    values.push_back(emitNode(node));
}

Value NodeEmitter::emitNode(const sema::Node &node) {
  Location where = location(node.range);
  if (node.op <= sema::Op::Constant)
    return emitLeaf(node, where);
  if (node.op <= sema::Op::Detach)
    return emitElementwise(node, where);
  return emitOther(node, where);
}

Value NodeEmitter::emitLeaf(const sema::Node &node, Location location) {
  RankedTensorType type = tensorTypeOf(node.type, builder.getContext());
  switch (node.op) {
  case sema::Op::Read:
    return read(node, location);
  case sema::Op::Input:
    return builder.create<decl::InputOp>(location, type);
  case sema::Op::Label:
    return builder.create<decl::LabelOp>(location, type);
  case sema::Op::Scalar:
    return builder.create<decl::ScalarOp>(location, type, node.symbol);
  case sema::Op::Noise:
    return builder.create<decl::DrawOp>(location, type, model.noise[node.index].path);
  case sema::Op::Constant:
    return builder.create<ten::ConstantOp>(location, type, builder.getF64FloatAttr(node.number));
  default:
    llvm_unreachable("not a leaf");
  }
}

Value NodeEmitter::emitElementwise(const sema::Node &node, Location location) {
  Type type = tensorTypeOf(node.type, builder.getContext());
  auto unary = [&]<typename OpType>(std::type_identity<OpType>) -> Value {
    return builder.create<OpType>(location, type, operand(node, 0));
  };
  auto binary = [&]<typename OpType>(std::type_identity<OpType>) -> Value {
    return builder.create<OpType>(location, type, operand(node, 0), operand(node, 1));
  };
  switch (node.op) {
  case sema::Op::Add:
    return binary(std::type_identity<ten::AddOp>());
  case sema::Op::Subtract:
    return binary(std::type_identity<ten::SubOp>());
  case sema::Op::Multiply:
    return binary(std::type_identity<ten::MulOp>());
  case sema::Op::Divide:
    return binary(std::type_identity<ten::DivOp>());
  case sema::Op::Maximum:
    return binary(std::type_identity<ten::MaximumOp>());
  case sema::Op::Minimum:
    return binary(std::type_identity<ten::MinimumOp>());
  case sema::Op::Negate:
    return unary(std::type_identity<ten::NegOp>());
  case sema::Op::Exp:
    return unary(std::type_identity<ten::ExpOp>());
  case sema::Op::Log:
    return unary(std::type_identity<ten::LogOp>());
  case sema::Op::Sqrt:
    return unary(std::type_identity<ten::SqrtOp>());
  case sema::Op::Tanh:
    return unary(std::type_identity<ten::TanhOp>());
  case sema::Op::Sigmoid:
    return unary(std::type_identity<ten::SigmoidOp>());
  case sema::Op::Relu:
    return unary(std::type_identity<ten::ReluOp>());
  case sema::Op::Abs:
    return unary(std::type_identity<ten::AbsOp>());
  case sema::Op::Cosh:
    return unary(std::type_identity<ten::CoshOp>());
  case sema::Op::Cast:
    return unary(std::type_identity<ten::CastOp>());
  case sema::Op::Detach:
    return unary(std::type_identity<ten::DetachOp>());
  case sema::Op::Clamp:
    return builder.create<ten::ClampOp>(location, type, operand(node, 0), operand(node, 1), operand(node, 2));
  case sema::Op::Select:
    return builder.create<ten::SelectOp>(location, type, operand(node, 0), operand(node, 1), operand(node, 2));
  case sema::Op::Compare:
    return builder.create<ten::CompareOp>(location, type, *ten::symbolizePredicate(node.symbol), operand(node, 0),
                                          operand(node, 1));
  default:
    llvm_unreachable("not an elementwise operation");
  }
}

Value NodeEmitter::emitOther(const sema::Node &node, Location location) {
  Type type = tensorTypeOf(node.type, builder.getContext());
  switch (node.op) {
  case sema::Op::Reshape:
    return builder.create<ten::ReshapeOp>(location, type, operand(node, 0));
  case sema::Op::OneHot:
    return builder.create<ten::OneHotOp>(location, type, operand(node, 0), operand(node, 1));
  case sema::Op::Extent:
    return builder.create<ten::ExtentOp>(location, type, operand(node, 0), node.ints);
  case sema::Op::Sum:
    return builder.create<ten::ReduceSumOp>(location, type, operand(node, 0), node.ints);
  case sema::Op::Max:
    return builder.create<ten::ReduceMaxOp>(location, type, operand(node, 0), node.ints);
  case sema::Op::MatMul:
    return builder.create<ten::MatMulOp>(location, type, operand(node, 0), operand(node, 1), node.ints[0] != 0,
                                         node.ints[1] != 0);
  case sema::Op::Apply: {
    SmallVector<Value> inputs;
    for (sema::NodeId input : node.operands)
      inputs.push_back(values[input]);
    return builder.create<ten::ApplyOp>(location, type, node.symbol, node.symbol + ".derivative", inputs);
  }
  case sema::Op::Mask:
    return builder.create<decl::MaskOp>(location, type, operand(node, 0), operand(node, 1), node.ints[0]);
  default:
    llvm_unreachable("unknown operation");
  }
}

} // namespace clm
