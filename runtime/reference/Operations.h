/// \file
/// The table of operations of the reference executor: for each name what it computes and, written by hand a second
/// time, how a cotangent goes back through it. Shares nothing with the compiler's differentiation, which it checks.
///
/// `apply` and `gradient` are not here: they need the program, and Interpreter.cpp executes them.
#pragma once

#include "runtime/reference/Program.h"
#include "runtime/reference/Tensor.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace clm::runtime::reference {

/// One execution of an instruction: the values of its operands, and the static types of operands and result.
struct Call {
  const Instruction &instruction;
  std::vector<const Tensor *> operands;
  std::vector<const TensorSpec *> operandTypes;
  const TensorSpec &resultType;

  const Tensor &operand(std::size_t index) const { return *operands.at(index); }
};

/// One cotangent for each operand, of the operand's shape, to be added to; null where nobody asks for it.
using Cotangents = std::span<Tensor *const>;

struct Operation {
  std::size_t operandCount = 0;
  std::function<Tensor(const Call &call)> forward;
  /// Empty where no derivative flows: comparisons, `detach`, `one_hot`, `extent`, constants.
  std::function<void(const Call &call, const Tensor &result, const Tensor &cotangent, Cotangents cotangents)> backward;
};

using OperationTable = std::map<std::string, Operation, std::less<>>;

/// All operations, by name.
const OperationTable &operations();

/// The families, each of which adds its operations to the table.
void addElementwise(OperationTable &table);
void addReductions(OperationTable &table);
void addContractions(OperationTable &table);
void addShapes(OperationTable &table);

} // namespace clm::runtime::reference
