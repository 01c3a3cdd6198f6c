// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/plan.h"

#include <gtest/gtest.h>

#include "tilewright/plan/plan_test_support.h"

namespace tilewright {
namespace {

using plan_test::chain;
using plan_test::small_arch;

TEST(PlanRequestTest, IsAnsweredAsByPlanNetwork) {
  const PlanResult planned = plan(chain(), small_arch());
  EXPECT_EQ(planned.status, Status::kProved);
  const Plan direct = plan_network(chain(), small_arch(), {});
  EXPECT_EQ(planned.plan.totals.energy_pj, direct.totals.energy_pj);
  EXPECT_EQ(planned.plan.totals.cycles, direct.totals.cycles);
  EXPECT_EQ(planned.network.layers.size(), planned.plan.layers.size());
}

TEST(PlanRequestTest, TheWorstLayerDecides) {
  PlanRequest request;
  request.mapper = Mapper::kLocal;
  EXPECT_EQ(plan(chain(), small_arch(), request).status, Status::kNotProved);
  // One layer of the chain gets a demand that nothing meets.
  request.constraints = [](const Problem& problem) {
    FittingConstraints fitting;
    Constraint never;
    never.kind = Constraint::Kind::kAtLeast;
    never.node = NodeId(0);
    never.dim = DimId(0);
    never.value = problem.workload().dims()[0].size + 1;
    fitting.constraints = {never};
    return fitting;
  };
  EXPECT_EQ(plan(chain(), small_arch(), request).status, Status::kContradictory);
}

TEST(PlanRequestTest, RefusesWhatCannotBe) {
  PlanRequest request;
  request.space = "pad";
  EXPECT_THROW(plan(chain(), small_arch(), request), RequestError);
  request = {};
  request.placement = "uneven@L9";
  EXPECT_THROW(plan(chain(), small_arch(), request), RequestError);
}

}  // namespace
}  // namespace tilewright
