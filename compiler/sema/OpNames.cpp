#include "sema/Model.h"

namespace clm::sema {

std::string_view opName(Op op) {
  switch (op) {
  case Op::Read:
    return "read";
  case Op::Input:
    return "input";
  case Op::Label:
    return "label";
  case Op::Scalar:
    return "scalar";
  case Op::Noise:
    return "noise";
  case Op::Constant:
    return "constant";
  case Op::Add:
    return "add";
  case Op::Subtract:
    return "sub";
  case Op::Multiply:
    return "mul";
  case Op::Divide:
    return "div";
  case Op::Maximum:
    return "maximum";
  case Op::Minimum:
    return "minimum";
  case Op::Negate:
    return "neg";
  case Op::Exp:
    return "exp";
  case Op::Log:
    return "log";
  case Op::Sqrt:
    return "sqrt";
  case Op::Tanh:
    return "tanh";
  case Op::Sigmoid:
    return "sigmoid";
  case Op::Relu:
    return "relu";
  case Op::Abs:
    return "abs";
  case Op::Cosh:
    return "cosh";
  case Op::Clamp:
    return "clamp";
  case Op::Compare:
    return "compare";
  case Op::Select:
    return "select";
  case Op::Cast:
    return "cast";
  case Op::Detach:
    return "detach";
  case Op::Reshape:
    return "reshape";
  case Op::OneHot:
    return "one_hot";
  case Op::Extent:
    return "extent";
  case Op::Sum:
    return "reduce_sum";
  case Op::Max:
    return "reduce_max";
  case Op::MatMul:
    return "matmul";
  case Op::Apply:
    return "apply";
  case Op::Mask:
    break;
  }
  return "mask";
}

} // namespace clm::sema
