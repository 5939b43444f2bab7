/// \file
/// Axes: identities of tensor dimensions. The output axis of one layer is the input axis of the next; two axes of equal
/// size are still different, and rules find parameters by the axes they carry.
#pragma once

#include "sema/Model.h"

#include <functional>
#include <memory>

namespace clm::sema {

struct Axis {
  /// Where the name stands in reports: `net.fc1.out`; the factors joined by `*` for a flattened axis.
  std::string name;
  Dimension dimension;
  /// Where the axis was made.
  SourceRange range;
  /// Axes that were flattened into this one, slowest first; empty otherwise.
  std::vector<const Axis *> factors;

  bool isFixed() const { return dimension.kind == Dimension::Kind::Fixed; }
};

using AxisRef = const Axis *;
using AxisList = std::vector<AxisRef>;

/// Owns the axes of one model. Asking again for a name or for a product of axes gives the same axis, so that a network
/// elaborated twice has the same parameters.
class AxisPool {
public:
  /// The axis `name`, made with `dimension` when it is new. Where the name has another size, it is extended by its own.
  AxisRef named(const std::string &name, Dimension dimension, SourceRange range);
  /// The axis of `factors` flattened in row-major order. All are fixed; one factor is returned as it is.
  AxisRef product(const AxisList &factors, SourceRange range);

private:
  std::map<std::string, std::unique_ptr<Axis>> byName;
  std::map<AxisList, std::unique_ptr<Axis>> products;
};

/// Tensors with more elements are refused; a size above the bound is a mistake, and products stay far from overflow.
inline constexpr std::int64_t maximalElements = std::int64_t{1} << 40;

/// Number of elements over the fixed axes, or nothing when it exceeds `maximalElements`.
std::optional<std::int64_t> countElements(const AxisList &axes);

/// Position of `axis` in `axes`, or -1.
int positionOf(AxisRef axis, const AxisList &axes);

/// Whether every axis of `part` stands in `whole`.
bool containsAll(const AxisList &whole, const AxisList &part);

/// Whether `part` can be made from `whole` by leaving axes out.
bool isSubsequence(const AxisList &part, const AxisList &whole);

std::vector<Dimension> shapeOf(const AxisList &axes);

/// `net.fc1.out (100)`; `the batch axis`; `clf.out (the classes of the task)`.
std::string describe(AxisRef axis);

} // namespace clm::sema
