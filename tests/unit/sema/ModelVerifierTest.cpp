/// \file
/// The verifier accepts what sema builds and names what is wrong with a damaged model.
#include "AnalyzedModel.h"

#include "sema/ModelVerifier.h"

#include <algorithm>

namespace clm::sema {
namespace {

class DamagedModel : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(verify(model), ""); }

  Function &step() { return *findFunction(model, "step"); }

  /// The first node of the step with that operation.
  Node &first(Op op) {
    std::vector<Node> &nodes = step().nodes;
    return *std::find_if(nodes.begin(), nodes.end(), [&](const Node &node) { return node.op == op; });
  }

  void expectViolation(const std::string &text) {
    EXPECT_NE(verify(model).find(text), std::string::npos) << "found: " << verify(model);
  }

  Model model = analyzeHat();
};

TEST_F(DamagedModel, OperandBehindItsUse) {
  first(Op::Add).operands[0] = static_cast<NodeId>(step().nodes.size()) - 1;
  expectViolation("uses a node that does not stand before it");
}

TEST_F(DamagedModel, MixedElementTypes) {
  Node &product = first(Op::Multiply);
  step().nodes[static_cast<std::size_t>(product.operands[0])].type.element = ElementType::Int64;
  EXPECT_NE(verify(model), "");
}

TEST_F(DamagedModel, ReadOfAnotherType) {
  first(Op::Read).type.shape.push_back({Dimension::Kind::Fixed, 3});
  expectViolation("does not have the type of what it names");
}

TEST_F(DamagedModel, ReductionThatKeepsItsDimension) {
  first(Op::Sum).ints.clear();
  expectViolation("does not drop the dimensions it names");
}

TEST_F(DamagedModel, MatricesThatDoNotMeet) {
  first(Op::MatMul).ints = {0, 0};
  expectViolation("(matmul) has operands or a result of the wrong shape");
}

TEST_F(DamagedModel, GateOnAnotherDimension) {
  first(Op::Mask).ints = {0};
  expectViolation("has a gate that does not lie on its dimension");
}

TEST_F(DamagedModel, RuleOnAnEntryThatIsNotTrained) {
  step().trained.erase(step().trained.begin());
  expectViolation("which is not trained");
}

TEST_F(DamagedModel, FactorThatDoesNotFit) {
  step().gradientRules.front().value = step().outputs.front().node;
  expectViolation("the factor of gradient rule 0 does not fit its entry");
}

TEST_F(DamagedModel, LossThatIsNoScalar) {
  step().losses.front().node = step().outputs.front().node;
  expectViolation("loss cross_entropy is no Float32 scalar");
}

TEST_F(DamagedModel, UpdateThatDoesNotFit) {
  Function &finish = *findFunction(model, "finish");
  finish.updates.front().entry = 0;
  EXPECT_EQ(verify(model), "function finish: the update of entry 0 does not fit it");
}

TEST_F(DamagedModel, ClassesInASharedEntry) {
  model.entries[0].type.shape[0] = {Dimension::Kind::Classes, -1};
  expectViolation("has a dimension that its table cannot hold");
}

TEST_F(DamagedModel, CotangentOfAnotherType) {
  model = analyzeHat({{"method.official_rounding", "true"}});
  model.derivativeFunctions.front().cotangents.clear();
  expectViolation("not one cotangent for each input");
}

} // namespace
} // namespace clm::sema
