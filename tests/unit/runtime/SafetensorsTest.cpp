/// \file
/// The safetensors writer and reader: round trip, and files that lie about themselves.
#include "runtime/report/Safetensors.h"

#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"

#include <cstring>

using namespace clm::runtime;
using namespace clm::testing;

/// A file with that header text and `dataBytes` bytes of data.
static std::string fileOf(const std::string &header, std::size_t dataBytes) {
  std::uint64_t length = header.size();
  std::string content(reinterpret_cast<const char *>(&length), sizeof length);
  return content + header + std::string(dataBytes, '\1');
}

static std::string readingError(const std::string &content) {
  TemporaryFolder folder;
  writeFile(folder / "x.safetensors", content);
  return messageOf<UserError>([&] { SafetensorsFile::read(folder / "x.safetensors"); });
}

template <typename Element>
static StoredTensor tensorOf(std::string name, int element, std::vector<std::int64_t> shape,
                             const std::vector<Element> &values) {
  return {std::move(name), element, std::move(shape), std::as_bytes(std::span(values))};
}

TEST(Safetensors, RoundTrip) {
  TemporaryFolder folder;
  std::vector<float> weights = {1.5f, -2, 3, 4, 5, 6};
  std::vector<double> precise = {0.1};
  std::vector<std::int64_t> labels = {3, -1};
  std::vector<std::uint8_t> flags = {1, 0, 1};
  writeSafetensors(folder / "a.safetensors",
                   {tensorOf("w", CLM_FLOAT32, {2, 3}, weights), tensorOf("d", CLM_FLOAT64, {}, precise),
                    tensorOf("flags", CLM_BOOL, {3}, flags), tensorOf("y", CLM_INT64, {2}, labels),
                    tensorOf("none", CLM_FLOAT32, {0, 4}, std::vector<float>{})},
                   {{"format", "test"}});
  SafetensorsFile file = SafetensorsFile::read(folder / "a.safetensors");
  EXPECT_EQ(file.tensors().size(), 5u);
  EXPECT_EQ(file.metadata().at("format"), "test");
  ASSERT_NE(file.find("w"), nullptr);
  EXPECT_EQ(file.find("w")->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(file.find("w")->floats(), weights);
  EXPECT_EQ(file.find("d")->values(), precise);
  EXPECT_EQ(file.find("d")->count(), 1);
  EXPECT_EQ(file.find("y")->integers(), labels);
  EXPECT_EQ(file.find("flags")->integers(), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(file.find("none")->count(), 0);
  EXPECT_EQ(file.find("absent"), nullptr);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1) << "a temporary file stayed";
}

TEST(Safetensors, UnwritableFolderIsAMessage) {
  TemporaryFolder folder;
  std::string message = messageOf<UserError>([&] { writeSafetensors(folder / "no/such/x", {}, {}); });
  EXPECT_NE(message.find("cannot write"), std::string::npos) << message;
}

TEST(Safetensors, EveryCutIsNoticed) {
  TemporaryFolder folder;
  std::vector<float> weights = {1, 2, 3};
  writeSafetensors(folder / "a", {tensorOf("w", CLM_FLOAT32, {3}, weights)}, {});
  const std::string whole = readFile(folder / "a");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(readingError(whole.substr(0, length)), "") << length;
  EXPECT_NE(readingError(whole + "x").find("behind the last tensor"), std::string::npos);
}

TEST(Safetensors, DamageIsNamed) {
  auto expect = [](const std::string &content, const std::string &part) {
    std::string message = readingError(content);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect("", "too short for a header");
  expect(std::string(8, '\xff'), "header is longer than the file");
  expect(fileOf("[1]", 0), "not valid JSON");
  expect(fileOf("{\"a\":", 0), "not valid JSON");
  expect(fileOf(std::string(100000, '['), 0), "not valid JSON");
  expect(fileOf(R"({"a":7})", 0), "entry of `a` is malformed");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4), "entry of `a` is malformed");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4), "entry of `a` is malformed");
  expect(fileOf(R"({"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", 4), "type BF16");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4), "shape of `a` does not fit");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", 4), "does not fit");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4), "outside the file");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", 8), "outside the file");
  expect(
      fileOf(
          R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8),
      "overlaps");
  expect(fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8), "leaves a gap");
}

TEST(Safetensors, AFolderIsNoFile) {
  TemporaryFolder folder;
  EXPECT_NE(messageOf<UserError>([&] { SafetensorsFile::read(folder.path); }), "");
  EXPECT_NE(messageOf<UserError>([&] { SafetensorsFile::read(folder / "absent"); }), "");
}
