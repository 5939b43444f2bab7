/// \file
/// What sema makes of HAT: the table, the axes that rules act on, and the functions.
#include "AnalyzedModel.h"

#include <algorithm>

namespace clm::sema {
namespace {

constexpr Dimension classes{Dimension::Kind::Classes, -1};
constexpr Dimension batch{Dimension::Kind::Batch, -1};

Dimension fixed(std::int64_t size) { return {Dimension::Kind::Fixed, size}; }

class HatModel : public testing::Test {
protected:
  Function &function(const std::string &name) {
    Function *found = findFunction(model, name);
    EXPECT_NE(found, nullptr) << name;
    return *found;
  }

  const Entry &entry(const std::string &path) const {
    for (const Entry &entry : model.entries)
      if (entry.path == path)
        return entry;
    ADD_FAILURE() << "no entry " << path;
    return model.entries.front();
  }

  std::vector<std::string> paths(const std::vector<std::int32_t> &entries) const {
    std::vector<std::string> result;
    for (std::int32_t index : entries)
      result.push_back(model.entries.at(static_cast<std::size_t>(index)).path);
    return result;
  }

  static std::vector<std::string> names(const std::vector<NamedNode> &nodes) {
    std::vector<std::string> result;
    for (const NamedNode &named : nodes)
      result.push_back(named.name);
    return result;
  }

  static const Node &at(const Function &function, NodeId node) {
    return function.nodes.at(static_cast<std::size_t>(node));
  }

  /// Entries read by whatever leads to `node`.
  std::vector<std::string> readBy(const Function &function, NodeId node) const {
    std::vector<bool> needed(function.nodes.size(), false);
    needed.at(static_cast<std::size_t>(node)) = true;
    std::vector<std::int32_t> entries;
    for (std::size_t i = function.nodes.size(); i-- > 0;) {
      if (!needed[i])
        continue;
      for (NodeId operand : function.nodes[i].operands)
        needed[static_cast<std::size_t>(operand)] = true;
      if (function.nodes[i].op == Op::Read)
        entries.push_back(function.nodes[i].index);
    }
    std::sort(entries.begin(), entries.end());
    return paths(entries);
  }

  std::size_t count(const Function &function, Op op) const {
    return static_cast<std::size_t>(
        std::count_if(function.nodes.begin(), function.nodes.end(), [&](const Node &node) { return node.op == op; }));
  }

