/// \file
/// The one tensor type of the reference executor: dense, row-major, in double precision. Int64 and Bool values are kept
/// as doubles too; those that occur (labels, sizes, 0 and 1) are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clm::runtime::reference {

/// Sizes of the dimensions. Empty: a scalar.
using Shape = std::vector<std::int64_t>;

struct Tensor {
  Shape shape;
  std::vector<double> values;

  /// A scalar zero.
  Tensor() : values(1) {}
  /// Filled with `value`.
  explicit Tensor(Shape shape, double value = 0);
  Tensor(Shape shape, std::vector<double> values);

  bool operator==(const Tensor &) const = default;
};

/// Product of the sizes; 1 for a scalar.
std::size_t elementCount(const Shape &shape);

/// The shape that NumPy broadcasting gives: aligned at the last dimension, size 1 (or a missing dimension) stretches.
/// Throws InternalError when the shapes do not fit.
Shape broadcastShape(const Shape &a, const Shape &b);

/// For every element of `to`, in row-major order, the position of the element of `from` that broadcasting puts there.
std::vector<std::size_t> broadcastPositions(const Shape &from, const Shape &to);

/// `value` stretched to `shape`.
Tensor broadcastTo(const Tensor &value, const Shape &shape);

/// Adds every element of `value` to the element of `sum` from which broadcasting `sum` would have taken it.
void accumulateInto(Tensor &sum, const Tensor &value);

} // namespace clm::runtime::reference
