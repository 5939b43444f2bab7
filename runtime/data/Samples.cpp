#include "runtime/data/Samples.h"

#include "runtime/module/UserError.h"

#include <algorithm>

namespace clm::runtime {

MemorySamples::MemorySamples(std::vector<float> images, std::vector<std::int64_t> labels)
    : imageValues(std::move(images)), labelValues(std::move(labels)) {
  if (labelValues.empty() ? !imageValues.empty() : imageValues.size() % labelValues.size() != 0)
    throw InternalError("the images do not divide evenly among " + std::to_string(labelValues.size()) + " labels");
  if (!labelValues.empty())
    elements = static_cast<std::int64_t>(imageValues.size() / labelValues.size());
}

void MemorySamples::load(std::span<const std::int64_t> indices, std::span<float> images,
                         std::span<std::int64_t> labels) const {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    auto sample = static_cast<std::size_t>(indices[i]);
    auto length = static_cast<std::size_t>(elements);
    std::ranges::copy(std::span(imageValues).subspan(sample * length, length), images.begin() + i * length);
    labels[i] = labelValues[sample];
  }
}

} // namespace clm::runtime
