/// \file
/// See KernelBuilder.h. All ops of a kernel share one iteration domain, so that a single `linalg.generic` holds them:
/// pointwise results are yielded at the point, reductions accumulate into their output.
#include "conversion/TenToLinalg/KernelBuilder.h"

#include "conversion/TenToLinalg/ScalarBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ten/Ten.h"

using namespace mlir;

namespace clm {

namespace {

ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

MemRefType bufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Dimensions of a reduction's operand that vanish or shrink to 1.
SmallVector<int64_t> reducedDims(Operation *reduction) {
  if (auto sum = dyn_cast<ten::ReduceSumOp>(reduction))
    return SmallVector<int64_t>(sum.getDims());
  if (auto max = dyn_cast<ten::ReduceMaxOp>(reduction))
    return SmallVector<int64_t>(max.getDims());
  auto sum = cast<ten::SumToLikeOp>(reduction);
  ArrayRef<int64_t> from = shapeOf(sum.getOperand()), to = shapeOf(sum.getResult());
  SmallVector<int64_t> dims;
  for (int64_t dim = 0, offset = from.size() - to.size(), rank = from.size(); dim < rank; ++dim)
    if (dim < offset || (to[dim - offset] == 1 && from[dim] != 1))
      dims.push_back(dim);
  return dims;
}

/// Builds the body of one kernel.
class KernelWriter {
public:
  KernelWriter(func::FuncOp kernel, ArrayRef<int> inPlace, OpBuilder &builder)
      : kernel(kernel), inPlace(inPlace), builder(builder), domain(kernelDomain(kernel)) {}

  FailureOr<func::FuncOp> write(StringRef name) {
    auto returned = kernel.front().getTerminator()->getOperands();
    SmallVector<Type> types;
    for (BlockArgument argument : kernel.getArguments())
      if (!llvm::is_contained(inPlace, static_cast<int>(argument.getArgNumber())))
        types.push_back(bufferType(argument.getType()));
    for (Value value : returned)
      types.push_back(bufferType(value.getType()));
    auto function = builder.create<func::FuncOp>(kernel.getLoc(), name, builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr("clm.kernel", builder.getUnitAttr());
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    collectBuffers(*body, returned);
    emitGeneric(returned);
    builder.create<func::ReturnOp>(kernel.getLoc());
    if (unsupported)
      return unsupported->emitOpError("has no scalar code");
    return function;
  }

private:
  void collectBuffers(Block &body, ValueRange returned) {
    unsigned next = 0;
    for (BlockArgument argument : kernel.getArguments())
      if (!llvm::is_contained(inPlace, static_cast<int>(argument.getArgNumber())))
        bufferOf[argument] = body.getArgument(next++);
    for (unsigned result = 0; result < returned.size(); ++result) {
      Value buffer = body.getArgument(next++);
      outputs.push_back(buffer);
      if (inPlace[result] >= 0)
        bufferOf[kernel.getArgument(inPlace[result])] = buffer;
    }
  }

  /// Map from the domain to an operand that is aligned at the last dimension and may stretch.
  AffineMap alignedMap(ArrayRef<int64_t> shape) {
    SmallVector<AffineExpr> exprs;
    for (auto [index, size] : llvm::enumerate(shape)) {
      size_t dim = domain.size() - shape.size() + index;
      exprs.push_back(size == 1 && domain[dim] != 1 ? builder.getAffineConstantExpr(0) : builder.getAffineDimExpr(dim));
    }
    return AffineMap::get(domain.size(), 0, exprs, builder.getContext());
  }

  AffineMap inputMap(BlockArgument argument) {
    for (OpOperand &use : argument.getUses())
      if (isa<ten::OneHotOp>(use.getOwner()) && use.getOperandNumber() == 0)
        return AffineMap::get(domain.size(), 0, builder.getAffineDimExpr(0));
    return alignedMap(shapeOf(argument));
  }

  AffineMap outputMap(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<ten::Reduction>())
      return alignedMap(shapeOf(value));
    if (isa<ten::SumToLikeOp>(op))
      return alignedMap(shapeOf(value));
    SmallVector<int64_t> reduced = reducedDims(op);
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0, rank = domain.size(); dim < rank; ++dim)
      if (!llvm::is_contained(reduced, dim))
        exprs.push_back(builder.getAffineDimExpr(dim));
    return AffineMap::get(domain.size(), 0, exprs, builder.getContext());
  }

  void emitGeneric(ValueRange returned) {
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    SmallVector<BlockArgument> inputArguments;
    for (BlockArgument argument : kernel.getArguments()) {
      if (llvm::is_contained(inPlace, static_cast<int>(argument.getArgNumber())) || onlyMeasured(argument))
        continue;
      inputs.push_back(bufferOf[argument]);
      maps.push_back(inputMap(argument));
      inputArguments.push_back(argument);
    }
    SmallVector<utils::IteratorType> iterators(domain.size(), utils::IteratorType::parallel);
    for (auto [value, buffer] : llvm::zip(returned, outputs)) {
      maps.push_back(outputMap(value));
      if (Operation *op = value.getDefiningOp(); op && op->hasTrait<ten::Reduction>()) {
        for (int64_t dim : reducedDims(op))
          iterators[dim] = utils::IteratorType::reduction;
        Type element = cast<MemRefType>(buffer.getType()).getElementType();
        builder.create<linalg::FillOp>(op->getLoc(), emitNeutral(builder, op, element), buffer);
      }
    }
    emitSizes();
    builder.create<linalg::GenericOp>(kernel.getLoc(), inputs, outputs, maps, iterators,
                                      [&](OpBuilder &inner, Location location, ValueRange elements) {
                                        emitPoint(inner, location, inputArguments, elements, returned);
                                      });
  }

