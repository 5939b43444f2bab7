/// \file
/// Labelled pictures in memory, as their files hold them: whole numbers, channel by channel. Readers for the formats
/// whose names `--data` takes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clm::runtime {

/// Part of a data set: pictures [n, channels, rows, columns] and their class ids.
struct DataPart {
  std::vector<std::uint8_t> pixels;
  std::vector<std::int64_t> labels;

  std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
};

struct Dataset {
  std::string name;
  std::filesystem::path folder;        // where its files were found
  std::array<std::int64_t, 3> shape{}; // channels, rows, columns
  std::int64_t classes = 0;            // class ids are 0 .. classes-1
  int maximum = 255;                   // largest value a pixel of this format can have
  DataPart train, test;

  std::int64_t imageElements() const { return shape[0] * shape[1] * shape[2]; }
};

/// Names that `loadDataset` knows, in the order in which help lists them.
std::vector<std::string> datasetNames();

/// Reads a data set whole. `folder` is what the user gave as `--data-dir` and may be empty for sets that ship with the
/// project. Throws UserError, with the places it looked at and what belongs there, for missing, cut or damaged files.
Dataset loadDataset(const std::string &name, const std::filesystem::path &folder);

/// Linear scaling of a channel: (pixel / maximum - mean) / deviation.
struct Normalization {
  std::vector<double> mean, deviation; // per channel
};

/// Mean and population standard deviation of each channel over the training part, pixels scaled to 0..1. A constant
/// channel gets deviation 1.
Normalization measureNormalization(const Dataset &dataset);

} // namespace clm::runtime
