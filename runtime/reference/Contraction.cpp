/// \file
/// The product of two matrices, each of which may be given transposed.

#include "runtime/reference/Operations.h"

#include "runtime/module/UserError.h"

namespace clm::runtime::reference {

namespace {

/// A matrix seen through its transposition flag.
struct Matrix {
  std::int64_t rows, columns;
  std::int64_t rowStep, columnStep;

  Matrix(const Shape &shape, bool transposed) {
    if (shape.size() != 2)
      throw InternalError("reference: `matmul` of a tensor that is not a matrix");
    rows = transposed ? shape[1] : shape[0];
    columns = transposed ? shape[0] : shape[1];
    rowStep = transposed ? 1 : shape[1];
    columnStep = transposed ? shape[1] : 1;
  }

  std::size_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * rowStep + column * columnStep);
  }
};

struct Product {
  Matrix a, b;

  explicit Product(const Call &call)
      : a(call.operand(0).shape, call.instruction.ints.at(0) != 0),
        b(call.operand(1).shape, call.instruction.ints.at(1) != 0) {
    if (a.columns != b.rows)
      throw InternalError("reference: the matrices of `matmul` do not fit");
  }

  /// Calls `visit(row, inner, column)` for every product of elements.
  template <typename Visit>
  void forEach(Visit visit) const {
    for (std::int64_t row = 0; row < a.rows; ++row)
      for (std::int64_t inner = 0; inner < a.columns; ++inner)
        for (std::int64_t column = 0; column < b.columns; ++column)
          visit(row, inner, column);
  }

  std::size_t resultAt(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * b.columns + column);
  }
};

Tensor forwardMatmul(const Call &call) {
  Product product(call);
  Tensor result({product.a.rows, product.b.columns});
  const double *a = call.operand(0).values.data(), *b = call.operand(1).values.data();
  product.forEach([&](std::int64_t row, std::int64_t inner, std::int64_t column) {
    result.values[product.resultAt(row, column)] += a[product.a.at(row, inner)] * b[product.b.at(inner, column)];
  });
  return result;
}

void backwardMatmul(const Call &call, const Tensor &, const Tensor &cotangent, Cotangents cotangents) {
  Product product(call);
  const double *a = call.operand(0).values.data(), *b = call.operand(1).values.data();
  const double *g = cotangent.values.data();
  if (cotangents[0])
    product.forEach([&](std::int64_t row, std::int64_t inner, std::int64_t column) {
      cotangents[0]->values[product.a.at(row, inner)] +=
          g[product.resultAt(row, column)] * b[product.b.at(inner, column)];
    });
  if (cotangents[1])
    product.forEach([&](std::int64_t row, std::int64_t inner, std::int64_t column) {
      cotangents[1]->values[product.b.at(inner, column)] +=
          g[product.resultAt(row, column)] * a[product.a.at(row, inner)];
    });
}

} // namespace

void addContractions(OperationTable &table) { table["matmul"] = {2, forwardMatmul, backwardMatmul}; }

} // namespace clm::runtime::reference