  /// An argument that is read for its sizes alone and cannot be indexed from this domain.
  static bool onlyMeasured(BlockArgument argument) {
    return llvm::all_of(argument.getUsers(), [](Operation *user) { return isa<ten::ExtentOp>(user); });
  }

  /// Sizes are known before the loop starts.
  void emitSizes() {
    for (auto extent : kernel.front().getOps<ten::ExtentOp>()) {
      Value buffer = bufferOf[extent.getOperand()];
      Value product = builder.create<arith::ConstantIndexOp>(extent.getLoc(), 1);
      for (int64_t dim : extent.getDims())
        product = builder.create<arith::MulIOp>(extent.getLoc(), product,
                                                builder.create<memref::DimOp>(extent.getLoc(), buffer, dim));
      Value integer = builder.create<arith::IndexCastOp>(extent.getLoc(), builder.getI64Type(), product);
      Type element = cast<RankedTensorType>(extent.getType()).getElementType();
      elementOf[extent.getResult()] = builder.create<arith::SIToFPOp>(extent.getLoc(), element, integer);
    }
  }

  /// The code of one iteration.
  void emitPoint(OpBuilder &inner, Location location, ArrayRef<BlockArgument> inputArguments, ValueRange elements,
                 ValueRange returned) {
    for (auto [argument, element] : llvm::zip(inputArguments, elements))
      elementOf[argument] = element;
    ValueRange current = elements.drop_front(inputArguments.size());
    for (auto [result, argument] : llvm::enumerate(inPlace))
      if (argument >= 0)
        elementOf[kernel.getArgument(argument)] = current[result];
    for (Operation &op : kernel.front().without_terminator())
      emitOp(inner, op);
    SmallVector<Value> yielded;
    for (auto [result, value] : llvm::enumerate(returned)) {
      Operation *op = value.getDefiningOp();
      yielded.push_back(op && op->hasTrait<ten::Reduction>()
                            ? emitAccumulate(inner, op, current[result], elementOf[op->getOperand(0)])
                            : elementOf[value]);
    }
    inner.create<linalg::YieldOp>(location, yielded);
  }

  void emitOp(OpBuilder &inner, Operation &op) {
    if (auto constant = dyn_cast<ten::ConstantOp>(op)) {
      Type element = cast<RankedTensorType>(constant.getType()).getElementType();
      TypedAttr number = isa<FloatType>(element)
                             ? TypedAttr(inner.getFloatAttr(element, constant.number()))
                             : TypedAttr(inner.getIntegerAttr(element, static_cast<int64_t>(constant.number())));
      elementOf[constant.getResult()] = inner.create<arith::ConstantOp>(op.getLoc(), number);
      return;
    }
    if (isa<ten::ExtentOp>(op) || op.hasTrait<ten::Reduction>())
      return;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(elementOf.lookup(operand));
    Value value = emitScalar(inner, &op, operands);
    if (!value)
      unsupported = &op;
    elementOf[op.getResult(0)] = value;
  }

  func::FuncOp kernel;
  ArrayRef<int> inPlace;
  OpBuilder &builder;
  ArrayRef<int64_t> domain;
  DenseMap<Value, Value> bufferOf;
  DenseMap<Value, Value> elementOf;
  SmallVector<Value> outputs;
  Operation *unsupported = nullptr;
};

} // namespace

ArrayRef<int64_t> kernelDomain(func::FuncOp kernel) {
  ArrayRef<int64_t> domain;
  for (Operation &op : kernel.front().without_terminator()) {
    ArrayRef<int64_t> shape = shapeOf(op.hasTrait<ten::Reduction>() ? op.getOperand(0) : op.getResult(0));
    if (!isa<ten::ConstantOp>(op))
      domain = shape;
  }
  return domain;
}

bool canRunInPlace(func::FuncOp kernel, unsigned argument, unsigned result) {
  Value value = kernel.front().getTerminator()->getOperand(result);
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> domain = kernelDomain(kernel);
  return op && op->hasTrait<ten::Pointwise>() && shapeOf(value) == domain &&
         shapeOf(kernel.getArgument(argument)) == domain && value.getType() == kernel.getArgument(argument).getType();
}

FailureOr<func::FuncOp> buildBufferKernel(func::FuncOp kernel, ArrayRef<int> inPlace, StringRef name,
                                          OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel);
  return KernelWriter(kernel, inPlace, builder).write(name);
}

} // namespace clm
