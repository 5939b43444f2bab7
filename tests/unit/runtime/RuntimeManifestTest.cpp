/// \file
/// The manifest's JSON: round trip, and damaged text.
#include "runtime/module/Manifest.h"

#include <gtest/gtest.h>

using namespace clm::runtime;

static Manifest fullManifest() {
  Manifest manifest;
  manifest.name = "m\"ü";
  manifest.specHash = "00ff";
  manifest.data = "digits";
  manifest.inputShape = {1, 8, 8};
  manifest.scenario = "task_incremental";
  manifest.tasks = 5;
  manifest.settings = {{SettingSpec::Type::Real, "method.c", 0.1, false, "default"},
                       {SettingSpec::Type::Boolean, "method.rounding", 1, true, "command line"}};
  manifest.entries = {{"clf.w", EntryRole::Parameter, true, {CLM_FLOAT32, {kClasses, 4}}, {"classes", "net.in"}},
                      {"n", EntryRole::Accumulator, false, {CLM_INT64, {}}, {}}};
  manifest.noise = {{"dropout.u", false, {CLM_FLOAT32, {kBatch, 4}}}, {"init/clf.w", true, {CLM_FLOAT32, {4}}}};
  FunctionSpec step{"step", {}, {}};
  step.arguments = {{ArgumentKind::Entry, 0, "", {CLM_FLOAT32, {kClasses, 4}}},
                    {ArgumentKind::Label, -1, "", {CLM_INT64, {kBatch}}},
                    {ArgumentKind::Scalar, -1, "method.c", {CLM_FLOAT64, {}}},
                    {ArgumentKind::Noise, 1, "", {CLM_FLOAT32, {4}}}};
  step.results = {{0, 0, "clf.w", {CLM_FLOAT32, {kClasses, 4}}}, {-1, -1, "logits", {CLM_FLOAT32, {kBatch, kClasses}}}};
  manifest.functions = {step};
  manifest.passes = {{false}};
  manifest.train = {7, 16, 0.15, 0.05, true, 3, 2, 1e-4, true, true, {{"epochs", "spec"}}};
  return manifest;
}

static std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(parseManifest(text, error));
  EXPECT_EQ(error.find('\n'), std::string::npos) << "one line";
  return error;
}

TEST(RuntimeManifest, RoundTrip) {
  Manifest manifest = fullManifest();
  std::string text = printManifest(manifest), error;
  std::optional<Manifest> read = parseManifest(text, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(printManifest(*read), text);
  EXPECT_EQ(read->name, manifest.name);
  EXPECT_EQ(read->settings[0].value, 0.1);
  EXPECT_EQ(read->settings[1].type, SettingSpec::Type::Boolean);
  EXPECT_EQ(read->entries[0].type.shape, (std::vector<std::int64_t>{kClasses, 4}));
  EXPECT_EQ(read->entries[1].role, EntryRole::Accumulator);
  EXPECT_TRUE(read->noise[1].normal);
  ASSERT_NE(read->function("step"), nullptr);
  EXPECT_EQ(read->function("step")->results[0].argument, 0);
  EXPECT_EQ(read->function("step")->arguments[2].scalar, "method.c");
  EXPECT_EQ(read->function("finish"), nullptr);
  EXPECT_FALSE(read->passes[0].train);
  EXPECT_EQ(read->train.origins.at("epochs"), "spec");
  EXPECT_TRUE(read->train.earlyStop);
}

TEST(RuntimeManifest, DamagedTextIsOneMessage) {
  EXPECT_NE(errorOf("").find("not valid JSON"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("not valid JSON"), std::string::npos);
  EXPECT_NE(errorOf("{}").find("ABI version"), std::string::npos);
  EXPECT_NE(errorOf(R"({"abiVersion":1})").find("lacks a field"), std::string::npos);
  const std::string text = printManifest(fullManifest());
  for (std::size_t length = 0; length + 1 < text.size(); length += 7)
    errorOf(text.substr(0, length));
}

TEST(RuntimeManifest, AnotherVersionSaysSo) {
  Manifest manifest = fullManifest();
  manifest.abiVersion = CLM_ABI_VERSION + 1;
  EXPECT_NE(errorOf(printManifest(manifest)).find("compile the spec again"), std::string::npos);
}

TEST(RuntimeManifest, ContradictionsAreRefused) {
  auto refused = [](auto change) {
    Manifest manifest = fullManifest();
    change(manifest);
    EXPECT_NE(errorOf(printManifest(manifest)).find("contradicts itself"), std::string::npos);
  };
  refused([](Manifest &manifest) { manifest.entries.clear(); });
  refused([](Manifest &manifest) { manifest.functions[0].arguments[0].index = 2; });
  refused([](Manifest &manifest) { manifest.functions[0].arguments[3].index = -1; });
  refused([](Manifest &manifest) { manifest.functions[0].arguments[2].scalar = "method.d"; });
  refused([](Manifest &manifest) { manifest.functions[0].results[0].argument = 4; });
  refused([](Manifest &manifest) { manifest.functions[0].results[0].entry = 2; });
  refused([](Manifest &manifest) { manifest.entries[0].type.shape = {-7}; });
  refused([](Manifest &manifest) { manifest.entries[0].type.shape = std::vector<std::int64_t>(CLM_MAX_RANK + 1, 1); });
  refused([](Manifest &manifest) { manifest.entries[0].type.shape = {std::int64_t{1} << 50}; });
}
