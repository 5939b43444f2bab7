#include "runtime/data/Files.h"
#include "runtime/data/Formats.h"
#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace clm::runtime {
namespace {

/// No real set is larger; a header that says more is damaged.
constexpr std::uint64_t kMaximumBytes = std::uint64_t{1} << 36;

struct IdxFile {
  std::vector<std::int64_t> sizes;
  std::vector<std::uint8_t> values;
};

/// Reads an idx file of unsigned bytes with `rank` dimensions: 0, 0, type, rank, then big-endian sizes, then values.
IdxFile readIdxFile(const std::filesystem::path &path, std::size_t rank) {
  const std::size_t headerBytes = 4 + 4 * rank;
  std::vector<std::uint8_t> content = readDataFile(path, headerBytes);
  constexpr std::uint8_t unsignedByte = 8;
  if (content.size() < headerBytes || content[0] != 0 || content[1] != 0 || content[2] != unsignedByte ||
      content[3] != rank)
    throw UserError(fmt::format("`{}` is not an idx file of bytes with {} dimension{}; get the file again",
                                path.string(), rank, rank == 1 ? "" : "s"));
  IdxFile file;
  std::uint64_t expected = 1;
  std::string sizes;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint8_t *bytes = &content[4 + 4 * i];
    std::uint64_t size = std::uint64_t{bytes[0]} << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
    file.sizes.push_back(static_cast<std::int64_t>(size));
    sizes += fmt::format("{}{}", i == 0 ? "" : "x", size);
    expected = size == 0 ? 0 : expected > kMaximumBytes / size ? kMaximumBytes : expected * size;
  }
  if (expected == 0 || expected >= kMaximumBytes)
    throw UserError(fmt::format("`{}` is damaged: its header says {}; get the file again", path.string(), sizes));
  content = readDataFile(path, headerBytes + expected + 1);
  if (content.size() != headerBytes + expected)
    throw UserError(
        fmt::format("`{}` is cut short or damaged: its header says {}, {} bytes, and {} follow; get the file "
                    "again",
                    path.string(), sizes, expected,
                    content.size() < headerBytes + expected ? std::to_string(content.size() - headerBytes) : "more"));
  file.values.assign(content.begin() + static_cast<std::ptrdiff_t>(headerBytes), content.end());
  return file;
}

void readPart(Dataset &dataset, DataPart &part, const std::string &prefix) {
  const auto imagePath = requireDataFile(dataset.folder, prefix + "-images-idx3-ubyte");
  const auto labelPath = requireDataFile(dataset.folder, prefix + "-labels-idx1-ubyte");
  IdxFile images = readIdxFile(imagePath, 3);
  IdxFile labels = readIdxFile(labelPath, 1);
  if (images.sizes[0] != labels.sizes[0])
    throw UserError(fmt::format("`{}` has {} pictures and `{}` has {} labels; they do not belong together",
                                imagePath.string(), images.sizes[0], labelPath.string(), labels.sizes[0]));
  std::array<std::int64_t, 3> shape = {1, images.sizes[1], images.sizes[2]};
  if (dataset.shape[0] != 0 && dataset.shape != shape)
    throw UserError(fmt::format("`{}` has pictures of {}x{}, and the training part of {}x{}", imagePath.string(),
                                shape[1], shape[2], dataset.shape[1], dataset.shape[2]));
  dataset.shape = shape;
  if (auto tooLarge = std::ranges::find_if(images.values, [&](int value) { return value > dataset.maximum; });
      tooLarge != images.values.end())
    throw UserError(fmt::format("`{}` has the value {}, and pixels of `{}` go up to {}", imagePath.string(), *tooLarge,
                                dataset.name, dataset.maximum));
  part.pixels = std::move(images.values);
  part.labels.assign(labels.values.begin(), labels.values.end());
  dataset.classes = std::max(dataset.classes, *std::ranges::max_element(part.labels) + 1);
}

} // namespace

void readIdx(Dataset &dataset) {
  readPart(dataset, dataset.train, "train");
  readPart(dataset, dataset.test, "t10k");
}

} // namespace clm::runtime
