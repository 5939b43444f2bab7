/// \file
/// Readers of data sets: small files made here, damaged ones, and the real files where they are.
#include "runtime/data/Dataset.h"

#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace clm::runtime;
using namespace clm::testing;

static std::string idx(std::vector<std::uint32_t> sizes, const std::string &values) {
  std::string file = {0, 0, 8, static_cast<char>(sizes.size())};
  for (std::uint32_t size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8)
      file += static_cast<char>(size >> shift);
  return file + values;
}

static void writeCompressed(const std::filesystem::path &path, const std::string &content) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

/// Three training and two test pictures of 2x3.
static void writeSmallMnist(const std::filesystem::path &folder) {
  std::string pixels(18, '\0');
  std::iota(pixels.begin(), pixels.end(), '\0');
  pixels[17] = '\xff';
  writeFile(folder / "train-images-idx3-ubyte", idx({3, 2, 3}, pixels));
  writeFile(folder / "train-labels-idx1-ubyte", idx({3}, std::string({2, 0, 1})));
  writeCompressed(folder / "t10k-images-idx3-ubyte.gz", idx({2, 2, 3}, pixels.substr(0, 12)));
  writeCompressed(folder / "t10k-labels-idx1-ubyte.gz", idx({2}, std::string({1, 3})));
}

static void writeSmallCifar10(const std::filesystem::path &folder) {
  for (int batch = 1; batch <= 5; ++batch)
    writeFile(folder / ("data_batch_" + std::to_string(batch) + ".bin"),
              std::string(1, static_cast<char>(batch)) + std::string(3072, static_cast<char>(batch)));
  writeFile(folder / "test_batch.bin", std::string(1, '\7') + std::string(3072, '\0') + '\1' + std::string(3072, '\1'));
}

