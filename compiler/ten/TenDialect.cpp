/// \file
/// Registration, type inference and verification of the `ten` dialect.
#include "ten/Ten.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace clm::ten {

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

FailureOr<SmallVector<int64_t>> broadcastShapes(ValueRange operands) {
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    ArrayRef<int64_t> next = tensorType(operand).getShape();
    if (next.size() > shape.size())
      shape.insert(shape.begin(), next.size() - shape.size(), 1);
    for (auto [offset, size] : llvm::enumerate(llvm::reverse(next))) {
      int64_t &current = shape[shape.size() - 1 - offset];
      if (current == 1 || (ShapedType::isDynamic(current) && size != 1))
        current = size;
      else if (size != 1 && !ShapedType::isDynamic(size) && size != current)
        return failure();
    }
  }
  return shape;
}

static LogicalResult inferBroadcast(std::optional<Location> location, ValueRange operands, Type element,
                                    SmallVectorImpl<Type> &results) {
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(operands);
  if (failed(shape))
    return emitOptionalError(location, "operand shapes do not broadcast");
  results.push_back(RankedTensorType::get(*shape, element));
  return success();
}

static LogicalResult inferElementwiseType(std::optional<Location> location, ValueRange operands,
                                          SmallVectorImpl<Type> &results) {
  return inferBroadcast(location, operands, tensorType(operands.front()).getElementType(), results);
}

static LogicalResult inferReducedType(std::optional<Location> location, Value operand, ArrayRef<int64_t> dims,
                                      SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(operand);
  SmallVector<int64_t> shape;
  for (int64_t dim : dims)
    if (dim < 0 || dim >= type.getRank())
      return emitOptionalError(location, "reduces dimension ", dim, " of a value of rank ", type.getRank());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(size);
  results.push_back(RankedTensorType::get(shape, type.getElementType()));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                                          DictionaryAttr, OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &results) {
  return inferBroadcast(location, operands, IntegerType::get(context, 1), results);
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange operands,
                                         DictionaryAttr, OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &results) {
  if (!tensorType(operands[0]).getElementType().isInteger(1))
    return emitOptionalError(location, "condition has elements of type ", tensorType(operands[0]).getElementType(),
                             ", not i1");
  if (tensorType(operands[1]).getElementType() != tensorType(operands[2]).getElementType())
    return emitOptionalError(location, "branches have different element types");
  return inferBroadcast(location, operands, tensorType(operands[1]).getElementType(), results);
}

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange operands,
                                         DictionaryAttr attributes, OpaqueProperties properties, RegionRange,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, *properties.as<Properties *>());
  RankedTensorType lhs = tensorType(operands[0]), rhs = tensorType(operands[1]);
  if (lhs.getRank() != 2 || rhs.getRank() != 2)
    return emitOptionalError(location, "multiplies values of rank ", lhs.getRank(), " and ", rhs.getRank(),
                             ", not matrices");
  bool transposeLhs = adaptor.getTransposeLhs(), transposeRhs = adaptor.getTransposeRhs();
  int64_t innerLhs = lhs.getDimSize(transposeLhs ? 0 : 1), innerRhs = rhs.getDimSize(transposeRhs ? 1 : 0);
  if (!ShapedType::isDynamic(innerLhs) && !ShapedType::isDynamic(innerRhs) && innerLhs != innerRhs)
    return emitOptionalError(location, "contracts ", innerLhs, " with ", innerRhs);
  results.push_back(RankedTensorType::get({lhs.getDimSize(transposeLhs ? 1 : 0), rhs.getDimSize(transposeRhs ? 0 : 1)},
                                          lhs.getElementType()));
  return success();
}

LogicalResult CastOp::verify() {
  if (tensorType(getOperand()).getShape() != tensorType(getResult()).getShape())
    return emitOpError("changes the shape");
  return success();
}

LogicalResult ConstantOp::verify() {
  if (tensorType(getResult()).getRank() != 0)
    return emitOpError("has rank ") << tensorType(getResult()).getRank() << ", not 0";
  return success();
}

LogicalResult OneHotOp::verify() {
  if (tensorType(getLabels()).getRank() != 1 || tensorType(getLike()).getRank() < 1 ||
      tensorType(getResult()).getRank() != 2)
    return emitOpError("takes labels of rank 1 and gives a matrix");
  if (tensorType(getResult()).getDimSize(1) != tensorType(getLike()).getShape().back())
    return emitOpError("has ") << tensorType(getResult()).getDimSize(1)
                               << " columns, but the last dimension of `like` is "
                               << tensorType(getLike()).getShape().back();
  return success();
}

