// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/base/random.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/sweep/run/local_run.h"
#include "tilewright/sweep/run/shard.h"
#include "tilewright/sweep/sweep_test_support.h"

namespace tilewright {
namespace {

TEST(CostDesigns, AgreesWithThePlanOfEachNetwork) {
  const TestFolder folder;
  SweepBundle bundle{"s.yaml",
                     "sweep:\n  arch: eyeriss\n  parameters: {x: [2, 3]}\n"
                     "  set: {PE.axes.X: x, PE.axes.Y: 2}\n"
                     "  networks: [{network: net.yaml, weight: 2}]\n  workloads: [gemm 4 4 4]\n",
                     {},
                     {{"net.yaml",
                       "network: {name: two, layers: [{name: a, gemm: {m: 4, n: 6, k: 8}, count: "
                       "3}, {name: b, traffic: relu, from: [a]}]}"}}};
  Diagnostics diagnostics;
  const ReadFile read = [](const std::string&) { return std::nullopt; };
  ASSERT_TRUE(complete_bundle(bundle, read, diagnostics));
  const auto sweep = make_plan(bundle, diagnostics);
  ASSERT_TRUE(sweep) << render_text(diagnostics, false);
  Store store(folder.file("a.db"), Store::Mode::kWrite);
  EXPECT_EQ(cost_designs(*sweep, store).front().total.standing, Standing::kMissing);
  EXPECT_EQ(missing_problems(*sweep, store, 1), (std::vector<std::uint64_t>{2, 3}));
  run_local(*sweep, store, {.jobs = 1});
  EXPECT_TRUE(missing_problems(*sweep, store, 1).empty());
  const std::vector<DesignCost> costs = cost_designs(*sweep, store);
  ASSERT_EQ(costs.size(), 2U);
  const std::vector<DesignCost> second = cost_design(*sweep, store, 1);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second.front().design, 1U);
  EXPECT_EQ(second.front().total.energy_pj, costs.back().total.energy_pj);
  for (const DesignCost& cost : costs) {
    TargetCost sum;
    for (std::size_t i = 0; i < 2; ++i) {
      const SweepTarget& target = sweep->targets()[i];
      const PlanResult result = plan(target.network, sweep->design(cost.design).arch);
      EXPECT_DOUBLE_EQ(cost.targets[i].energy_pj, result.plan.totals.energy_pj);
      EXPECT_DOUBLE_EQ(cost.targets[i].cycles, result.plan.totals.cycles);
      sum.energy_pj += target.weight * result.plan.totals.energy_pj;
    }
    EXPECT_DOUBLE_EQ(cost.total.energy_pj, sum.energy_pj);
    EXPECT_EQ(cost.total.standing, Standing::kProved);
  }
}

TEST(Front, IsWhatNoOtherPointBeats) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<DesignCost> costs(static_cast<std::size_t>(random.between(1, 30)));
    for (DesignCost& cost : costs) {
      cost.total.energy_pj = static_cast<double>(random.between(1, 6));
      cost.total.cycles = static_cast<double>(random.between(1, 6));
      cost.area_um2 = static_cast<double>(random.between(1, 6));
    }
    const std::vector<Figure> figures = {Figure::kEnergy, Figure::kCycles, Figure::kArea};
    const auto beats = [&](const DesignCost& a, const DesignCost& b) {
      bool better = false;
      for (const Figure figure : figures) {
        if (figure_of(a, figure) > figure_of(b, figure)) return false;
        better = better || figure_of(a, figure) < figure_of(b, figure);
      }
      return better;
    };
    const std::vector<std::size_t> front = find_front(costs, figures);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      bool beaten = false;
      bool has_earlier_equal = false;
      for (std::size_t j = 0; j < costs.size(); ++j) {
        beaten = beaten || beats(costs[j], costs[i]);
        const bool equal = std::ranges::all_of(figures, [&](Figure figure) {
          return figure_of(costs[i], figure) == figure_of(costs[j], figure);
        });
        has_earlier_equal = has_earlier_equal || (j < i && equal);
      }
      const bool on_front = std::ranges::find(front, i) != front.end();
      EXPECT_EQ(on_front, !beaten && !has_earlier_equal);
    }
  }
}

TEST(Shard, IsANumberOrThatOfTheJobArray) {
  std::string why;
  std::string variable;
  const Environment environment = [&](const char* name) -> const char* {
    return variable.starts_with(std::string(name) + "=") ? variable.c_str() + variable.find('=') + 1
                                                         : nullptr;
  };
  const auto index = [&](const std::string& text) {
    const auto shard = parse_shard(text, environment, why);
    return shard ? static_cast<int>(shard->index) : -1;
  };
  EXPECT_EQ(index("3/8"), 3);
  EXPECT_EQ(index("8/8"), -1);
  EXPECT_EQ(index("3"), -1);
  EXPECT_EQ(index("3/0"), -1);
  EXPECT_EQ(index("x/3"), -1);
  EXPECT_EQ(index("auto/8"), -1);
  variable = "SLURM_ARRAY_TASK_ID=5";
  EXPECT_EQ(index("auto/8"), 5);
  EXPECT_EQ(index("auto/5"), -1);
  variable = "JOB_COMPLETION_INDEX=0";
  EXPECT_EQ(index("auto/8"), 0);
  variable = "LSB_JOBINDEX=1";
  EXPECT_EQ(index("auto/8"), 0);
  variable = "LSB_JOBINDEX=0";
  EXPECT_EQ(index("auto/8"), -1);
}

}  // namespace
}  // namespace tilewright
