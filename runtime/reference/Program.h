/// \file
/// A function of a spec as a flat list of instructions, for the reference executor. Made from forward `ten` before any
/// pass; knows neither MLIR nor torch.
#pragma once

#include "runtime/module/Manifest.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clm::runtime::reference {

using ValueId = std::int32_t;

/// One operation. `name` and the meaning of `ints`, `number`, `symbol` are those of the `ten` dialect:
///
/// - `constant` (number), of the shape of its type; `extent` (ints = dimensions): the product of their sizes, a scalar
/// - `add` `sub` `mul` `div` `maximum` `minimum`, `compare` (symbol lt, le, gt, ge, eq, ne), `select(c, a, b)`,
///   `clamp(x, low, high)`, with NumPy broadcasting
/// - `neg` `exp` `log` `sqrt` `tanh` `sigmoid` `relu` `abs` `cosh`, `cast`, `detach`
/// - `reshape` and `broadcast` to the shape of its type; `broadcast_like(x, like)` to like's shape;
///   `sum_to_like(x, like)`: x summed down to like's shape; `one_hot(labels [B], like [B, C])`
/// - `reduce_sum` `reduce_max` (ints = dimensions, which vanish)
/// - `matmul` (ints = {transposeA, transposeB}), rank 2
/// - `apply` (symbol = function name; operands = its inputs)
/// - `gradient(loss, p...)`: one result for each p, the derivative of the scalar loss
struct Instruction {
  std::string name;
  std::vector<ValueId> operands = {};
  std::vector<ValueId> results = {};
  std::vector<std::int64_t> ints = {};
  double number = 0;
  std::string symbol = {};
};

/// Arguments are values 0 .. argumentCount-1. Static type of every value: shape with -1 for sizes known at run time.
struct Function {
  std::string name;
  std::int32_t argumentCount = 0;
  std::vector<TensorSpec> values;
  std::vector<Instruction> body;
  std::vector<ValueId> results;
};

/// A function with its own derivative: `derivative` takes the inputs, the result and its cotangent, and returns one
/// cotangent per input.
struct Program {
  std::vector<Function> functions;             // those of the manifest
  std::map<std::string, Function> applied;     // by symbol
  std::map<std::string, Function> derivatives; // by symbol
};

} // namespace clm::runtime::reference
