/// \file
/// What sema makes of a spec: the typed model. Layers are instantiated, comprehensions unrolled, rules resolved by
/// axis; what remains are table entries, settings, noise streams and a few functions over tensors. Plain data, no MLIR.
///
/// Axis identities are gone here: sema has used them to align operands (by inserting reshapes) and to find the axes a
/// rule acts on. Elementwise operations of this level broadcast as NumPy does (trailing dimensions, size 1).
#pragma once

#include "support/SourceFile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clm::sema {

/// Element types. Settings, schedules and other scalars are computed in `Float64`; tensors of the model in `Float32`.
/// An operation that mixes both has a `Float32` result, and sema inserts the `Cast`.
enum class ElementType { Float32, Float64, Int64, Bool };

/// One dimension: a fixed size, or one that is known only when the function is called.
struct Dimension {
  enum class Kind { Fixed, Batch, Classes } kind = Kind::Fixed;
  std::int64_t size = -1; // only for Fixed
  bool operator==(const Dimension &) const = default;
};

struct TensorType {
  ElementType element = ElementType::Float32;
  std::vector<Dimension> shape; // empty: a scalar (0-d tensor)
  bool operator==(const TensorType &) const = default;
};

/// Operations; each names one op of the `ten` dialect (or of `clm` for the leaves and `Mask`).
enum class Op {
  // Leaves
  Read,     // value of table entry `index`; a per-task entry is read at the current task
  Input,    // the batch: [Batch, ...input shape] Float32
  Label,    // the labels, local to the task: [Batch] Int64
  Scalar,   // Float64 scalar `symbol`: a run-time setting, or one of the built-in `progress`, `epoch`, `learning_rate`
  Noise,    // noise stream `index`
  Constant, // scalar `number` of the node's element type
  // Elementwise, with NumPy broadcasting
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  Minimum,
  Negate,
  Exp,
  Log,
  Sqrt,
  Tanh,
  Sigmoid,
  Relu,
  Abs,
  Cosh,
  Clamp,   // (x, low, high)
  Compare, // `symbol` in lt, le, gt, ge, eq, ne; Bool result
  Select,  // (Bool condition, a, b)
  Cast,    // between Float32, Float64 and Int64
  Detach,  // the value, without a derivative
  // Shape
  Reshape, // to the node's type; dynamic dimensions keep their order
  OneHot,  // (labels [B], like [B, C]) -> [B, C] of like's element type
  Extent,  // product of the sizes of dimensions `ints` of the operand, as a Float64 scalar
  // Reductions over dimensions `ints`, which vanish from the shape
  Sum,
  Max,
  // Contraction of two matrices: (a, b), `ints` = {transposeA, transposeB}
  MatMul,
  // Calls function `symbol` of `Model::derivativeFunctions` (inlined later, with its own derivative)
  Apply,
  // (value, gate): the gate multiplies the value along one axis; `ints` = {dimension of the value that the gate lies
  // on}
  Mask,
};

using NodeId = std::int32_t;

struct Node {
  Op op;
  std::vector<NodeId> operands;
  TensorType type;
  std::vector<std::int64_t> ints;
  double number = 0;
  std::string symbol;
  std::int32_t index = -1;
  SourceRange range;
};

/// A value under a name.
struct NamedNode {
  std::string name;
  NodeId node = -1;
};

/// A new value for a table entry.
struct Update {
  std::int32_t entry = -1;
  NodeId node = -1;
};

/// One gradient rule after expansion. Rules run in the order written.
struct GradientRule {
  enum class Kind { Scale, ClipNorm } kind = Kind::Scale;
  /// Scale: exactly one entry. ClipNorm: all entries under one norm.
  std::vector<std::int32_t> entries;
  /// Scale: the factor, already shaped to broadcast against the gradient. ClipNorm: the bound (Float64 scalar).
  NodeId value = -1;
  /// Position of the rule in the source, shared by all its expansions: names the probes of a stage.
  std::int32_t rule = 0;
  SourceRange range;
};

struct ClampRule {
  std::int32_t entry = -1;
  NodeId low = -1, high = -1;
};

/// Stochastic gradient descent without momentum: p <- p - learning_rate * gradient.
struct Optimizer {
  std::string kind = "sgd";
};

