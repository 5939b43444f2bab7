#include "sema/Builtins.h"

#include <algorithm>
#include <array>

namespace clm::sema {

namespace {

const std::vector<Builtin> &builtins() {
  using Kind = Builtin::Kind;
  using Reduction = Arithmetic::Reduction;
  static const std::vector<Builtin> table = {
      {"relu", Kind::Elementwise, {"x"}, Op::Relu},
      {"sigmoid", Kind::Elementwise, {"x"}, Op::Sigmoid},
      {"tanh", Kind::Elementwise, {"x"}, Op::Tanh},
      {"exp", Kind::Elementwise, {"x"}, Op::Exp},
      {"log", Kind::Elementwise, {"x"}, Op::Log},
      {"sqrt", Kind::Elementwise, {"x"}, Op::Sqrt},
      {"abs", Kind::Elementwise, {"x"}, Op::Abs},
      {"cosh", Kind::Elementwise, {"x"}, Op::Cosh},
      {"detach", Kind::Elementwise, {"x"}, Op::Detach},
      {"clamp", Kind::Elementwise, {"x", "low", "high"}, Op::Clamp},
      {"select", Kind::Elementwise, {"condition", "a", "b"}, Op::Select},
      {"max", Kind::Extremum, {"x"}, Op::Maximum, Reduction::Max},
      {"min", Kind::Extremum, {"x"}, Op::Minimum, Reduction::Min},
      {"sum", Kind::Total, {"x"}, Op::Add, Reduction::Sum},
      {"mean", Kind::Total, {"x"}, Op::Add, Reduction::Mean},
      {"flatten", Kind::Flatten, {"x"}},
      {"one_hot", Kind::OneHot, {"y", "classes"}},
      {"size", Kind::Size, {"x"}},
      {"anneal", Kind::Anneal, {"first", "last", "over"}},
      {"data", Kind::Data, {"task"}},
  };
  return table;
}

constexpr std::array<std::string_view, 22> plannedNames = {
    "argmax",  "batch_norm",  "classes_of", "concat",       "conv",       "cosine", "global_pool", "grad",
    "herding", "l1",          "layer_norm", "max_pool",     "new",        "old",    "previous",    "seen",
    "softmax", "standardize", "task_of",    "trunc_normal", "validation", "warmup",
};

} // namespace

const Builtin *findBuiltin(std::string_view name) {
  for (const Builtin &builtin : builtins())
    if (builtin.name == name)
      return &builtin;
  return nullptr;
}

bool isPlannedName(std::string_view name) {
  return std::find(plannedNames.begin(), plannedNames.end(), name) != plannedNames.end();
}

std::vector<std::string> builtinNames() {
  std::vector<std::string> names = {"training", "epoch"};
  for (const Builtin &builtin : builtins())
    names.emplace_back(builtin.name);
  return names;
}

} // namespace clm::sema
