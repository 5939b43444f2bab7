/// \file
/// Conversion between the tensors of the binary interface and those of the interpreter.

#include "runtime/reference/ReferenceExecutable.h"

#include "runtime/module/UserError.h"
#include "runtime/reference/Interpreter.h"

#include <algorithm>

namespace clm::runtime::reference {

namespace {

template <typename Element>
void read(const clm_tensor &from, Tensor &to) {
  const Element *data = static_cast<const Element *>(from.data);
  std::copy(data, data + to.values.size(), to.values.begin());
}

template <typename Element>
void write(const Tensor &from, const clm_tensor &to) {
  std::transform(from.values.begin(), from.values.end(), static_cast<Element *>(to.data),
                 [](double value) { return static_cast<Element>(value); });
}

Shape shapeOf(const clm_tensor &tensor) { return Shape(tensor.sizes, tensor.sizes + tensor.rank); }

Tensor fromBoundary(const clm_tensor &tensor) {
  Tensor result(shapeOf(tensor));
  switch (tensor.element) {
  case CLM_FLOAT32:
    read<float>(tensor, result);
    return result;
  case CLM_FLOAT64:
    read<double>(tensor, result);
    return result;
  case CLM_INT64:
    read<std::int64_t>(tensor, result);
    return result;
  case CLM_BOOL:
    read<std::uint8_t>(tensor, result);
    return result;
  }
  throw InternalError("reference: an argument of unknown element type");
}

void toBoundary(const Tensor &value, const clm_tensor &tensor, const std::string &function) {
  if (value.shape != shapeOf(tensor))
    throw InternalError("reference: a result of `" + function + "` has another shape than its destination");
  switch (tensor.element) {
  case CLM_FLOAT32:
    return write<float>(value, tensor);
  case CLM_FLOAT64:
    return write<double>(value, tensor);
  case CLM_INT64:
    return write<std::int64_t>(value, tensor);
  case CLM_BOOL:
    return write<std::uint8_t>(value, tensor);
  }
  throw InternalError("reference: a result of unknown element type");
}

} // namespace

ReferenceExecutable::ReferenceExecutable(Manifest manifest, Program program)
    : Executable(std::move(manifest)), program(std::move(program)) {}

void ReferenceExecutable::call(const FunctionSpec &function, std::span<const clm_tensor> arguments,
                               std::span<const clm_tensor> results) {
  auto found = std::find_if(program.functions.begin(), program.functions.end(),
                            [&](const Function &candidate) { return candidate.name == function.name; });
  if (found == program.functions.end())
    throw InternalError("reference: the program has no function `" + function.name + "`");

  std::vector<Tensor> values;
  for (const clm_tensor &argument : arguments)
    values.push_back(fromBoundary(argument));
  std::vector<Tensor> computed = execute(program, *found, std::move(values));
  if (computed.size() != function.results.size())
    throw InternalError("reference: `" + function.name + "` has another number of results than its signature");

  std::size_t untied = 0;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    int argument = function.results[i].argument;
    if (argument < 0 && untied == results.size())
      throw InternalError("reference: `" + function.name + "` is called with too few results");
    const clm_tensor &target = argument >= 0 ? arguments[static_cast<std::size_t>(argument)] : results[untied++];
    toBoundary(computed[i], target, function.name);
  }
}

} // namespace clm::runtime::reference
