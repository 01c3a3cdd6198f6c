// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/objective.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

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

std::optional<Objective> parse(std::string_view text) {
  std::string why;
  return parse_objective(text, why);
}

std::string why_not(std::string_view text) {
  std::string why;
  EXPECT_EQ(parse_objective(text, why), std::nullopt) << text;
  return why;
}

TEST(Objective, IsReadAsAProductOfPowers) {
  for (const NamedObjective& named : named_objectives()) {
    EXPECT_EQ(parse(named.name), named.objective);
  }
  EXPECT_EQ(parse("energy^1*latency^2"), objective_by_name("ed2p"));
  EXPECT_EQ(parse(" latency * edp "), objective_by_name("ed2p"));
  EXPECT_EQ(parse("traffic^0.5 * energy ^ 1.25"),
            (Objective{.energy = 1.25, .latency = 0, .traffic = 0.5}));
}

TEST(Objective, SaysWhyItCannotBeRead) {
  EXPECT_EQ(why_not("enrgy"), "`enrgy` is not an objective; did you mean `energy`?");
  EXPECT_EQ(why_not("beauty"),
            "`beauty` is not an objective; choose one of edp, energy, latency, ed2p, traffic or a "
            "product such as energy^1*latency^2");
  EXPECT_TRUE(why_not("energy*").starts_with("`` is not an objective"));
  for (const char* text : {"energy^", "energy^0", "energy^-1", "energy^nan", "energy^13",
                           "energy^1x", "latency^1e-10", "latency^0.099"}) {
    EXPECT_NE(why_not(text).find("is not an exponent"), std::string::npos) << text;
  }
  EXPECT_EQ(why_not("energy^7*latency^6"),
            "the exponents of `energy^7*latency^6` add up to more than 12");
}

TEST(Objective, TakesExponentsFromItsLeastToItsLargest) {
  EXPECT_EQ(parse("latency^0.1*energy^11.9"), (Objective{.energy = 11.9, .latency = 0.1}));
  EXPECT_EQ(why_not("latency^1e-10"),
            "`1e-10` is not an exponent: it must be a number from 0.1 to 12");
}

TEST(Objective, IsWrittenAsAProductThatReadsBack) {
  const Objective objective{.energy = 0.3, .latency = 2, .traffic = 0};
  EXPECT_EQ(to_product(objective), "energy^0.3*latency^2");
  EXPECT_EQ(parse(to_product(objective)), objective);
  EXPECT_EQ(least_exponent(objective), 0.3);
  EXPECT_EQ(least_exponent({.energy = 0, .latency = 4}), 1);
}

TEST(Objective, HasNoScoreBeyondAllNumbers) {
  Evaluation evaluation;
  evaluation.energy_pj = 1e200;
  evaluation.cycles = 10;
  EXPECT_THROW(score({.energy = 2, .latency = 1}, evaluation), OverflowError);
  EXPECT_DOUBLE_EQ(score({.energy = 1, .latency = 1}, evaluation), 1e201);
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
