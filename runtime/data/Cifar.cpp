#include "runtime/data/Files.h"
#include "runtime/data/Formats.h"
#include "runtime/module/UserError.h"

#include <fmt/format.h>

namespace clm::runtime {
namespace {

constexpr std::size_t kPixels = 3 * 32 * 32;
constexpr std::uint64_t kMaximumBytes = std::uint64_t{1} << 36;

/// Appends the records of a file: `labelBytes` label bytes, of which the last counts, and the pixels.
void appendRecords(const Dataset &dataset, DataPart &part, const std::string &file, std::size_t labelBytes) {
  const auto path = requireDataFile(dataset.folder, file);
  const std::vector<std::uint8_t> content = readDataFile(path, kMaximumBytes);
  const std::size_t recordBytes = labelBytes + kPixels;
  if (content.empty() || content.size() % recordBytes != 0)
    throw UserError(
        fmt::format("`{}` is cut short or damaged: {} bytes are no whole number of records of {} bytes; get "
                    "the file again",
                    path.string(), content.size(), recordBytes));
  part.pixels.reserve(part.pixels.size() + content.size());
  for (std::size_t first = 0; first < content.size(); first += recordBytes) {
    int label = content[first + labelBytes - 1];
    if (label >= dataset.classes)
      throw UserError(fmt::format("`{}` is damaged: record {} has the label {}, and there are {} classes; get the file "
                                  "again",
                                  path.string(), first / recordBytes, label, dataset.classes));
    part.labels.push_back(label);
    auto pixels = content.begin() + static_cast<std::ptrdiff_t>(first + labelBytes);
    part.pixels.insert(part.pixels.end(), pixels, pixels + kPixels);
  }
}

} // namespace

void readCifar10(Dataset &dataset) {
  dataset.shape = {3, 32, 32};
  dataset.classes = 10;
  for (int batch = 1; batch <= 5; ++batch)
    appendRecords(dataset, dataset.train, fmt::format("data_batch_{}.bin", batch), 1);
  appendRecords(dataset, dataset.test, "test_batch.bin", 1);
}

void readCifar100(Dataset &dataset) {
  dataset.shape = {3, 32, 32};
  dataset.classes = 100;
  appendRecords(dataset, dataset.train, "train.bin", 2);
  appendRecords(dataset, dataset.test, "test.bin", 2);
}

} // namespace clm::runtime