  Model model = analyzeHat();
};

TEST_F(HatModel, TableHoldsNetworkEmbeddingsClaimsAndHead) {
  std::vector<std::string> found;
  for (const Entry &row : model.entries)
    found.push_back(row.path);
  EXPECT_EQ(found, (std::vector<std::string>{"net.fc1.w", "net.fc1.b", "net.fc2.w", "net.fc2.b", "e.h1", "e.h2",
                                             "claimed.h1", "claimed.h2", "clf.w", "clf.b"}));
  EXPECT_EQ(entry("net.fc1.w").type.shape, (std::vector{fixed(100), fixed(64)}));
  EXPECT_EQ(entry("clf.w").type.shape, (std::vector{classes, fixed(100)}));
  EXPECT_TRUE(entry("clf.w").perTask);
  EXPECT_TRUE(entry("e.h2").perTask);
  EXPECT_FALSE(entry("claimed.h1").perTask);
  EXPECT_EQ(entry("claimed.h1").role, EntryRole::State);
}

TEST_F(HatModel, OutputAxisOfOneLayerIsInputAxisOfTheNext) {
  EXPECT_EQ(entry("net.fc1.w").axes, (std::vector<std::string>{"net.fc1.out", "channels*rows*columns"}));
  EXPECT_EQ(entry("net.fc2.w").axes, (std::vector<std::string>{"net.fc2.out", "net.fc1.out"}));
  EXPECT_EQ(entry("clf.w").axes, (std::vector<std::string>{"clf.out", "net.fc2.out"}));
  EXPECT_EQ(entry("e.h1").axes, std::vector<std::string>{"net.fc1.out"});
}

TEST_F(HatModel, FunctionsStandInTheOrderOfTheInterface) {
  std::vector<std::string> found;
  for (const Function &each : model.functions)
    found.push_back(each.name);
  EXPECT_EQ(found, (std::vector<std::string>{"init", "arrive", "step", "evaluate", "predict", "finish"}));
  EXPECT_TRUE(model.passes.empty());
}

TEST_F(HatModel, FirstValuesAreGivenWhereTheEntryArises) {
  auto updated = [&](const std::string &name) {
    std::vector<std::int32_t> entries;
    for (const Update &update : function(name).updates)
      entries.push_back(update.entry);
    return paths(entries);
  };
  EXPECT_EQ(updated("init"),
            (std::vector<std::string>{"net.fc1.w", "net.fc1.b", "net.fc2.w", "net.fc2.b", "claimed.h1", "claimed.h2"}));
  EXPECT_EQ(updated("arrive"), (std::vector<std::string>{"e.h1", "e.h2", "clf.w", "clf.b"}));
  EXPECT_EQ(updated("finish"), (std::vector<std::string>{"claimed.h1", "claimed.h2"}));
}

TEST_F(HatModel, GradientRulesActOnGatedAxesOnly) {
  const Function &step = function("step");
  std::vector<const GradientRule *> rules;
  for (const GradientRule &rule : step.gradientRules)
    rules.push_back(&rule);
  ASSERT_EQ(rules.size(), 7u);
  const std::vector<std::string> scaled = {"net.fc1.w", "net.fc1.b", "net.fc2.w", "net.fc2.b", "e.h1", "e.h2"};
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    EXPECT_EQ(rules[i]->kind, GradientRule::Kind::Scale);
    EXPECT_EQ(paths(rules[i]->entries), std::vector<std::string>{scaled[i]});
    EXPECT_EQ(rules[i]->rule, i < 4 ? 0 : 1);
  }
  // The first layer has no gated input: its factor is a column. The second one depends on both sides.
  EXPECT_EQ(at(step, rules[0]->value).type.shape, (std::vector{fixed(100), fixed(1)}));
  EXPECT_EQ(readBy(step, rules[0]->value), std::vector<std::string>{"claimed.h1"});
  EXPECT_EQ(at(step, rules[2]->value).type.shape, (std::vector{fixed(100), fixed(100)}));
  EXPECT_EQ(readBy(step, rules[2]->value), (std::vector<std::string>{"claimed.h1", "claimed.h2"}));
  EXPECT_EQ(readBy(step, rules[3]->value), std::vector<std::string>{"claimed.h2"});
  EXPECT_EQ(readBy(step, rules[4]->value), std::vector<std::string>{"e.h1"});
}

TEST_F(HatModel, ClipComesLastAndCoversEverythingTrained) {
  const Function &step = function("step");
  const GradientRule &clip = step.gradientRules.back();
  EXPECT_EQ(clip.kind, GradientRule::Kind::ClipNorm);
  EXPECT_EQ(clip.rule, 2);
  EXPECT_EQ(clip.entries, step.trained);
  EXPECT_EQ(paths(step.trained), (std::vector<std::string>{"net.fc1.w", "net.fc1.b", "net.fc2.w", "net.fc2.b", "e.h1",
                                                           "e.h2", "clf.w", "clf.b"}));
  ASSERT_EQ(step.clamps.size(), 2u);
  EXPECT_EQ(at(step, step.clamps[0].low).number, -6);
  EXPECT_EQ(at(step, step.clamps[0].high).number, 6);
}

TEST_F(HatModel, StepAndEvaluationDifferInDropoutAndSchedule) {
  const Function &step = function("step"), &evaluate = function("evaluate"), &predict = function("predict");
  EXPECT_EQ(names(step.losses), (std::vector<std::string>{"cross_entropy", "reg"}));
  EXPECT_EQ(names(evaluate.losses), names(step.losses));
  EXPECT_EQ(count(step, Op::Noise), 3u);
  EXPECT_EQ(count(evaluate, Op::Noise), 0u);
  for (const Function *each : {&step, &evaluate, &predict}) {
    EXPECT_EQ(count(*each, Op::Mask), 2u) << each->name; // the network is one value, however often it is named
    EXPECT_EQ(names(each->outputs), std::vector<std::string>{"logits"});
    EXPECT_EQ(at(*each, each->outputs[0].node).type.shape, (std::vector{batch, classes}));
  }
  auto usesProgress = [&](const Function &each) {
    return std::any_of(each.nodes.begin(), each.nodes.end(),
                       [](const Node &node) { return node.symbol == "progress"; });
  };
  EXPECT_TRUE(usesProgress(step));
  EXPECT_FALSE(usesProgress(evaluate));
  EXPECT_EQ(count(predict, Op::Label), 0u);
}

TEST_F(HatModel, ProbesNameGatesSitesLetsAndSchedules) {
  std::vector<std::string> probes = names(function("step").probes);
  for (const char *name : {"schedule.s", "let.a.h1", "let.a.h2", "gate.h1", "site.h2", "let.logits"})
    EXPECT_NE(std::find(probes.begin(), probes.end(), name), probes.end()) << name;
  EXPECT_TRUE(function("evaluate").probes.empty());
}

TEST_F(HatModel, SettingsTellWhoSetThem) {
  model = analyzeHat({{"method.c", "0.5"}, {"train.epochs", "5"}, {"net.hidden", "7"}});
  auto setting = [&](const std::string &name) {
    auto found = std::find_if(model.settings.begin(), model.settings.end(),
                              [&](const Setting &each) { return each.name == name; });
    EXPECT_NE(found, model.settings.end()) << name;
    return *found;
  };
  EXPECT_EQ(setting("method.c").value, 0.5);
  EXPECT_EQ(setting("method.c").origin, "command line");
  EXPECT_FALSE(setting("method.c").fixed);
  EXPECT_EQ(setting("method.smax").origin, "spec");
  EXPECT_EQ(setting("method.clip_norm").origin, "default");
  EXPECT_TRUE(setting("net.hidden").fixed);
  EXPECT_EQ(entry("net.fc2.w").type.shape, (std::vector{fixed(7), fixed(7)}));
  EXPECT_EQ(model.train.epochs, 5);
  EXPECT_EQ(model.train.origins.at("epochs"), "command line");
  EXPECT_EQ(model.train.origins.at("batch"), "spec");
}

TEST_F(HatModel, OwnDerivativeReplacesTheGate) {
  EXPECT_TRUE(model.derivativeFunctions.empty());
  model = analyzeHat({{"method.official_rounding", "true"}});
  ASSERT_FALSE(model.derivativeFunctions.empty());
  EXPECT_EQ(model.derivativeFunctions.front().name, "official_gate");
  EXPECT_EQ(model.derivativeFunctions.front().cotangents.size(), 1u);
  EXPECT_EQ(count(function("step"), Op::Apply), 2u);
}

} // namespace
} // namespace clm::sema
