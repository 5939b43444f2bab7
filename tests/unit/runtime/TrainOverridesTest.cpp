/// \file
/// `--set` on a module that is compiled already.
#include "runtime/train/Overrides.h"

#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"

#include <algorithm>

using namespace clm::runtime;
using namespace clm::testing;

static RunConfiguration exampleConfiguration() {
  Manifest manifest;
  manifest.settings = {{SettingSpec::Type::Real, "method.c", 0.75, false, "default"},
                       {SettingSpec::Type::Integer, "net.hidden", 100, true, "spec"}};
  manifest.train.epochs = 60;
  manifest.train.origins = {{"epochs", "spec"}};
  return configurationOf(manifest);
}

TEST(TrainOverrides, RealSettingsAndThePlanMayChange) {
  RunConfiguration configuration = exampleConfiguration();
  overrideSetting(configuration, "method.c", "0.5");
  overrideSetting(configuration, "train.epochs", "5");
  overrideSetting(configuration, "train.lr", "1e-2");
  EXPECT_EQ(configuration.settings[0].value, 0.5);
  EXPECT_EQ(configuration.settings[0].origin, "command line");
  EXPECT_EQ(configuration.plan.epochs, 5);
  EXPECT_EQ(configuration.plan.learningRate, 0.01);
  std::vector<SettingSpec> shown = planSettings(configuration.plan);
  auto epochs = std::ranges::find(shown, "train.epochs", &SettingSpec::name);
  ASSERT_NE(epochs, shown.end());
  EXPECT_EQ(epochs->value, 5);
  EXPECT_EQ(epochs->origin, "command line");
  EXPECT_EQ(std::ranges::find(shown, "train.batch", &SettingSpec::name)->origin, "default");
}

TEST(TrainOverrides, OthersAreRefused) {
  RunConfiguration configuration = exampleConfiguration();
  auto refused = [&](const char *name, const char *value, const char *part) {
    std::string message = messageOf<UserError>([&] { overrideSetting(configuration, name, value); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refused("net.hidden", "50", "clmc --set net.hidden=50");
  refused("method.d", "1", "known are method.c, net.hidden, train.epochs");
  refused("train.epoch", "1", "the model has no setting `train.epoch`");
  refused("train.plateau", "1", "the model has no setting `train.plateau`");
  refused("method.c", "much", "the value must be a number");
  refused("method.c", "nan", "the value must be a number");
  refused("method.c", "1x", "the value must be a number");
  refused("train.epochs", "0", "an integer from 1 on");
  refused("train.epochs", "2.5", "an integer from 1 on");
  refused("train.batch", "1e18", "an integer from 1 on");
  refused("train.validation", "1", "a share from 0 to below 1");
  refused("train.lr", "0", "a number above 0");
  refused("train.lr", "inf", "a number above 0");
  refused("train.factor", "1", "a number above 1");
}

TEST(TrainOverrides, PlansThatCannotBeFollowedAreRefused) {
  TrainPlan plan;
  checkPlan(plan);
  plan.restoreBest = true;
  EXPECT_NE(messageOf<UserError>([&] { checkPlan(plan); }).find("train.validation"), std::string::npos);
  plan.validation = 0.1;
  checkPlan(plan);
  plan.batch = 0;
  EXPECT_NE(messageOf<UserError>([&] { checkPlan(plan); }).find("`train.batch` is 0; it must be an integer"),
            std::string::npos);
}
