// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/best/best.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tilewright/arch/relaxed.h"
#include "tilewright/base/input_error.h"
#include "tilewright/base/random.h"
#include "tilewright/sweep/best/bounds.h"
#include "tilewright/sweep/run/local_run.h"
#include "tilewright/sweep/run/solve.h"
#include "tilewright/sweep/sweep_test_support.h"
#include "tilewright/sweep/texts.h"

namespace tilewright {
namespace {

// Energies rise with the capacity, so that neither the largest nor the smallest design is the best.
SweepPlan priced_plan(const std::string& more = "") {
  return plan_of(R"(sweep:
  arch: eyeriss
  parameters: {x: [2, 3, 4, 8], y: [2, 4], glb: [0.25 KiB, 1 KiB, 4 KiB]}
  set:
    PE.axes.X: x
    PE.axes.Y: y
    GLB.capacity: glb
    GLB.energy.read: 2 pJ + 6 pJ * (glb / 1 KiB)
    GLB.energy.write: 2 pJ + 6 pJ * (glb / 1 KiB)
  workloads: [gemm 12 10 8, {workload: gemm 7 9 11, weight: 2}]
)" + more);
}

std::vector<std::uint64_t> front_of(const std::vector<DesignCost>& costs,
                                    const std::vector<std::size_t>& front) {
  std::vector<std::uint64_t> designs;
  for (const std::size_t i : front) designs.push_back(costs[i].design);
  return designs;
}

// The front of all designs, solved one by one.
std::vector<std::uint64_t> full_front(const SweepPlan& plan, const Store& store,
                                      const std::vector<Figure>& figures) {
  const DesignTable table = make_table(plan, store, figures);
  return front_of(table.costs, table.front);
}

void solve_all(const SweepPlan& plan, Store& store) {
  std::vector<Row> rows;
  SweepSolver solver(plan);
  for (std::uint64_t n = 0; n < plan.problems(); ++n) rows.push_back(solver.solve(n));
  store.add(rows);
}

TEST(Best, IsTheSameAsThatOfAllDesigns) {
  const TestFolder folder;
  for (const char* objective : {"edp", "energy", "latency"}) {
    const SweepPlan plan = priced_plan("  objectives: [" + std::string(objective) + "]\n");
    Store full(folder.file(std::string(objective) + "-full.db"), Store::Mode::kWrite);
    solve_all(plan, full);
    const Figure figure = *bounded_figure(plan.requests()[0].request.objective.objective);
    for (const std::vector<Figure>& figures :
         {std::vector{figure}, std::vector{Figure::kArea, figure}}) {
      Store store(folder.file(fmt::format("{}-{}.db", objective, figures.size())),
                  Store::Mode::kWrite);
      const BestDesigns best = find_best(plan, store, {.figures = figures});
      EXPECT_TRUE(best.complete);
      EXPECT_EQ(front_of(best.solved, best.front), full_front(plan, full, figures)) << objective;
      EXPECT_EQ(best.solved.size() + best.ruled_out.size(), plan.designs().size());
      EXPECT_GT(best.ruled_out.size(), 0U) << objective;
      const std::vector<DesignCost> all = cost_designs(plan, full);
      for (const Ruling& ruling : best.ruled_out) {
        ASSERT_TRUE(ruling.by);
        for (std::size_t f = 0; f < figures.size(); ++f) {
          EXPECT_LE(ruling.bounds[f], figure_of(all[ruling.design], figures[f]));
          EXPECT_LE(figure_of(all[*ruling.by], figures[f]), ruling.bounds[f]);
        }
      }
    }
  }
}

TEST(Best, DoesNotDependOnThreadsAndSolvesNothingTwice) {
  const TestFolder folder;
  const SweepPlan plan = priced_plan();
  std::vector<std::string> texts;
  for (const int threads : {1, 2}) {
    Store store(folder.file(fmt::format("{}.db", threads)), Store::Mode::kWrite);
    const BestOptions options{.figures = {Figure::kArea, Figure::kEdp}, .threads = threads};
    const std::vector<BestDesigns> best = {find_best(plan, store, options)};
    texts.push_back(best_json(plan, best));
    EXPECT_EQ(store.size(), best[0].counts.problems);
    const std::vector<BestDesigns> again = {find_best(plan, store, options)};
    EXPECT_EQ(again[0].counts.problems, 0U);
    texts.push_back(best_json(plan, again));
  }
  for (const std::string& text : texts) EXPECT_EQ(text, texts.front());
}

TEST(Best, DesignsWithoutAMappingAreRuledOutTogether) {
  const TestFolder folder;
  const SweepPlan plan = plan_of(R"(sweep:
  arch: eyeriss
  parameters: {x: [2, 4, 8], glb: [1 KiB, 2 KiB]}
  set: {PE.axes.X: x, GLB.capacity: glb}
  workloads: [gemm 16 16 16]
constraints: [{at: PE, factors: [m = 8 on X]}]
)");
  Store store(folder.file("s.db"), Store::Mode::kWrite);
  const BestDesigns best = find_best(plan, store, {.figures = {Figure::kEdp}});
  ASSERT_EQ(best.front.size(), 1U);
  EXPECT_GE(best.solved[best.front[0]].design, 4U);
  bool unmapped = false;
  for (const Ruling& ruling : best.ruled_out) unmapped = unmapped || ruling.bounds.empty();
  EXPECT_TRUE(unmapped);
}

TEST(Best, SaysWhatItCannotBound) {
  const TestFolder folder;
  Store store(folder.file("s.db"), Store::Mode::kWrite);
  EXPECT_THROW(find_best(priced_plan(), store, {.figures = {Figure::kEnergy}}), InputError);
  const SweepPlan demanding = priced_plan("constraints: [{at: PE, utilization: 50 %}]\n");
  EXPECT_THROW(find_best(demanding, store, {.figures = {Figure::kEdp}}), InputError);
}

// A bound from a relaxed design never exceeds what the designs cost.
TEST(Best, RelaxedDesignsScoreNoMoreThanAny) {
  const SweepPlan plan =
      priced_plan("  spaces: [pfm, ruby-s, ruby]\n  placements: [even, uneven]\n");
  Random random(16);
  const auto draw = [&](std::size_t size) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size) - 1));
  };
  for (int round = 0; round < 12; ++round) {
    std::vector<Arch> archs;
    for (int i = 0; i < 3; ++i) {
      archs.push_back(plan.design(draw(plan.designs().size())).arch);
    }
    const Arch relaxed = *relax(archs);
    const SweepWorkload& workload = plan.workloads()[draw(plan.workloads().size())];
    const MapRequest request = request_of(workload, plan.requests()[draw(plan.requests().size())]);
    const Row least = solve(Problem(workload.workload, relaxed), request, {});
    ASSERT_EQ(least.status, "proved");
    for (const Arch& arch : archs) {
      EXPECT_LE(*least.score, *solve(Problem(workload.workload, arch), request, {}).score);
    }
  }
}

}  // namespace
}  // namespace tilewright
