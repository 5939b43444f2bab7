/// \file
/// See EntryPoints.h. The layout of `clm_tensor` is that of runtime/abi/clm_runtime.h.
#include "conversion/ExecToLlvm/EntryPoints.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "runtime/abi/clm_runtime.h"

using namespace mlir;

namespace clm {

namespace {

constexpr llvm::StringLiteral kRanks = "clm.ranks";

/// Number of LLVM arguments that a buffer of this rank became: two pointers, an offset, sizes, strides.
unsigned descriptorSize(int64_t rank) { return 3 + 2 * static_cast<unsigned>(rank); }

/// Writes the entry point of one exported function.
class EntryPointWriter {
public:
  EntryPointWriter(LLVM::LLVMFuncOp function, StringRef name)
      : function(function), builder(function), location(function.getLoc()), name(name) {
    pointer = LLVM::LLVMPointerType::get(function.getContext());
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    tensorStruct = LLVM::LLVMStructType::getLiteral(function.getContext(),
                                                    {pointer, i32, i32, LLVM::LLVMArrayType::get(i64, CLM_MAX_RANK)});
  }

  void write(int64_t argumentCount, ArrayRef<int64_t> ranks) {
    builder.setInsertionPointAfter(function);
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {pointer, pointer, pointer});
    auto entry = builder.create<LLVM::LLVMFuncOp>(location, ("clm_" + name).str(), type);
    Block *body = entry.addEntryBlock(builder);
    builder.setInsertionPointToEnd(body);
    SmallVector<Value> operands{body->getArgument(0)};
    for (auto [index, rank] : llvm::enumerate(ranks)) {
      auto position = static_cast<int64_t>(index);
      bool isArgument = position < argumentCount;
      appendBuffer(body->getArgument(isArgument ? 1 : 2), isArgument ? position : position - argumentCount, rank,
                   operands);
    }
    builder.create<LLVM::CallOp>(location, function, operands);
    builder.create<LLVM::ReturnOp>(location, ValueRange{});
  }

private:
  Value load(Type type, Value array, int64_t tensor, ArrayRef<LLVM::GEPArg> field) {
    SmallVector<LLVM::GEPArg> indices{static_cast<int32_t>(tensor)};
    indices.append(field.begin(), field.end());
    Value address = builder.create<LLVM::GEPOp>(location, pointer, tensorStruct, array, indices);
    return builder.create<LLVM::LoadOp>(location, type, address);
  }

  Value constant(int64_t value) {
    return builder.create<LLVM::ConstantOp>(location, builder.getI64Type(), builder.getI64IntegerAttr(value));
  }

  void appendBuffer(Value array, int64_t tensor, int64_t rank, SmallVectorImpl<Value> &operands) {
    Value data = load(pointer, array, tensor, {0});
    operands.append({data, data, constant(0)});
    SmallVector<Value> sizes, strides(rank);
    for (int64_t dim = 0; dim < rank; ++dim)
      sizes.push_back(load(builder.getI64Type(), array, tensor, {3, static_cast<int32_t>(dim)}));
    Value stride = constant(1);
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      strides[dim] = stride;
      if (dim > 0)
        stride = builder.create<LLVM::MulOp>(location, stride, sizes[dim]);
    }
    operands.append(sizes);
    operands.append(strides);
  }

  LLVM::LLVMFuncOp function;
  OpBuilder builder;
  Location location;
  StringRef name;
  Type pointer, tensorStruct;
};

/// Kernels write only into buffers that no other argument reaches; LLVM needs to know it to vectorize without checks.
void describeKernel(LLVM::LLVMFuncOp kernel, ArrayRef<int64_t> ranks) {
  Builder builder(kernel.getContext());
  unsigned position = 0;
  for (int64_t rank : ranks) {
    kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    kernel.setArgAttr(position + 1, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    position += descriptorSize(rank);
  }
  kernel.setPassthroughAttr(
      builder.getArrayAttr({builder.getStringAttr("noinline"), builder.getStringAttr("nounwind")}));
}

} // namespace

void recordRanks(ModuleOp module) {
  Builder builder(module.getContext());
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    SmallVector<int64_t> ranks;
    for (Type type : function.getArgumentTypes())
      if (auto memref = dyn_cast<MemRefType>(type))
        ranks.push_back(memref.getRank());
    function->setAttr(kRanks, builder.getDenseI64ArrayAttr(ranks));
  }
}

void addEntryPoints(ModuleOp module) {
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    if (function.isExternal())
      continue;
    auto ranks = function->getAttrOfType<DenseI64ArrayAttr>(kRanks);
    if (!ranks)
      continue;
    function.setLinkage(LLVM::Linkage::Internal);
    if (function->hasAttr("clm.kernel"))
      describeKernel(function, ranks);
    if (auto name = function->getAttrOfType<StringAttr>("clm.export"))
      EntryPointWriter(function, name).write(function->getAttrOfType<IntegerAttr>("clm.arguments").getInt(), ranks);
  }
}

} // namespace clm
