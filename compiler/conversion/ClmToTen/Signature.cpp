/// \file
/// See Signature.h.
#include "conversion/ClmToTen/Signature.h"

using namespace mlir;

namespace clm {

Value Signature::argument(StringRef kind, StringRef name, Type type, ArrayRef<int64_t> shape, Location location) {
  auto same = [&](const Argument &known) { return known.kind == kind && known.name == name; };
  if (auto *known = llvm::find_if(arguments, same); known != arguments.end())
    return known->value;
  Builder builder(location.getContext());
  Value value = body.addArgument(type, location);
  DictionaryAttr attributes =
      builder.getDictionaryAttr({builder.getNamedAttr(signature::kKind, builder.getStringAttr(kind)),
                                 builder.getNamedAttr(signature::kName, builder.getStringAttr(name)),
                                 builder.getNamedAttr(signature::kShape, builder.getDenseI64ArrayAttr(shape))});
  arguments.push_back({kind.str(), name.str(), value, attributes});
  return value;
}

decl::EntryOp Signature::declaration(StringRef entry) const {
  return cast<decl::EntryOp>(SymbolTable::lookupSymbolIn(model, entry));
}

Value Signature::entry(StringRef name, Location location) {
  decl::EntryOp op = declaration(name);
  return argument("entry", name, op.getType(), op.getShape(), location);
}

/// Sizes of a value whose only dynamic dimension is the batch.
static SmallVector<int64_t> batchShape(Type type) {
  SmallVector<int64_t> shape;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return shape;
}

Value Signature::input(Type type, Location location) { return argument("input", "", type, batchShape(type), location); }

Value Signature::label(Type type, Location location) { return argument("label", "", type, batchShape(type), location); }

Value Signature::scalar(StringRef name, Location location) {
  Builder builder(location.getContext());
  return argument("scalar", name, RankedTensorType::get({}, builder.getF64Type()), {}, location);
}

Value Signature::noise(StringRef name, Location location) {
  auto op = cast<decl::NoiseOp>(SymbolTable::lookupSymbolIn(model, name));
  return argument("noise", name, op.getType(), op.getShape(), location);
}

void Signature::addOutput(const Twine &name, Value value, ArrayRef<int64_t> shape) {
  Builder builder(value.getContext());
  results.push_back({value, builder.getDictionaryAttr(
                                {builder.getNamedAttr(signature::kName, builder.getStringAttr(name)),
                                 builder.getNamedAttr(signature::kShape, builder.getDenseI64ArrayAttr(shape))})});
}

void Signature::addUpdate(StringRef entryName, Value value, bool first) {
  Builder builder(value.getContext());
  SmallVector<NamedAttribute> attributes{
      builder.getNamedAttr(signature::kName, builder.getStringAttr(entryName)),
      builder.getNamedAttr(signature::kShape, builder.getDenseI64ArrayAttr(declaration(entryName).getShape()))};
  if (first)
    attributes.push_back(builder.getNamedAttr(signature::kFirst, builder.getUnitAttr()));
  else {
    auto argumentValue = cast<BlockArgument>(entry(entryName, value.getLoc()));
    attributes.push_back(
        builder.getNamedAttr(signature::kTied, builder.getI64IntegerAttr(argumentValue.getArgNumber())));
  }
  results.push_back({value, builder.getDictionaryAttr(attributes)});
}

void Signature::finish(OpBuilder &builder, func::FuncOp function) {
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  for (const Argument &argument : arguments)
    argumentAttributes.push_back(argument.attributes);
  for (const Result &result : results) {
    values.push_back(result.value);
    resultAttributes.push_back(result.attributes);
  }
  builder.create<func::ReturnOp>(function.getLoc(), values);
  function.setType(builder.getFunctionType(body.getArgumentTypes(), ValueRange(values).getTypes()));
  function.setAllArgAttrs(argumentAttributes);
  function.setAllResultAttrs(resultAttributes);
}

} // namespace clm
