#include "runtime/data/Dataset.h"

#include "runtime/data/Files.h"
#include "runtime/data/Formats.h"
#include "runtime/module/Location.h"
#include "runtime/module/UserError.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace fs = std::filesystem;

namespace clm::runtime {
namespace {

/// A data set that `--data` can name.
struct KnownDataset {
  const char *name;
  void (*read)(Dataset &dataset);
  int maximum;
  const char *firstFile;             // tells whether a folder holds the set
  std::vector<const char *> folders; // below the user's folder, besides itself
  const char *shipped;               // folder in the standard library, or null
  const char *wanted;                // what to put there
};

const std::vector<KnownDataset> &knownDatasets() {
  static const std::vector<KnownDataset> known = {
      {"digits",
       readIdx,
       16,
       "train-images-idx3-ubyte",
       {"digits", "digits-8x8"},
       "datasets/digits",
       "it ships with the standard library: set CLM_STDLIB to that folder, or repair the installation"},
      {"mnist",
       readIdx,
       255,
       "train-images-idx3-ubyte",
       {"MNIST/raw", "raw", "mnist", "MNIST"},
       nullptr,
       "put `train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, `t10k-images-idx3-ubyte` and "
       "`t10k-labels-idx1-ubyte` (or their `.gz`) of MNIST into a folder and name it with --data-dir"},
      {"cifar10",
       readCifar10,
       255,
       "data_batch_1.bin",
       {"cifar-10-batches-bin", "cifar10"},
       nullptr,
       "unpack `cifar-10-binary.tar.gz` (the binary version, with `data_batch_1.bin`) into a folder and name it with "
       "--data-dir"},
      {"cifar100",
       readCifar100,
       255,
       "train.bin",
       {"cifar-100-binary", "cifar100"},
       nullptr,
       "unpack `cifar-100-binary.tar.gz` (the binary version, with `train.bin`) into a folder and name it with "
       "--data-dir"},
  };
  return known;
}

std::vector<fs::path> placesToLook(const KnownDataset &known, const fs::path &folder) {
  std::vector<fs::path> places;
  if (!folder.empty()) {
    places.push_back(folder);
    for (const char *below : known.folders)
      places.push_back(folder / below);
  }
  if (known.shipped) {
    if (fs::path library = standardLibraryFolder(); !library.empty())
      places.push_back(library / known.shipped);
  }
  return places;
}

} // namespace

std::vector<std::string> datasetNames() {
  std::vector<std::string> names;
  for (const KnownDataset &known : knownDatasets())
    names.emplace_back(known.name);
  return names;
}

Dataset loadDataset(const std::string &name, const fs::path &folder) {
  auto known = std::ranges::find_if(knownDatasets(), [&](const KnownDataset &set) { return name == set.name; });
  if (known == knownDatasets().end())
    throw UserError(fmt::format("unknown data set `{}`; known are {}", name, fmt::join(datasetNames(), ", ")));
  std::vector<fs::path> places = placesToLook(*known, folder);
  Dataset dataset;
  dataset.name = name;
  dataset.maximum = known->maximum;
  dataset.folder = findFolderWith(places, known->firstFile);
  if (dataset.folder.empty())
    failNotFound(name, places, known->wanted);
  known->read(dataset);
  return dataset;
}

Normalization measureNormalization(const Dataset &dataset) {
  Normalization result;
  auto area = static_cast<std::size_t>(dataset.shape[1] * dataset.shape[2]);
  auto channels = static_cast<std::size_t>(dataset.shape[0]);
  std::vector<std::uint64_t> sums(channels), squares(channels); // exact, so independent of the order
  std::span<const std::uint8_t> pixels = dataset.train.pixels;
  for (std::size_t first = 0, channel = 0; first < pixels.size(); first += area, channel = (channel + 1) % channels) {
    for (std::uint64_t value : pixels.subspan(first, area)) {
      sums[channel] += value;
      squares[channel] += value * value;
    }
  }
  double count = static_cast<double>(pixels.size()) / static_cast<double>(channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    double mean = static_cast<double>(sums[channel]) / count;
    double variance = static_cast<double>(squares[channel]) / count - mean * mean;
    double deviation = std::sqrt(std::max(variance, 0.0));
    result.mean.push_back(mean / dataset.maximum);
    result.deviation.push_back(deviation > 0 ? deviation / dataset.maximum : 1);
  }
  return result;
}

} // namespace clm::runtime