/// A function of the module. `nodes` is in topological order; which of the lists is used depends on `name`:
///
///   init        updates: first value of every shared entry
///   arrive      updates: first value of every per-task entry of the arriving task
///   step        losses, gradientRules, clamps, optimizer, trained; outputs: `logits`
///   evaluate    losses; outputs: `logits` (evaluation mode)
///   predict     outputs: `logits` (evaluation mode)
///   accumulate  updates: accumulators after one batch (absent when the method makes no pass over data)
///   finish      updates: state at the end of a task (absent without `after task`)
struct Function {
  std::string name;
  std::vector<Node> nodes;
  std::vector<NamedNode> losses; // scalars; their sum is minimized
  std::vector<NamedNode> outputs;
  std::vector<NamedNode> probes; // named intermediate values (`let`, `schedule`, sites), for golden replays
  std::vector<Update> updates;
  std::vector<GradientRule> gradientRules;
  std::vector<ClampRule> clamps;
  std::vector<std::int32_t> trained; // entries that get a gradient
  std::optional<Optimizer> optimizer;
};

/// `function f(x) = ... derivative (y, dy) -> ...`. `forward` maps inputs to the value; `derivative` maps the inputs,
/// then y and dy, to one cotangent per input. Inputs are `Read` nodes with `index` counting the arguments.
struct DerivativeFunction {
  std::string name;
  std::vector<TensorType> inputs;
  TensorType result;
  std::vector<Node> forwardNodes;
  NodeId forward = -1;
  std::vector<Node> derivativeNodes; // arguments: inputs..., y, dy
  std::vector<NodeId> cotangents;
};

enum class EntryRole { Parameter, State, Accumulator };

/// A row of the state table.
struct Entry {
  std::string path; // `net.fc1.w`, `e.h1`, `claimed.h1`, `clf.w`
  EntryRole role = EntryRole::Parameter;
  bool perTask = false;
  TensorType type; // a per-task entry: the type for one task; only its first dimension may be Classes
  /// Names of the axes, for reports: `net.fc1.out`.
  std::vector<std::string> axes;
  SourceRange range;
};

enum class Distribution { Uniform, Normal };

/// Standard noise (uniform on [0, 1) or standard normal); shifts and scales are ordinary nodes.
struct NoiseStream {
  std::string path; // `net.dropout.u`, `init/net.fc1.w`
  Distribution distribution = Distribution::Uniform;
  TensorType type;
};

/// A configuration parameter. Integers and booleans shape the program and are fixed when it is compiled; real numbers
/// are arguments of the compiled functions.
struct Setting {
  enum class Type { Real, Integer, Boolean } type = Type::Real;
  std::string name;   // `method.c`, `net.hidden`
  double value = 0;   // resolved: the model's argument or `--set`, else the default
  bool fixed = false; // Integer, Boolean, and reals that a shape or a compile-time decision depends on
  std::string origin; // `default`, `spec` or `command line`
};

/// What the runtime's training loop follows.
struct TrainPlan {
  std::int64_t epochs = 1;
  std::int64_t batch = 64;
  double validation = 0; // share of the training data held out
  double learningRate = 0.1;
  bool plateau = false;
  std::int64_t patience = 5;
  double factor = 3;
  double minimumRate = 1e-4;
  bool earlyStop = false; // stop when a decay would fall below minimumRate
  bool restoreBest = false;
  std::map<std::string, std::string> origins; // `epochs` -> `spec`
};

/// Pass over data before `finish`: `for batch in data(t)`, in stored order.
struct DataPass {
  bool train = true; // training or validation part
};

struct Model {
  std::string name;
  std::string data;                     // default data set, may be empty
  std::vector<std::int64_t> inputShape; // channels, rows, columns
  std::string scenario = "task_incremental";
  std::int64_t tasks = 0; // default number of tasks, 0 when the spec names none
  std::vector<Setting> settings;
  std::vector<Entry> entries;
  std::vector<NoiseStream> noise;
  std::vector<DerivativeFunction> derivativeFunctions;
  std::vector<Function> functions;
  std::vector<DataPass> passes;
  TrainPlan train;
};

/// Name of an operation as the `ten` dialect spells it (`add`, `one_hot`, `matmul`, ...).
std::string_view opName(Op op);

} // namespace clm::sema
