// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/plan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "tilewright/base/error.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/plan/plan_test_support.h"

namespace tilewright {
namespace {

using plan_test::chain;
using plan_test::mapped;
using plan_test::options;
using plan_test::product;
using plan_test::small_arch;
using plan_test::unmapped;

Found alone(const Workload& workload, const Arch& arch) {
  const Problem problem(workload, arch);
  const SearchResult result = search_exhaustive(
      Mapspace(problem, make_rules(problem, SpaceKind::kRubyS, {})), SearchOptions{});
  return *result.best;
}

TEST(Plan, IsTheBestOfEachLayerAndTheirSum) {
  Network network = chain();
  network.layers[1].count = 3;
  const Arch arch = small_arch();
  const Plan plan = plan_network(network, arch, options());
  ASSERT_EQ(plan.layers.size(), 3U);
  double energy = 0;
  double cycles = 0;
  for (std::size_t l = 0; l < 3; ++l) {
    const Found best = alone(*network.layers[l].workload, arch);
    const Solved& solved = plan.solved[*plan.layers[l].solved];
    EXPECT_DOUBLE_EQ(solved.best->score, best.score);
    EXPECT_EQ(solved.status, Status::kProved);
    EXPECT_EQ(plan.layers[l].energy_pj, solved.best->evaluation.energy_pj);
    ASSERT_EQ(plan.layers[l].levels_pj.size(), 3U);
    EXPECT_EQ(plan.layers[l].levels_pj[1], solved.best->evaluation.memories[1].energy_pj);
    EXPECT_DOUBLE_EQ(
        std::accumulate(plan.layers[l].levels_pj.begin(), plan.layers[l].levels_pj.end(), 0.0),
        plan.layers[l].energy_pj);
    energy += plan.layers[l].energy_pj * (l == 1 ? 3 : 1);
    cycles += plan.layers[l].cycles * (l == 1 ? 3 : 1);
  }
  EXPECT_DOUBLE_EQ(plan.totals.energy_pj, energy);
  EXPECT_DOUBLE_EQ(plan.totals.cycles, cycles);
  EXPECT_EQ(plan.totals.computes, 2 * 6 * 4 + 3 * 2 * 3 * 6 + 2 * 2 * 3);
  EXPECT_DOUBLE_EQ(plan.totals.utilization, plan.totals.computes / (2 * cycles));
  EXPECT_EQ(plan.totals.proved, 3U);
  EXPECT_LE(plan.totals.bound, energy * cycles);
  EXPECT_GT(plan.totals.bound, 0.9 * energy * cycles);
  EXPECT_TRUE(plan.resident.empty());
}

TEST(Plan, CountsBitsOfTheOutermostMemory) {
  Network network = chain();
  const Plan plan = plan_network(network, small_arch(std::nullopt), options());
  // Everything fits, so each element passes once.
  EXPECT_EQ(plan.layers[0].dram_bits, (2 * 4 + 4 * 6 + 2 * 6) * 8);
}

TEST(Plan, EqualLayersAreSolvedOnce) {
  Network network;
  network.layers = {{.name = "a", .workload = product("a", 4, 4, 4)},
                    {.name = "b", .workload = product("b", 4, 4, 2)},
                    {.name = "c", .workload = product("c", 4, 4, 4)}};
  const Plan plan = plan_network(network, small_arch(), options());
  EXPECT_EQ(plan.solved.size(), 2U);
  EXPECT_EQ(plan.layers[0].solved, plan.layers[2].solved);
  // The architecture may speak of a tensor by its name: then equal workloads are different.
  std::vector<ArchNode> nodes = plan_test::small_nodes();
  std::get<Memory>(nodes[1]).keep = {false, {"B", "Q"}};
  const Arch arch("named", "", std::nullopt, nodes, {});
  std::vector<Tensor> tensors(network.layers[2].workload->tensors().begin(),
                              network.layers[2].workload->tensors().end());
  tensors[0].name = "Q";
  network.layers[2].workload = Workload("c", {{"m", 4}, {"n", 4}, {"k", 4}}, std::move(tensors));
  EXPECT_EQ(plan_network(network, arch, options()).solved.size(), 3U);
}

TEST(Plan, IsTheSameOnAnyNumberOfThreads) {
  const Network network = chain(12, 10);
  PlanOptions one = options();
  one.search.threads = 1;
  PlanOptions many = options();
  many.search.threads = 7;
  const Plan a = plan_network(network, small_arch(), one);
  const Plan b = plan_network(network, small_arch(), many);
  for (std::size_t i = 0; i < a.solved.size(); ++i) {
    EXPECT_EQ(a.solved[i].best->mapping, b.solved[i].best->mapping);
  }
  EXPECT_EQ(a.totals.energy_pj, b.totals.energy_pj);
}

TEST(Plan, ALayerWithoutAMappingSaysWhyAndTheOthersGoOn) {
  Network network;
  network.layers = {{.name = "a", .workload = product("a", 4, 4, 4)},
                    {.name = "b", .workload = product("b", 2, 2, 2)}};
  PlanOptions wishes = options();
  wishes.constraints = [](const Problem& problem) {
    Constraint keep;
    keep.kind = Constraint::Kind::kKeep;
    keep.node = NodeId(1);
    keep.tensors = 7;
    Constraint whole;
    whole.kind = Constraint::Kind::kEqual;
    whole.node = NodeId(0);
    whole.dim = DimId(0);
    whole.value = 1;
    Constraint n = whole;
    n.dim = DimId(1);
    Constraint k = whole;
    k.dim = DimId(2);
    return problem.workload().name() == "a" ? FittingConstraints{{keep, whole, n, k}, {}}
                                            : FittingConstraints{{}, {"r >= 3 on X of PE"}};
  };
  const Plan plan = plan_network(network, small_arch(128), wishes);
  EXPECT_FALSE(plan.solved[0].best);
  ASSERT_TRUE(plan.solved[0].conflict);
  EXPECT_EQ(plan.solved[0].conflict->demands.front().kind, Demand::Kind::kConstraint);
  EXPECT_EQ(plan.solved[0].conflict->demands.back().kind, Demand::Kind::kCapacity);
  EXPECT_EQ(plan.solved[0].asked.constraints.size(), 4U);
  EXPECT_TRUE(plan.solved[1].best);
  EXPECT_EQ(plan.totals.unmapped, 1U);
  // Proved, but not with everything that was asked for.
  EXPECT_EQ(plan.totals.proved, 0U);
  EXPECT_EQ(plan.totals.proved_without, 1U);
  EXPECT_EQ(plan.totals.computes, 8);
  EXPECT_EQ(plan.totals.bound, 0);
}

TEST(Plan, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  PlanOptions wishes = options(true);
  wishes.search.stop = &stop;
  const Plan plan = plan_network(chain(), small_arch(), wishes);
  EXPECT_EQ(plan.totals.unmapped, 3U);
  EXPECT_EQ(plan.solved[0].ending, Ending::kStopped);
  EXPECT_FALSE(plan.solved[0].why_not.empty());
}

TEST(Plan, LocalSearchHasNoBound) {
  PlanOptions wishes = options();
  wishes.mapper = Mapper::kLocal;
  const Plan plan = plan_network(chain(), small_arch(), wishes);
  EXPECT_EQ(plan.totals.unmapped, 0U);
  EXPECT_EQ(plan.totals.proved, 0U);
  EXPECT_EQ(plan.totals.bound, 0);
}

TEST(Plan, LayersThatMoveDataCountToo) {
  Network network = chain();
  network.edges.push_back({"v", 4, 8});
  network.layers.push_back(unmapped("soft", LayerKind::kTraffic, {3}, {4}));
  network.layers.push_back(unmapped("view", LayerKind::kNothing, {4}, {}));
  const Plan with = plan_network(network, small_arch(), options());
  const Plan without = plan_network(chain(), small_arch(), options());
  EXPECT_EQ(with.layers[3].cycles, 4);  // 64 bits at 16 a cycle
  EXPECT_EQ(with.totals.cycles, without.totals.cycles + 4);
  EXPECT_EQ(with.totals.dram_bits, without.totals.dram_bits + 64);
  EXPECT_EQ(with.layers[4].energy_pj, 0);
  EXPECT_EQ(with.totals.proved, 3U);
}

TEST(Plan, TellsHowItGoes) {
  PlanOptions wishes = options();
  std::size_t most = 0;
  std::atomic<int> inside = 0;
  bool alone = true;
  wishes.progress = [&](const PlanProgress& progress) {
    alone = alone && ++inside == 1;
    most = std::max(most, progress.all);
    EXPECT_FALSE(progress.layer.empty());
    --inside;
  };
  plan_network(chain(), small_arch(), wishes);
  EXPECT_TRUE(alone);
  EXPECT_TRUE(most == 0 || most == 3);  // quick searches tell nothing
}

TEST(Plan, RefusesANetworkWithFaults) {
  Network network = chain();
  network.layers[0].count = 0;
  EXPECT_THROW(plan_network(network, small_arch(), options()), InternalError);
}

}  // namespace
}  // namespace tilewright
