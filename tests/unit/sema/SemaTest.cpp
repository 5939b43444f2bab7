/// \file
/// The model that sema makes of a spec: its verifier, where settings come from, which axes parameters carry.
#include "sema/Sema.h"
#include "sema/ModelVerifier.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clm;
using namespace clm::sema;

namespace {

Model analyzeHat(std::vector<std::pair<std::string, std::string>> overrides = {}) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  SemaOptions options;
  options.standardLibrary = CLM_SOURCE_ROOT "/stdlib";
  options.overrides = std::move(overrides);
  std::optional<Model> model = analyze(sources, CLM_SOURCE_ROOT "/examples/hat_digits.clm", options, diagnostics);
  EXPECT_TRUE(model.has_value()) << diagnostics.renderText();
  return model.value_or(Model());
}

Function &functionNamed(Model &model, const std::string &name) {
  auto found = std::find_if(model.functions.begin(), model.functions.end(),
                            [&](const Function &function) { return function.name == name; });
  EXPECT_NE(found, model.functions.end());
  return *found;
}

Node &firstNode(Model &model, const std::string &function, Op op) {
  std::vector<Node> &nodes = functionNamed(model, function).nodes;
  auto found = std::find_if(nodes.begin(), nodes.end(), [&](const Node &node) { return node.op == op; });
  EXPECT_NE(found, nodes.end());
  return *found;
}

const Entry &entryNamed(const Model &model, const std::string &path) {
  auto found =
      std::find_if(model.entries.begin(), model.entries.end(), [&](const Entry &entry) { return entry.path == path; });
  EXPECT_NE(found, model.entries.end());
  return *found;
}

const Setting &settingNamed(const Model &model, const std::string &name) {
  auto found = std::find_if(model.settings.begin(), model.settings.end(),
                            [&](const Setting &setting) { return setting.name == name; });
  EXPECT_NE(found, model.settings.end());
  return *found;
}

TEST(ModelVerifier, AcceptsHat) { EXPECT_EQ(verify(analyzeHat()), ""); }

TEST(ModelVerifier, RejectsAWrongShape) {
  Model model = analyzeHat();
  firstNode(model, "step", Op::MatMul).type.shape.back() = {Dimension::Kind::Fixed, 7};
  EXPECT_NE(verify(model), "");
}

TEST(ModelVerifier, RejectsMixedElementTypes) {
  Model model = analyzeHat();
  firstNode(model, "step", Op::Relu).type.element = ElementType::Float64;
  EXPECT_NE(verify(model), "");
}

TEST(ModelVerifier, RejectsANodeUsedBeforeItIsMade) {
  Model model = analyzeHat();
  Function &step = functionNamed(model, "step");
  firstNode(model, "step", Op::Sigmoid).operands[0] = static_cast<NodeId>(step.nodes.size()) - 1;
  EXPECT_NE(verify(model).find("does not stand before it"), std::string::npos);
}

TEST(ModelVerifier, RejectsAnEntryThatIsNotThere) {
  Model model = analyzeHat();
  firstNode(model, "predict", Op::Read).index = static_cast<std::int32_t>(model.entries.size());
  EXPECT_NE(verify(model), "");
}

TEST(ModelVerifier, RejectsClassesInASharedEntry) {
  Model model = analyzeHat();
  for (Entry &entry : model.entries)
    if (entry.path == "clf.b")
      entry.perTask = false;
  EXPECT_NE(verify(model).find("clf.b"), std::string::npos);
}

TEST(Settings, TheLastOverrideWinsAndSaysWhereItIsFrom) {
  Model model = analyzeHat({{"method.c", "0.5"}, {"method.c", "0.25"}, {"train.epochs", "3"}});
  EXPECT_EQ(settingNamed(model, "method.c").value, 0.25);
  EXPECT_EQ(settingNamed(model, "method.c").origin, "command line");
  EXPECT_EQ(settingNamed(model, "method.smax").origin, "spec");
  EXPECT_EQ(settingNamed(model, "method.clip_norm").origin, "default");
  EXPECT_EQ(model.train.epochs, 3);
  EXPECT_EQ(model.train.origins.at("epochs"), "command line");
  EXPECT_EQ(model.train.origins.at("batch"), "spec");
}

TEST(Settings, IntegersAreFixedAndRealNumbersAreArguments) {
  Model model = analyzeHat({{"net.hidden", "12"}});
  EXPECT_TRUE(settingNamed(model, "net.hidden").fixed);
  EXPECT_FALSE(settingNamed(model, "method.c").fixed);
  EXPECT_EQ(entryNamed(model, "net.fc1.w").type.shape[0].size, 12);
}

TEST(Axes, TheOutputOfOneLayerIsTheInputOfTheNext) {
  Model model = analyzeHat();
  EXPECT_EQ(entryNamed(model, "net.fc1.w").axes, (std::vector<std::string>{"net.fc1.out", "channels*rows*columns"}));
  EXPECT_EQ(entryNamed(model, "net.fc2.w").axes, (std::vector<std::string>{"net.fc2.out", "net.fc1.out"}));
  EXPECT_EQ(entryNamed(model, "clf.w").axes, (std::vector<std::string>{"clf.out", "net.fc2.out"}));
  EXPECT_EQ(entryNamed(model, "e.h1").axes, entryNamed(model, "claimed.h1").axes);
}

} // namespace