static void expectFailure(const std::string &name, const std::filesystem::path &folder,
                          const std::vector<std::string> &parts) {
  std::string message = messageOf<UserError>([&] { loadDataset(name, folder); });
  for (const std::string &part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "one line";
}

TEST(DataReaders, IdxPlainAndCompressed) {
  for (const char *below : {"", "raw", "MNIST/raw"}) {
    TemporaryFolder folder;
    writeSmallMnist(folder / below);
    Dataset dataset = loadDataset("mnist", folder.path);
    EXPECT_EQ(dataset.shape, (std::array<std::int64_t, 3>{1, 2, 3}));
    EXPECT_EQ(dataset.classes, 4);
    EXPECT_EQ(dataset.train.labels, (std::vector<std::int64_t>{2, 0, 1}));
    EXPECT_EQ(dataset.train.pixels[7], 7);
    EXPECT_EQ(dataset.train.pixels[17], 255);
    EXPECT_EQ(dataset.test.size(), 2);
  }
}

TEST(DataReaders, IdxDamageIsNamed) {
  TemporaryFolder folder;
  auto damaged = [&](const std::string &file, const std::string &content, const std::vector<std::string> &parts) {
    writeSmallMnist(folder.path);
    writeFile(folder / file, content);
    expectFailure("mnist", folder.path, parts);
  };
  const std::string images = "train-images-idx3-ubyte", labels = "train-labels-idx1-ubyte";
  damaged(images, "", {images, "not an idx file"});
  damaged(images, "PK\x03\x04 something else", {images, "not an idx file"});
  damaged(images, idx({3, 2, 3}, "12345"), {images, "header says 3x2x3, 18 bytes, and 5 follow"});
  damaged(images, idx({3, 2, 3}, std::string(19, 'x')), {images, "18 bytes, and more follow"});
  damaged(images, idx({0xffffffff, 0xffffffff, 0xffffffff}, "x"), {images, "damaged: its header says"});
  damaged(images, idx({0, 2, 3}, ""), {images, "damaged: its header says 0x2x3"});
  damaged(images, idx({2, 2, 3}, std::string(12, 'x')), {images, labels, "2 pictures", "3 labels"});
  damaged(labels, idx({3, 1}, "123"), {labels, "not an idx file of bytes with 1 dimension;"});
  std::filesystem::remove(folder / labels);
  expectFailure("mnist", folder.path, {labels, "is missing"});
}

TEST(DataReaders, CutAndChangedCompressionIsNoticed) {
  TemporaryFolder folder;
  writeSmallMnist(folder.path);
  const std::filesystem::path path = folder / "t10k-images-idx3-ubyte.gz";
  const std::string whole = readFile(path);
  for (std::size_t length : {std::size_t{3}, std::size_t{15}, whole.size() - 9, whole.size() - 1}) {
    writeFile(path, whole.substr(0, length));
    expectFailure("mnist", folder.path, {path.string()});
  }
  std::string changed = whole;
  changed[whole.size() - 6] ^= 1; // in the checksum
  writeFile(path, changed);
  expectFailure("mnist", folder.path, {path.string(), "wrong checksum"});
}

TEST(DataReaders, CifarCountsComeFromFileSizes) {
  TemporaryFolder folder;
  writeSmallCifar10(folder / "cifar-10-batches-bin");
  Dataset dataset = loadDataset("cifar10", folder.path);
  EXPECT_EQ(dataset.train.labels, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(dataset.test.labels, (std::vector<std::int64_t>{7, 1}));
  EXPECT_EQ(dataset.train.pixels[3072 * 2], 3);
  EXPECT_EQ(dataset.classes, 10);
  writeFile(folder / "train.bin", std::string({3, 99}) + std::string(3072, '\5'));
  writeFile(folder / "test.bin", std::string({4, 98}) + std::string(3072, '\6'));
  dataset = loadDataset("cifar100", folder.path);
  EXPECT_EQ(dataset.train.labels, (std::vector<std::int64_t>{99})) << "the fine label counts";
  EXPECT_EQ(dataset.classes, 100);
}

TEST(DataReaders, CifarDamageIsNamed) {
  TemporaryFolder folder;
  writeSmallCifar10(folder.path);
  writeFile(folder / "data_batch_3.bin", std::string(3072, '\0'));
  expectFailure("cifar10", folder.path, {"data_batch_3.bin", "3072 bytes are no whole number of records of 3073"});
  writeFile(folder / "data_batch_3.bin", "");
  expectFailure("cifar10", folder.path, {"data_batch_3.bin", "cut short or damaged"});
  writeFile(folder / "data_batch_3.bin", std::string(1, '\x0a') + std::string(3072, '\0'));
  expectFailure("cifar10", folder.path, {"data_batch_3.bin", "record 0 has the label 10"});
  std::filesystem::remove(folder / "data_batch_3.bin");
  expectFailure("cifar10", folder.path, {"data_batch_3.bin", "is missing"});
}

TEST(DataReaders, NothingFoundSaysWhereAndWhat) {
  TemporaryFolder folder;
  expectFailure("cifar10", folder.path,
                {"`cifar10` not found", folder.path.string(), "cifar-10-binary.tar.gz", "--data-dir"});
  expectFailure("mnist", folder / "absent", {"`mnist` not found", "MNIST/raw", "train-images-idx3-ubyte"});
  expectFailure("cifar100", "", {"no --data-dir was given", "train.bin"});
  expectFailure("cifar11", folder.path, {"unknown data set `cifar11`", "digits, mnist, cifar10, cifar100"});
  std::filesystem::create_directory(folder / "train.bin");
  expectFailure("cifar100", folder.path, {"not found"});
}

TEST(DataReaders, DigitsShipWithTheProject) {
  Dataset digits = loadDataset("digits", "");
  EXPECT_EQ(digits.train.size() + digits.test.size(), 1797);
  EXPECT_EQ(digits.shape, (std::array<std::int64_t, 3>{1, 8, 8}));
  EXPECT_EQ(digits.classes, 10);
  EXPECT_EQ(digits.maximum, 16);
}

TEST(DataReaders, NormalizationMeasuresTheTrainingPart) {
  Dataset dataset;
  dataset.shape = {2, 1, 2};
  dataset.maximum = 16;
  dataset.train.labels = {0, 0};
  dataset.train.pixels = {0, 16, 5, 5, 8, 8, 5, 5};
  Normalization normalization = measureNormalization(dataset);
  EXPECT_DOUBLE_EQ(normalization.mean[0], 0.5);
  EXPECT_DOUBLE_EQ(normalization.deviation[0], std::sqrt(32.0) / 16);
  EXPECT_DOUBLE_EQ(normalization.mean[1], 5.0 / 16);
  EXPECT_DOUBLE_EQ(normalization.deviation[1], 1) << "of a constant channel";
}

/// The real files, against the facts that came with them.
class DataReadersFacts : public testing::TestWithParam<std::pair<const char *, const char *>> {};

TEST_P(DataReadersFacts, Agree) {
  const char *root = std::getenv("CLM_TEST_DATA");
  if (!root)
    GTEST_SKIP() << "CLM_TEST_DATA is not set";
  auto [name, below] = GetParam();
  std::filesystem::path folder = std::filesystem::path(root) / below;
  nlohmann::json facts = nlohmann::json::parse(readFile(folder / "facts.json"));
  Dataset dataset = loadDataset(name, folder);
  for (const char *partName : {"train", "test"}) {
    const nlohmann::json &fact = facts.at(partName);
    const DataPart &part = partName == std::string("train") ? dataset.train : dataset.test;
    EXPECT_EQ(part.size(), fact.at("count"));
    EXPECT_EQ(nlohmann::json(dataset.shape), fact.at("shape_chw"));
    EXPECT_EQ(std::accumulate(part.pixels.begin(), part.pixels.end(), std::uint64_t{0}), fact.at("pixel_sum"));
    std::vector<int> first(part.pixels.begin(), part.pixels.begin() + 8);
    EXPECT_EQ(nlohmann::json(first), fact.at("first_picture_first_8_bytes"));
    const nlohmann::json &labels = fact.contains("labels") ? fact.at("labels") : fact.at("fine_labels");
    EXPECT_EQ(nlohmann::json(std::vector(part.labels.begin(), part.labels.begin() + 10)), labels.at("first_10"));
    std::vector<int> histogram(static_cast<std::size_t>(dataset.classes));
    for (std::int64_t label : part.labels)
      ++histogram.at(static_cast<std::size_t>(label));
    EXPECT_EQ(nlohmann::json(histogram), labels.at("histogram"));
  }
  Normalization normalization = measureNormalization(dataset);
  for (std::size_t channel = 0; channel < normalization.mean.size(); ++channel) {
    double scale = dataset.maximum / 255.0; // the facts divide by 255 always
    const nlohmann::json &train = facts.at("train");
    EXPECT_NEAR(normalization.mean[channel] * scale, train.at("channel_mean_0_1")[channel].get<double>(), 1e-6);
    EXPECT_NEAR(normalization.deviation[channel] * scale, train.at("channel_std_0_1_population")[channel].get<double>(),
                1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, DataReadersFacts,
                         testing::Values(std::pair{"digits", "digits-8x8"}, std::pair{"mnist", "mnist"},
                                         std::pair{"mnist", "fashion-mnist"},
                                         std::pair{"cifar10", "cifar-10-batches-bin"},
                                         std::pair{"cifar100", "cifar-100-binary"}));
