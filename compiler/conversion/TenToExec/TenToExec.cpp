/// \file
/// Gives every value of a host function a buffer and every kernel launch its kernel over buffers. What may run in place
/// is decided here, because only here are both known: who still reads an argument, and how a kernel accesses it.
#include "conversion/Passes.h"
#include "conversion/TenToLinalg/KernelBuilder.h"

#include "exec/Exec.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ten/Sizes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace clm {
#define GEN_PASS_DEF_CONVERTTENTOEXEC
#include "conversion/Passes.h.inc"
namespace {

MemRefType bufferType(Value value) {
  auto tensor = cast<RankedTensorType>(value.getType());
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Kernels over buffers, one for each pair of a kernel and a pattern of results that share an input's buffer.
class KernelCache {
public:
  FailureOr<func::FuncOp> get(func::FuncOp kernel, ArrayRef<int> inPlace, OpBuilder &builder) {
    std::string name = kernel.getSymName().str() + "_buffers";
    for (auto [result, argument] : llvm::enumerate(inPlace))
      if (argument >= 0)
        name += "_" + std::to_string(result) + "in" + std::to_string(argument);
    auto [known, isNew] = kernels.try_emplace(name);
    if (isNew) {
      FailureOr<func::FuncOp> built = buildBufferKernel(kernel, inPlace, name, builder);
      if (failed(built))
        return failure();
      known->second = *built;
    }
    return known->second;
  }

private:
  llvm::StringMap<func::FuncOp> kernels;
};

/// Converts one host function.
class HostConverter {
public:
  HostConverter(func::FuncOp source, KernelCache &kernels) : source(source), kernels(kernels), builder(source) {}

  LogicalResult convert() {
    createFunction();
    planDestinations();
    for (Operation &op : source.front().without_terminator())
      if (failed(convertOp(op)))
        return failure();
    finish();
    return success();
  }

  unsigned inPlace = 0, copied = 0;

private:
  /// A returned value that was not computed where it belongs.
  struct Copy {
    Value value, home;
    bool tied;
    Value staged; // set when the source is an argument that may itself be overwritten
  };

  Operation *terminator() { return source.front().getTerminator(); }

  /// Index of the argument that a result is tied to.
  std::optional<unsigned> tiedArgument(unsigned result) {
    if (auto tied = source.getResultAttrOfType<IntegerAttr>(result, "clm.tied"))
      return static_cast<unsigned>(tied.getInt());
    return std::nullopt;
  }

  void createFunction() {
    SmallVector<Type> types{LLVM::LLVMPointerType::get(source.getContext())};
    for (BlockArgument argument : source.getArguments())
      types.push_back(bufferType(argument));
    for (auto [index, value] : llvm::enumerate(terminator()->getOperands()))
      if (!tiedArgument(index))
        types.push_back(bufferType(value));
    target = builder.create<func::FuncOp>(source.getLoc(), source.getSymName().str() + "_exec",
                                          builder.getFunctionType(types, {}));
    target->setAttr("clm.export", source.getSymNameAttr());
    target->setAttr("clm.arguments", builder.getI64IntegerAttr(source.getNumArguments()));
    Block *body = target.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    for (BlockArgument argument : source.getArguments())
      bufferOf[argument] = body->getArgument(argument.getArgNumber() + 1);
  }

  /// Chooses for each returned value whether it is computed where it belongs.
  void planDestinations() {
    unsigned next = source.getNumArguments() + 1;
    for (auto [index, value] : llvm::enumerate(terminator()->getOperands())) {
      std::optional<unsigned> tied = tiedArgument(index);
      Value home = tied ? bufferOf[source.getArgument(*tied)] : target.getArgument(next++);
      Operation *producer = value.getDefiningOp();
      bool direct = isa_and_nonnull<ten::LaunchOp, ten::MatMulOp>(producer) && !destination.contains(value);
      if (direct && tied)
        direct = noLaterRead(source.getArgument(*tied), cast<OpResult>(value));
      if (direct) {
        destination[value] = home;
        inPlace += tied.has_value();
      } else if (!tied || value != source.getArgument(*tied)) {
        copies.push_back({value, home, tied.has_value(), Value()});
        copied += tied.has_value();
      }
    }
  }

  /// Whether the old value of `argument` is dead once the producer of `value` has run, and the producer itself reads it
  /// only point by point.
  bool noLaterRead(BlockArgument argument, OpResult value) {
    Operation *producer = value.getOwner();
    for (OpOperand &use : argument.getUses()) {
      Operation *user = use.getOwner();
      if (user == terminator() || isa<ten::ReshapeOp>(user)) {
        // A view may be read anywhere; an argument that is also returned elsewhere must survive.
        if (user == terminator() || !llvm::all_of(user->getUsers(), [&](Operation *viewer) {
              return viewer != producer && viewer->isBeforeInBlock(producer) && !isa<ten::ReshapeOp>(viewer);
            }))
          return false;
        continue;
      }
      if (user != producer) {
        if (!user->isBeforeInBlock(producer))
          return false;
        continue;
      }
      auto launch = dyn_cast<ten::LaunchOp>(producer);
      if (!launch || !canRunInPlace(kernelOf(launch), use.getOperandNumber(), value.getResultNumber()))
        return false;
    }
    return true;
  }

  static func::FuncOp kernelOf(ten::LaunchOp launch) {
    return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  }

  /// Size of a dimension as an index, computed from the function's arguments.
  Value size(Value value, int64_t dim) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dim))
      return builder.create<arith::ConstantIndexOp>(value.getLoc(), type.getDimSize(dim));
    ten::DimensionSource origin = ten::dimensionSource(value, dim);
    Value &known = sizes[{origin.argument, origin.dim}];
    if (!known) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&target.front());
      known = builder.create<memref::DimOp>(value.getLoc(), bufferOf[origin.argument], origin.dim);
    }
    return known;
  }

  Value bufferFor(Value value) {
    if (Value home = destination.lookup(value))
      return bufferOf[value] = home;
    return bufferOf[value] = builder.create<exec::AllocOp>(value.getLoc(), bufferType(value), dynamicSizes(value));
  }

  SmallVector<Value> dynamicSizes(Value value) {
    SmallVector<Value> result;
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        result.push_back(size(value, dim));
    return result;
  }

  LogicalResult convertOp(Operation &op) {
    if (auto launch = dyn_cast<ten::LaunchOp>(op))
      return convertLaunch(launch);
    if (auto matmul = dyn_cast<ten::MatMulOp>(op)) {
      Value out = bufferFor(matmul.getResult());
      builder.create<exec::MatMulOp>(op.getLoc(), bufferOf[matmul.getLhs()], bufferOf[matmul.getRhs()], out,
                                     matmul.getTransposeLhs(), matmul.getTransposeRhs());
      return success();
    }
    if (auto reshape = dyn_cast<ten::ReshapeOp>(op)) {
      bufferOf[reshape.getResult()] = view(reshape);
      return success();
    }
    return op.emitOpError("is not in a kernel; run ten-form-kernels and ten-outline-kernels first");
  }

  LogicalResult convertLaunch(ten::LaunchOp launch) {
    func::FuncOp kernel = kernelOf(launch);
    SmallVector<int> shared(launch.getNumResults(), -1);
    for (OpResult result : launch.getOutputs())
      if (Value home = destination.lookup(result))
        for (OpOperand &operand : launch->getOpOperands())
          if (bufferOf[operand.get()] == home)
            shared[result.getResultNumber()] = static_cast<int>(operand.getOperandNumber());
    SmallVector<Value> buffers;
    for (OpOperand &operand : launch->getOpOperands())
      if (!llvm::is_contained(shared, static_cast<int>(operand.getOperandNumber())))
        buffers.push_back(bufferOf[operand.get()]);
    for (Value result : launch.getOutputs())
      buffers.push_back(bufferFor(result));
    FailureOr<func::FuncOp> function = kernels.get(kernel, shared, builder);
    if (failed(function))
      return failure();
    builder.create<exec::LaunchOp>(launch.getLoc(), function->getSymName(), buffers);
    return success();
  }

  Value view(ten::ReshapeOp reshape) {
    Value result = reshape.getResult();
    MemRefType type = bufferType(result);
    SmallVector<OpFoldResult> viewSizes, strides(type.getRank());
    OpFoldResult stride = builder.getIndexAttr(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      viewSizes.push_back(type.isDynamicDim(dim) ? OpFoldResult(size(result, dim))
                                                 : OpFoldResult(builder.getIndexAttr(type.getDimSize(dim))));
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      strides[dim] = stride;
      stride = multiply(reshape.getLoc(), stride, viewSizes[dim]);
    }
    return builder.create<memref::ReinterpretCastOp>(reshape.getLoc(), type, bufferOf[reshape.getOperand()],
                                                     OpFoldResult(builder.getIndexAttr(0)), viewSizes, strides);
  }

  OpFoldResult multiply(Location location, OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> constantA = getConstantIntValue(a), constantB = getConstantIntValue(b);
    if (constantA && constantB)
      return builder.getIndexAttr(*constantA * *constantB);
    return builder
        .create<arith::MulIOp>(location, getValueOrCreateConstantIndexOp(builder, location, a),
                               getValueOrCreateConstantIndexOp(builder, location, b))
        .getResult();
  }

  /// Copies run at the end, outputs first: they may show the old value of an argument that another copy overwrites.
  void finish() {
    Location location = source.getLoc();
    llvm::stable_sort(copies, [&](const auto &a, const auto &b) { return a.tied < b.tied; });
    for (Copy &copy : copies)
      if (copy.tied && isa<BlockArgument>(copy.value)) {
        Value kept =
            builder.create<exec::AllocOp>(location, cast<MemRefType>(copy.home.getType()), dynamicSizes(copy.value));
        builder.create<memref::CopyOp>(location, bufferOf[copy.value], kept);
        copy.staged = kept;
      }
    for (const Copy &copy : copies)
      builder.create<memref::CopyOp>(location, copy.staged ? copy.staged : bufferOf[copy.value], copy.home);
    builder.create<func::ReturnOp>(location);
  }

  func::FuncOp source, target;
  KernelCache &kernels;
  OpBuilder builder;
  DenseMap<Value, Value> bufferOf;
  DenseMap<Value, Value> destination;
  DenseMap<std::pair<Value, int64_t>, Value> sizes;
  SmallVector<Copy> copies;
};

struct ConvertTenToExec : impl::ConvertTenToExecBase<ConvertTenToExec> {
  void runOnOperation() override {
    KernelCache kernels;
    SmallVector<func::FuncOp> sources;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      sources.push_back(function);
    for (func::FuncOp function : sources) {
      if (function->hasAttr("clm.kernel"))
        continue;
      HostConverter converter(function, kernels);
      if (failed(converter.convert()))
        return signalPassFailure();
      inPlace += converter.inPlace;
      copied += converter.copied;
    }
    for (func::FuncOp function : sources)
      function.erase();
  }
};

} // namespace
} // namespace clm
