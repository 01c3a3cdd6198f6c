// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/objective.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(Objective, IsAProductOfPowers) {
  Evaluation evaluation;
  evaluation.energy_pj = 10;
  evaluation.cycles = 3;
  evaluation.memories.resize(1);
  evaluation.memories[0].tensors.resize(1);
  evaluation.memories[0].tensors[0].reads = 5;
  evaluation.memories[0].tensors[0].updates = 2;
  EXPECT_EQ(score(*objective_by_name("edp"), evaluation), 30);
  EXPECT_EQ(score(*objective_by_name("energy"), evaluation), 10);
  EXPECT_EQ(score(*objective_by_name("latency"), evaluation), 3);
  EXPECT_EQ(score(*objective_by_name("ed2p"), evaluation), 90);
  EXPECT_EQ(score(*objective_by_name("traffic"), evaluation), 7);
  EXPECT_EQ(objective_by_name("speed"), std::nullopt);
}

TEST(Utilization, IsTheProductOfItsFactors) {
  Evaluation evaluation;
  evaluation.computes = 60;
  evaluation.compute_instances = 4;
  evaluation.compute_steps = 18;
  evaluation.cycles = 20;
  const Utilization u = utilization(evaluation, 8);
  EXPECT_DOUBLE_EQ(u.spatial, 0.5);
  EXPECT_DOUBLE_EQ(u.edge, 60.0 / 72);
  EXPECT_DOUBLE_EQ(u.temporal, 0.9);
  EXPECT_DOUBLE_EQ(u.total, u.spatial * u.edge * u.temporal);
}

}  // namespace
}  // namespace tilewright
