// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/plan.h"

#include <gtest/gtest.h>

#include <set>

#include "tilewright/io/yaml/fields.h"
#include "tilewright/sweep/sweep_test_support.h"

namespace tilewright {
namespace {

TEST(Plan, HasEveryDesignWithEveryWorkloadAndRequest) {
  const SweepPlan plan = small_plan();
  EXPECT_EQ(plan.designs().size(), 12U);
  EXPECT_EQ(plan.workloads().size(), 3U);
  EXPECT_EQ(plan.requests().size(), 2U);
  EXPECT_EQ(plan.problems(), 72U);
  std::set<Digest> keys;
  for (std::uint64_t number = 0; number < plan.problems(); ++number) {
    const SweepProblem problem = plan.problem(number);
    keys.insert(plan.key(plan.design(problem.design), problem.workload, problem.request));
  }
  EXPECT_EQ(keys.size(), 72U);
  EXPECT_EQ(plan.designs().to_text(5), "x=3, glb=2 KiB");
  EXPECT_EQ(plan.design(5).arch.memory(NodeId(1)).capacity_bits, 2 * 8192);
}

TEST(Plan, ConditionsLeaveDesignsOut) {
  const SweepPlan plan = plan_of(R"(sweep:
  arch: eyeriss
  parameters: {x: 2..5, y: 2..5}
  set: {PE.axes.X: x, PE.axes.Y: y}
  where: [x * y <= 12, x <= y]
  workloads: [gemm 8 8 8]
)");
  std::string all;
  for (std::uint64_t i = 0; i < plan.designs().size(); ++i) all += plan.designs().to_text(i) + "; ";
  EXPECT_EQ(all, "x=2, y=2; x=2, y=3; x=2, y=4; x=2, y=5; x=3, y=3; x=3, y=4; ");
  EXPECT_EQ(plan.designs().grid(), 16U);
}

TEST(Plan, EqualLayersAndNamesMakeNoDifference) {
  const SweepPlan plan = plan_of(R"(sweep:
  arch: eyeriss
  networks: [resnet18]
  workloads: [resnet18/conv1]
)");
  ASSERT_EQ(plan.targets().size(), 2U);
  EXPECT_EQ(plan.targets()[0].workloads.front(), plan.targets()[1].workloads.front());
  EXPECT_EQ(plan.designs().size(), 1U);
  EXPECT_LT(plan.workloads().size(), plan.targets()[0].network.layers.size());
}

TEST(Plan, KeysDependOnWhatCostsDependOn) {
  const auto key = [](const std::string& lines) {
    const SweepPlan plan = plan_of("sweep:\n  arch: eyeriss\n  workloads: [gemm 8 8 8]\n" + lines);
    return plan.key(plan.design(0), 0, 0);
  };
  const Digest usual = key("");
  EXPECT_EQ(usual, key("  name: another\n"));
  EXPECT_EQ(usual, key("  set: {GLB.area: 7 um2}\n"));
  EXPECT_EQ(usual, key("  set: {GLB.capacity: 131072 B}\n"));
  EXPECT_EQ(usual, key("  spaces: [ruby-s]\n"));
  EXPECT_NE(usual, key("  set: {GLB.capacity: 131071 B}\n"));
  EXPECT_NE(usual, key("  spaces: [pfm]\n"));
  EXPECT_NE(usual, key("  objectives: [energy]\n"));
  EXPECT_NE(usual, key("  budget: 1000 nodes\n"));
  EXPECT_NE(usual, key("  gap: 1%\n"));
  EXPECT_EQ(usual, key("  placements: [even]\n"));
  EXPECT_NE(usual, key("  placements: [uneven]\n"));
}

TEST(Plan, PlacementsAreRequestsOfTheirOwn) {
  const std::string sweep = "sweep:\n  arch: eyeriss\n  workloads: [gemm 8 8 8]\n";
  const SweepPlan plan = plan_of(sweep + "  placements: [even, uneven]\n  spaces: [pfm, ruby]\n");
  std::string all;
  for (const SweepRequest& one : plan.requests()) all += space_text(one.request) + "; ";
  EXPECT_EQ(all, "pfm; pfm uneven; ruby; ruby uneven; ");
  EXPECT_NE(faults_of(sweep + "  placements: [uneven@GLB]\n").find("not `even` or `uneven`"),
            std::string::npos);
}

TEST(Plan, ConstraintsBelongToTheProblem) {
  const std::string sweep = R"(sweep:
  arch: eyeriss
  workloads: [gemm 8 8 8, conv m=8 c=4 p=6 q=6 r=3 s=3]
)";
  const std::string section = "constraints: [{at: PE, factors: [r = all on Y, m = 1 on X]}]\n";
  std::optional<SweepPlan> plan;
  const std::string findings = faults_of(sweep + section, &plan);
  ASSERT_TRUE(plan) << findings;
  EXPECT_NE(findings.find("does not apply to 1 of 2 layers"), std::string::npos) << findings;
  const FittingConstraints& gemm = plan->workloads()[0].asked;
  ASSERT_EQ(gemm.constraints.size(), 1U);
  ASSERT_EQ(gemm.without.size(), 1U);
  const FittingConstraints& conv = plan->workloads()[1].asked;
  ASSERT_EQ(conv.constraints.size(), 2U);
  EXPECT_EQ(conv.constraints[0].value, 3);
  const SweepPlan free = plan_of(sweep);
  for (const std::size_t w : {0U, 1U}) {
    EXPECT_NE(plan->key(plan->design(0), w, 0), free.key(free.design(0), w, 0));
  }
  EXPECT_NE(faults_of(sweep + "constraint: []\n").find("`constraints`"), std::string::npos);
}

TEST(Plan, ComesBackFromItsBundle) {
  const SweepPlan plan = small_plan();
  const SweepPlan again = plan_from_json(bundle_to_json(plan.bundle()));
  ASSERT_EQ(again.problems(), plan.problems());
  EXPECT_EQ(again.key(again.design(7), 1, 1), plan.key(plan.design(7), 1, 1));
  EXPECT_EQ(again.bundle(), plan.bundle());
  EXPECT_THROW(plan_from_json("{}"), InputError);
  EXPECT_THROW(plan_from_json("no JSON"), InputError);
}

TEST(Plan, EveryExampleOfASweepIsRead) {
  std::string text = "sweep:\n";
  for (const Field& field : fields_of(ObjectId::kSweep).fields) {
    text += "  " + std::string(field.key) + ": " + std::string(field.example) + "\n";
  }
  EXPECT_EQ(faults_of(text), "");
}

TEST(Plan, SaysAllThatIsWrongInOneRun) {
  const std::string faults = faults_of(R"(sweep:
  arch: eyerisss
  parameters: {x: [2, 2], unused: 1..3, bad-name: 3}
  set: {PE.axes.X: xx}
  where: [x <]
  networks: [resnet51]
  colour: red
)");
  for (const char* part : {"twice", "`bad-name` cannot be the name", "there is no such parameter",
                           "`where`", "`colour`"}) {
    EXPECT_NE(faults.find(part), std::string::npos) << part << "\n" << faults;
  }
  EXPECT_NE(faults_of("sweep:\n  arch: eyerisss\n  networks: [resnet51]\n")
                .find("did you mean `resnet50`?"),
            std::string::npos);
}

TEST(Plan, NamesTheDesignThatCannotBeBuilt) {
  const std::string faults = faults_of(R"(sweep:
  arch: eyeriss
  parameters: {x: [4, 0.5]}
  set: {PE.axes.X: x}
  workloads: [gemm 8 8 8]
)");
  EXPECT_NE(faults.find("in design 1 (x=0.5)"), std::string::npos) << faults;
  EXPECT_NE(faults_of(R"(sweep:
  arch: eyeriss
  parameters: {x: [4, 5]}
  set: {PE.axes.X: x}
  where: [x > 9]
  workloads: [gemm 8 8 8]
)")
                .find("no design meets all conditions"),
            std::string::npos);
  EXPECT_NE(faults_of("sweep:\n  arch: eyeriss\n  parameters: {x: [4, 5]}\n"
                      "  set: {GLB.capacity: 4 KiB}\n  workloads: [gemm 8 8 8]\n")
                .find("parameter `x` changes nothing"),
            std::string::npos);
}

}  // namespace
}  // namespace tilewright
