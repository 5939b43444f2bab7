/// \file
/// The interpreter and its tape. The values of all instructions executed so far are kept; `gradient` walks them
/// backwards.

#include "runtime/reference/Interpreter.h"

#include "runtime/module/UserError.h"
#include "runtime/reference/Operations.h"

#include <algorithm>
#include <optional>

namespace clm::runtime::reference {

namespace {

const Function &find(const std::map<std::string, Function> &functions, const std::string &symbol) {
  auto found = functions.find(symbol);
  if (found == functions.end())
    throw InternalError("reference: `apply` of the unknown function `" + symbol + "`");
  return found->second;
}

/// One execution of a function.
class Frame {
public:
  Frame(const Program &program, const Function &function, std::vector<Tensor> arguments)
      : program(program), function(function), values(function.values.size()) {
    if (arguments.size() != static_cast<std::size_t>(function.argumentCount))
      throw InternalError("reference: `" + function.name + "` is called with another number of arguments");
    std::move(arguments.begin(), arguments.end(), values.begin());
  }

  std::vector<Tensor> run() {
    for (const Instruction &instruction : function.body) {
      if (instruction.name == "gradient")
        executeGradient(instruction);
      else if (instruction.name == "apply")
        executeApply(instruction);
      else
        executeOperation(instruction);
      ++executed;
    }
    std::vector<Tensor> results;
    results.reserve(function.results.size());
    for (ValueId result : function.results)
      results.push_back(value(result));
    return results;
  }

private:
  const Program &program;
  const Function &function;
  std::vector<std::optional<Tensor>> values; // by ValueId; empty until the value is computed
  std::size_t executed = 0;                  // instructions of the body: the tape

  const Tensor &value(ValueId id) const {
    const std::optional<Tensor> &found = values.at(static_cast<std::size_t>(id));
    if (!found)
      throw InternalError("reference: `" + function.name + "` reads a value before it is computed");
    return *found;
  }

  void define(ValueId id, Tensor tensor) { values.at(static_cast<std::size_t>(id)) = std::move(tensor); }

  const TensorSpec &type(ValueId id) const { return function.values.at(static_cast<std::size_t>(id)); }

  Call callOf(const Instruction &instruction) const {
    Call call{instruction, {}, {}, type(instruction.results.at(0))};
    for (ValueId operand : instruction.operands) {
      call.operands.push_back(&value(operand));
      call.operandTypes.push_back(&type(operand));
    }
    return call;
  }

  void executeOperation(const Instruction &instruction) {
    auto found = operations().find(instruction.name);
    if (found == operations().end())
      throw InternalError("reference: unknown operation `" + instruction.name + "`");
    if (found->second.operandCount != instruction.operands.size())
      throw InternalError("reference: `" + instruction.name + "` has another number of operands");
    define(instruction.results.at(0), found->second.forward(callOf(instruction)));
  }

  std::vector<Tensor> operandValues(const Instruction &instruction) const {
    std::vector<Tensor> operands;
    operands.reserve(instruction.operands.size());
    for (ValueId operand : instruction.operands)
      operands.push_back(value(operand));
    return operands;
  }

  void executeApply(const Instruction &instruction) {
    const Function &applied = find(program.applied, instruction.symbol);
    std::vector<Tensor> results = execute(program, applied, operandValues(instruction));
    define(instruction.results.at(0), std::move(results.at(0)));
  }

  void executeGradient(const Instruction &instruction) {
    std::vector<ValueId> wanted(instruction.operands.begin() + 1, instruction.operands.end());
    std::vector<std::optional<Tensor>> cotangents = walkBack(instruction.operands.at(0), wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::optional<Tensor> &cotangent = cotangents[static_cast<std::size_t>(wanted[i])];
      // A copy: two of the wanted values may be the same.
      define(instruction.results.at(i), cotangent ? *cotangent : Tensor(value(wanted[i]).shape));
    }
  }

  /// Which values depend on one of `wanted` (and are among them): no other cotangent is computed.
  std::vector<bool> dependOn(const std::vector<ValueId> &wanted) const {
    std::vector<bool> depends(values.size(), false);
    for (ValueId id : wanted)
      depends.at(static_cast<std::size_t>(id)) = true;
    for (std::size_t step = 0; step < executed; ++step) {
      const Instruction &instruction = function.body[step];
      bool any = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                             [&](ValueId operand) { return depends[static_cast<std::size_t>(operand)]; });
      for (ValueId result : instruction.results)
        if (any)
          depends[static_cast<std::size_t>(result)] = true;
    }
    return depends;
  }

  /// The cotangents of all values on the way from `loss` back to `wanted`, by ValueId.
  std::vector<std::optional<Tensor>> walkBack(ValueId loss, const std::vector<ValueId> &wanted) const {
    if (!value(loss).shape.empty())
      throw InternalError("reference: the gradient of a value that is not a scalar");
    std::vector<bool> depends = dependOn(wanted);
    std::vector<std::optional<Tensor>> cotangents(values.size());
    if (depends[static_cast<std::size_t>(loss)])
      cotangents[static_cast<std::size_t>(loss)] = Tensor({}, 1);
    for (std::size_t step = executed; step-- > 0;) {
      const Instruction &instruction = function.body[step];
      for (ValueId result : instruction.results)
        if (cotangents[static_cast<std::size_t>(result)])
          walkBackThrough(instruction, result, depends, cotangents);
    }
    return cotangents;
  }

  void walkBackThrough(const Instruction &instruction, ValueId result, const std::vector<bool> &depends,
                       std::vector<std::optional<Tensor>> &cotangents) const {
    if (instruction.name == "gradient")
      throw InternalError("reference: the derivative of a derivative");
    std::vector<Tensor> found;
    found.reserve(instruction.operands.size());
    for (ValueId operand : instruction.operands)
      found.emplace_back(value(operand).shape);
    std::vector<Tensor *> targets;
    targets.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      targets.push_back(depends[static_cast<std::size_t>(instruction.operands[i])] ? &found[i] : nullptr);

    const Tensor &cotangent = *cotangents[static_cast<std::size_t>(result)];
    if (instruction.name == "apply") {
      std::vector<Tensor> arguments = operandValues(instruction);
      arguments.push_back(value(result));
      arguments.push_back(cotangent);
      std::vector<Tensor> own = execute(program, find(program.derivatives, instruction.symbol), std::move(arguments));
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (targets[i])
          accumulateInto(*targets[i], own.at(i));
    } else if (const Operation &operation = operations().at(instruction.name); operation.backward) {
      operation.backward(callOf(instruction), value(result), cotangent, targets);
    } else {
      return;
    }
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i])
        addCotangent(cotangents[static_cast<std::size_t>(instruction.operands[i])], std::move(found[i]));
  }

  static void addCotangent(std::optional<Tensor> &sum, Tensor cotangent) {
    if (sum)
      accumulateInto(*sum, cotangent);
    else
      sum = std::move(cotangent);
  }
};

} // namespace

std::vector<Tensor> execute(const Program &program, const Function &function, std::vector<Tensor> arguments) {
  return Frame(program, function, std::move(arguments)).run();
}

} // namespace clm::runtime::reference
