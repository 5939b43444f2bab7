#include "sema/Axes.h"

#include <fmt/format.h>

#include <algorithm>

namespace clm::sema {

AxisRef AxisPool::named(const std::string &name, Dimension dimension, SourceRange range) {
  std::unique_ptr<Axis> &axis = byName[name];
  if (axis && axis->dimension != dimension) // `k` of another member of a family
    return named(name + "_" + (dimension.size < 0 ? "classes" : std::to_string(dimension.size)), dimension, range);
  if (!axis)
    axis = std::make_unique<Axis>(Axis{name, dimension, range, {}});
  return axis.get();
}

AxisRef AxisPool::product(const AxisList &factors, SourceRange range) {
  if (factors.size() == 1)
    return factors.front();
  AxisList flat;
  for (AxisRef factor : factors)
    if (factor->factors.empty())
      flat.push_back(factor);
    else
      flat.insert(flat.end(), factor->factors.begin(), factor->factors.end());
  std::unique_ptr<Axis> &axis = products[flat];
  if (!axis) {
    axis = std::make_unique<Axis>(Axis{{}, {Dimension::Kind::Fixed, 1}, range, flat});
    for (AxisRef factor : flat) {
      axis->name += (axis->name.empty() ? "" : "*") + factor->name;
      axis->dimension.size *= factor->dimension.size;
    }
  }
  return axis.get();
}

std::optional<std::int64_t> countElements(const AxisList &axes) {
  std::int64_t count = 1;
  for (AxisRef axis : axes) {
    if (!axis->isFixed())
      continue;
    if (axis->dimension.size > maximalElements / std::max<std::int64_t>(count, 1))
      return std::nullopt;
    count *= axis->dimension.size;
  }
  return count;
}

int positionOf(AxisRef axis, const AxisList &axes) {
  auto found = std::find(axes.begin(), axes.end(), axis);
  return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
}

bool containsAll(const AxisList &whole, const AxisList &part) {
  return std::all_of(part.begin(), part.end(), [&](AxisRef axis) { return positionOf(axis, whole) >= 0; });
}

bool isSubsequence(const AxisList &part, const AxisList &whole) {
  auto next = part.begin();
  for (AxisRef axis : whole)
    if (next != part.end() && *next == axis)
      ++next;
  return next == part.end();
}

std::vector<Dimension> shapeOf(const AxisList &axes) {
  std::vector<Dimension> shape;
  for (AxisRef axis : axes)
    shape.push_back(axis->dimension);
  return shape;
}

std::string describe(AxisRef axis) {
  switch (axis->dimension.kind) {
  case Dimension::Kind::Batch:
    return "the batch axis";
  case Dimension::Kind::Classes:
    return fmt::format("`{}` (the classes of the task)", axis->name);
  case Dimension::Kind::Fixed:
    break;
  }
  return fmt::format("`{}` ({})", axis->name, axis->dimension.size);
}

} // namespace clm::sema
