/// \file
/// Samples of one task as the training loop sees them: numbered from 0, with labels local to the task.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clm::runtime {

class Samples {
public:
  virtual ~Samples() = default;
  virtual std::int64_t size() const = 0;
  /// Elements of one image.
  virtual std::int64_t imageElements() const = 0;
  /// Writes the samples `indices` to `images` [indices, imageElements] and `labels` [indices].
  virtual void load(std::span<const std::int64_t> indices, std::span<float> images,
                    std::span<std::int64_t> labels) const = 0;
};

/// Samples held as they are used.
class MemorySamples final : public Samples {
public:
  MemorySamples() = default;
  /// `images` holds labels.size() images of equal size.
  MemorySamples(std::vector<float> images, std::vector<std::int64_t> labels);

  std::int64_t size() const override { return static_cast<std::int64_t>(labelValues.size()); }
  std::int64_t imageElements() const override { return elements; }
  void load(std::span<const std::int64_t> indices, std::span<float> images,
            std::span<std::int64_t> labels) const override;

private:
  std::vector<float> imageValues;
  std::vector<std::int64_t> labelValues;
  std::int64_t elements = 0;
};

} // namespace clm::runtime
