/// \file
/// One small function for each op of the `ten` dialect that has a derivative. A new op joins the tests by adding its
/// case here; the tests fail for an op without one.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace clm::test {

struct OpCase {
  std::string op; // as `ten.add`
  /// Body of a function: arguments, the op that defines `%r`, and the type of `%r`. Elements are f64.
  std::string arguments;
  std::string body;
  std::string result;
  /// Arguments are drawn from [low, high).
  double low = -2, high = 2;
};

inline void PrintTo(const OpCase &test, std::ostream *stream) { *stream << test.op; }

inline std::vector<OpCase> opCases() {
  std::vector<OpCase> cases;
  for (const char *op : {"add", "sub", "mul", "maximum", "minimum"}) {
    std::string name = std::string("ten.") + op;
    cases.push_back({name, "%a: tensor<3x4xf64>, %b: tensor<3x4xf64>",
                     "%r = " + name + " %a, %b : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>",
                     "tensor<3x4xf64>"});
    // Stretched on both sides, one operand of lower rank.
    cases.push_back({name, "%a: tensor<2x3x1xf64>, %b: tensor<1x5xf64>",
                     "%r = " + name + " %a, %b : (tensor<2x3x1xf64>, tensor<1x5xf64>) -> tensor<2x3x5xf64>",
                     "tensor<2x3x5xf64>"});
    cases.push_back({name, "%a: tensor<f64>, %b: tensor<4xf64>",
                     "%r = " + name + " %a, %b : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>", "tensor<4xf64>"});
  }
  cases.push_back({"ten.div", "%a: tensor<3x1xf64>, %b: tensor<4xf64>",
                   "%r = ten.div %a, %b : (tensor<3x1xf64>, tensor<4xf64>) -> tensor<3x4xf64>", "tensor<3x4xf64>", 0.5,
                   2});
  for (const char *op : {"neg", "exp", "tanh", "sigmoid", "relu", "abs", "cosh"}) {
    std::string name = std::string("ten.") + op;
    cases.push_back({name, "%a: tensor<3x5xf64>", "%r = " + name + " %a : (tensor<3x5xf64>) -> tensor<3x5xf64>",
                     "tensor<3x5xf64>"});
  }
  for (const char *op : {"log", "sqrt"}) {
    std::string name = std::string("ten.") + op;
    cases.push_back({name, "%a: tensor<7xf64>", "%r = " + name + " %a : (tensor<7xf64>) -> tensor<7xf64>",
                     "tensor<7xf64>", 0.3, 3});
  }
  cases.push_back({"ten.clamp", "%a: tensor<4x3xf64>, %l: tensor<f64>, %h: tensor<3xf64>",
                   "%three = ten.constant 3.0 : tensor<f64>\n"
                   "%high = ten.add %h, %three : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>\n"
                   "%r = ten.clamp %a, %l, %high : (tensor<4x3xf64>, tensor<f64>, tensor<3xf64>) -> tensor<4x3xf64>",
                   "tensor<4x3xf64>"});
  cases.push_back({"ten.select", "%a: tensor<4xf64>, %b: tensor<3x4xf64>, %c: tensor<3x1xf64>",
                   "%p = ten.compare lt %a, %b : (tensor<4xf64>, tensor<3x4xf64>) -> tensor<3x4xi1>\n"
                   "%r = ten.select %p, %b, %c : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xf64>",
                   "tensor<3x4xf64>"});
  cases.push_back({"ten.cast", "%a: tensor<5xf64>",
                   "%s = ten.cast %a : (tensor<5xf64>) -> tensor<5xf32>\n"
                   "%r = ten.cast %s : (tensor<5xf32>) -> tensor<5xf64>",
                   "tensor<5xf64>"});
  cases.push_back({"ten.broadcast", "%a: tensor<3x1xf64>",
                   "%r = ten.broadcast %a : (tensor<3x1xf64>) -> tensor<2x3x4xf64>", "tensor<2x3x4xf64>"});
  cases.push_back({"ten.broadcast_like", "%a: tensor<1x4xf64>, %l: tensor<3x4xf64>",
                   "%r = ten.broadcast_like %a, %l : (tensor<1x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>",
                   "tensor<3x4xf64>"});
  cases.push_back({"ten.sum_to_like", "%a: tensor<2x3x4xf64>, %l: tensor<3x1xf64>",
                   "%r = ten.sum_to_like %a, %l : (tensor<2x3x4xf64>, tensor<3x1xf64>) -> tensor<3x1xf64>",
                   "tensor<3x1xf64>"});
  for (const char *op : {"reduce_sum", "reduce_max"}) {
    std::string name = std::string("ten.") + op;
    cases.push_back({name, "%a: tensor<3x4x2xf64>",
                     "%r = " + name + " %a over [0, 2] : (tensor<3x4x2xf64>) -> tensor<4xf64>", "tensor<4xf64>"});
    cases.push_back({name, "%a: tensor<3x4xf64>", "%r = " + name + " %a over [0, 1] : (tensor<3x4xf64>) -> tensor<f64>",
                     "tensor<f64>"});
  }
  cases.push_back({"ten.reshape", "%a: tensor<3x4xf64>", "%r = ten.reshape %a : (tensor<3x4xf64>) -> tensor<2x6xf64>",
                   "tensor<2x6xf64>"});
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true}) {
      std::string a = transposeA ? "tensor<4x3xf64>" : "tensor<3x4xf64>";
      std::string b = transposeB ? "tensor<5x4xf64>" : "tensor<4x5xf64>";
      cases.push_back({"ten.matmul", "%a: " + a + ", %b: " + b,
                       std::string("%r = ten.matmul %a, %b {transposeLhs = ") + (transposeA ? "true" : "false") +
                           ", transposeRhs = " + (transposeB ? "true" : "false") + "} : (" + a + ", " + b +
                           ") -> tensor<3x5xf64>",
                       "tensor<3x5xf64>"});
    }
  cases.push_back({"ten.apply", "%a: tensor<4xf64>",
                   "%r = ten.apply @cube derivative @cube.derivative(%a) : (tensor<4xf64>) -> tensor<4xf64>",
                   "tensor<4xf64>"});
  return cases;
}

/// Functions that cases may refer to.
inline const char *const kCaseFunctions = R"(
func.func private @cube(%x: tensor<4xf64>) -> tensor<4xf64> {
  %s = ten.mul %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %c = ten.mul %s, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %c : tensor<4xf64>
}
func.func private @cube.derivative(%x: tensor<4xf64>, %y: tensor<4xf64>, %dy: tensor<4xf64>) -> tensor<4xf64> {
  %three = ten.constant 3.0 : tensor<f64>
  %s = ten.mul %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %t = ten.mul %s, %three : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %d = ten.mul %t, %dy : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %d : tensor<4xf64>
}
)";

} // namespace clm::test
