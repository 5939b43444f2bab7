/// \file
/// See TenToReference.h. An op becomes the instruction of its name; attributes that matter are copied.
#include "conversion/TenToReference/TenToReference.h"

#include "ten/Ten.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace clm {

using namespace runtime;

namespace {

TensorSpec specOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  TensorSpec spec;
  Type element = tensor.getElementType();
  spec.element = element.isF32()        ? CLM_FLOAT32
                 : element.isF64()      ? CLM_FLOAT64
                 : element.isInteger(1) ? CLM_BOOL
                                        : CLM_INT64;
  for (int64_t size : tensor.getShape())
    spec.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return spec;
}

/// Attributes of an op as the fields of an instruction.
void copyAttributes(Operation &op, reference::Instruction &instruction) {
  auto assign = [&](ArrayRef<int64_t> ints) { instruction.ints.assign(ints.begin(), ints.end()); };
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](ten::ConstantOp constant) { instruction.number = constant.number(); })
      .Case([&](ten::CompareOp compare) { instruction.symbol = ten::stringifyPredicate(compare.getPredicate()).str(); })
      .Case([&](ten::ReduceSumOp sum) { assign(sum.getDims()); })
      .Case([&](ten::ReduceMaxOp max) { assign(max.getDims()); })
      .Case([&](ten::ExtentOp extent) { assign(extent.getDims()); })
      .Case([&](ten::MatMulOp matmul) { assign({matmul.getTransposeLhs(), matmul.getTransposeRhs()}); })
      .Case([&](ten::ApplyOp apply) { instruction.symbol = apply.getForward().str(); });
}

} // namespace

bool convertToReference(func::FuncOp function, reference::Function &result, std::string &error) {
  DenseMap<Value, reference::ValueId> ids;
  auto number = [&](Value value) {
    ids[value] = static_cast<reference::ValueId>(result.values.size());
    result.values.push_back(specOf(value.getType()));
  };
  result.name = function.getSymName().str();
  result.argumentCount = static_cast<int32_t>(function.getNumArguments());
  for (Value argument : function.getArguments())
    number(argument);
  for (Operation &op : function.front().without_terminator()) {
    if (!isa<ten::TenDialect>(op.getDialect()) || isa<ten::KernelOp, ten::LaunchOp, ten::CallOp>(op)) {
      error = "the reference executor does not know " + op.getName().getStringRef().str();
      return false;
    }
    reference::Instruction instruction;
    instruction.name = op.getName().stripDialect().str();
    for (Value operand : op.getOperands())
      instruction.operands.push_back(ids.lookup(operand));
    for (Value value : op.getResults()) {
      number(value);
      instruction.results.push_back(ids.lookup(value));
    }
    copyAttributes(op, instruction);
    result.body.push_back(std::move(instruction));
  }
  for (Value value : function.front().getTerminator()->getOperands())
    result.results.push_back(ids.lookup(value));
  return true;
}

bool convertToReference(ModuleOp module, reference::Program &program, std::string &error) {
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    reference::Function converted;
    if (!convertToReference(function, converted, error))
      return false;
    StringRef name = function.getSymName();
    if (!function.isPrivate())
      program.functions.push_back(std::move(converted));
    else if (name.consume_back(".derivative"))
      program.derivatives[name.str()] = std::move(converted);
    else
      program.applied[name.str()] = std::move(converted);
  }
  return true;
}

} // namespace clm