/// Checks that `small` stretches to `large`.
static LogicalResult verifyStretch(Operation *op, Type small, Type large) {
  auto from = cast<RankedTensorType>(small), to = cast<RankedTensorType>(large);
  if (from.getRank() > to.getRank())
    return op->emitOpError("stretches ") << from << " to " << to;
  for (auto [offset, size] : llvm::enumerate(llvm::reverse(from.getShape())))
    if (size != 1 && size != to.getDimSize(to.getRank() - 1 - static_cast<int64_t>(offset)))
      return op->emitOpError("stretches ") << from << " to " << to;
  return success();
}

LogicalResult BroadcastLikeOp::verify() {
  if (tensorType(getResult()).getShape() != tensorType(getLike()).getShape())
    return emitOpError("result and `like` have different shapes");
  return verifyStretch(*this, getOperand().getType(), getResult().getType());
}

LogicalResult BroadcastOp::verify() { return verifyStretch(*this, getOperand().getType(), getResult().getType()); }

LogicalResult SumToLikeOp::verify() {
  if (tensorType(getResult()).getShape() != tensorType(getLike()).getShape())
    return emitOpError("result and `like` have different shapes");
  return verifyStretch(*this, getResult().getType(), getOperand().getType());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = tensorType(getOperand()), to = tensorType(getResult());
  auto summary = [](RankedTensorType type) {
    int64_t elements = 1, dynamic = 0;
    for (int64_t size : type.getShape())
      ShapedType::isDynamic(size) ? void(++dynamic) : void(elements *= size);
    return std::pair(elements, dynamic);
  };
  if (summary(from) != summary(to))
    return emitOpError("reshapes ") << from << " to " << to;
  return success();
}

LogicalResult ExtentOp::verify() {
  for (int64_t dim : getDims())
    if (dim < 0 || dim >= tensorType(getOperand()).getRank())
      return emitOpError("asks for dimension ") << dim << " of a value of rank " << tensorType(getOperand()).getRank();
  return success();
}

LogicalResult GradientOp::verify() {
  if (tensorType(getValue()).getRank() != 0)
    return emitOpError("differentiates a value of rank ") << tensorType(getValue()).getRank() << ", not a scalar";
  if (getWithRespectTo().getTypes() != getGradients().getTypes())
    return emitOpError("has gradients whose types differ from those of the values");
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }
OpFoldResult BroadcastLikeOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }
OpFoldResult SumToLikeOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }

static LogicalResult verifyCallee(Operation *op, FlatSymbolRefAttr symbol, TypeRange inputs, TypeRange results,
                                  SymbolTableCollection &symbols) {
  // Functions stand in the module; an op inside a `clm.model` finds them beyond the model's own symbols.
  func::FuncOp callee;
  for (Operation *scope = op->getParentOp(); scope && !callee; scope = scope->getParentOp())
    if (scope->hasTrait<OpTrait::SymbolTable>())
      callee = dyn_cast_or_null<func::FuncOp>(symbols.lookupSymbolIn(scope, symbol));
  if (!callee)
    return op->emitOpError("refers to an unknown function ") << symbol;
  if (callee.getArgumentTypes() != inputs || callee.getResultTypes() != results)
    return op->emitOpError("does not fit the type of ") << symbol;
  return success();
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<Type> derivativeInputs(getInputs().getTypes());
  derivativeInputs.append({getType(), getType()});
  if (failed(verifyCallee(*this, getForwardAttr(), getInputs().getTypes(), getType(), symbols)))
    return failure();
  return verifyCallee(*this, getDerivativeAttr(), derivativeInputs, getInputs().getTypes(), symbols);
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCallee(*this, getCalleeAttr(), getInputs().getTypes(), getResultTypes(), symbols);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr()))
    return emitOpError("refers to an unknown kernel ") << getKernelAttr();
  return success();
}

LogicalResult KernelOp::verify() {
  Block &body = getBody().front();
  if (body.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("has block arguments whose types differ from its inputs");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValues().getTypes() != getResultTypes())
    return emitOpError("yields values whose types differ from its results");
  for (Operation &op : body.without_terminator())
    if (op.hasTrait<Reduction>())
      for (Operation *user : op.getUsers())
        if (user != yield.getOperation())
          return op.emitOpError("is read inside the kernel that computes it");
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : " << std::get<1>(pair).getType();
  });
  printer << ")";
  printer.printArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) || parser.parseColonType(argument.type));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput) ||
      parser.parseOptionalArrowTypeList(state.types) || parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  for (auto [operand, argument] : llvm::zip(operands, arguments))
    if (parser.resolveOperand(operand, argument.type, state.operands))
      return failure();
  return success();
}

void TenDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ten/TenOps.cpp.inc"
      >();
}

} // namespace clm::ten

#include "ten/Differentiable.cpp.inc"
#include "ten/TenDialect.cpp.inc"
#include "ten/TenEnums.cpp.inc"
#define GET_OP_CLASSES
#include "ten/TenOps.cpp.inc"
