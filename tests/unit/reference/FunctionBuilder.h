/// \file
/// Writes functions of the reference executor in tests, one line an instruction.
#pragma once

#include "runtime/reference/Interpreter.h"
#include "runtime/reference/Program.h"
#include "runtime/reference/Tensor.h"

#include <string>
#include <utility>
#include <vector>

namespace clm::runtime::reference {

/// Arguments first, then instructions, then `returns`.
class FunctionBuilder {
public:
  Function function;

  explicit FunctionBuilder(std::string name = "tested") { function.name = std::move(name); }

  ValueId argument(TensorSpec type) {
    ++function.argumentCount;
    return value(std::move(type));
  }

  ValueId add(Instruction instruction, TensorSpec type) {
    ValueId result = value(std::move(type));
    instruction.results = {result};
    function.body.push_back(std::move(instruction));
    return result;
  }

  ValueId op(std::string name, std::vector<ValueId> operands, TensorSpec type) {
    return add({.name = std::move(name), .operands = std::move(operands)}, std::move(type));
  }

  std::vector<ValueId> gradient(ValueId loss, std::vector<ValueId> wanted) {
    Instruction instruction{.name = "gradient", .operands = {loss}};
    for (ValueId id : wanted) {
      instruction.operands.push_back(id);
      instruction.results.push_back(value(function.values[id]));
    }
    function.body.push_back(instruction);
    return instruction.results;
  }

  void returns(std::vector<ValueId> results) { function.results = std::move(results); }

private:
  ValueId value(TensorSpec type) {
    function.values.push_back(std::move(type));
    return static_cast<ValueId>(function.values.size() - 1);
  }
};

inline TensorSpec real(std::vector<std::int64_t> shape = {}) { return {CLM_FLOAT64, std::move(shape)}; }

} // namespace clm::runtime::reference
