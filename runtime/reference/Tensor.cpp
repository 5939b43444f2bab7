/// \file
/// Shapes, broadcasting and its adjoint.

#include "runtime/reference/Tensor.h"

#include "runtime/module/UserError.h"

#include <algorithm>

namespace clm::runtime::reference {

Tensor::Tensor(Shape sizes, double value) : shape(std::move(sizes)), values(elementCount(shape), value) {}

Tensor::Tensor(Shape sizes, std::vector<double> elements) : shape(std::move(sizes)), values(std::move(elements)) {
  if (values.size() != elementCount(shape))
    throw InternalError("reference: a tensor has another number of elements than its shape says");
}

std::size_t elementCount(const Shape &shape) {
  std::size_t count = 1;
  for (std::int64_t size : shape)
    count *= static_cast<std::size_t>(size);
  return count;
}

Shape broadcastShape(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()));
  for (std::size_t fromEnd = 1; fromEnd <= result.size(); ++fromEnd) {
    std::int64_t sizeA = fromEnd <= a.size() ? a[a.size() - fromEnd] : 1;
    std::int64_t sizeB = fromEnd <= b.size() ? b[b.size() - fromEnd] : 1;
    if (sizeA != sizeB && sizeA != 1 && sizeB != 1)
      throw InternalError("reference: shapes do not broadcast");
    result[result.size() - fromEnd] = sizeA == 1 ? sizeB : sizeA;
  }
  return result;
}

std::vector<std::size_t> broadcastPositions(const Shape &from, const Shape &to) {
  if (broadcastShape(from, to) != to)
    throw InternalError("reference: a tensor cannot be broadcast to the wanted shape");
  // Steps of `from` along the dimensions of `to`: 0 where it is stretched.
  std::vector<std::size_t> steps(to.size(), 0);
  std::size_t step = 1;
  for (std::size_t fromEnd = 1; fromEnd <= from.size(); ++fromEnd) {
    std::int64_t size = from[from.size() - fromEnd];
    if (size != 1)
      steps[to.size() - fromEnd] = step;
    step *= static_cast<std::size_t>(size);
  }
  std::vector<std::size_t> positions(elementCount(to));
  std::vector<std::int64_t> index(to.size(), 0);
  std::size_t position = 0;
  for (std::size_t &entry : positions) {
    entry = position;
    for (std::size_t dimension = to.size(); dimension-- > 0;) {
      position += steps[dimension];
      if (++index[dimension] < to[dimension])
        break;
      position -= steps[dimension] * static_cast<std::size_t>(to[dimension]);
      index[dimension] = 0;
    }
  }
  return positions;
}

Tensor broadcastTo(const Tensor &value, const Shape &shape) {
  Tensor result(shape);
  std::vector<std::size_t> positions = broadcastPositions(value.shape, shape);
  for (std::size_t i = 0; i < positions.size(); ++i)
    result.values[i] = value.values[positions[i]];
  return result;
}

void accumulateInto(Tensor &sum, const Tensor &value) {
  std::vector<std::size_t> positions = broadcastPositions(sum.shape, value.shape);
  for (std::size_t i = 0; i < positions.size(); ++i)
    sum.values[positions[i]] += value.values[i];
}

} // namespace clm::runtime::reference
