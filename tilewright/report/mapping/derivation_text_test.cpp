// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/derivation_text.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

// Z[m] += A[m,k] * B[k]: m 4 in time outside k, B comes again for every m.
TEST(DerivationLines, SayWhichLoopsMoveAndWhichRepeat) {
  const DimId m(0), k(1);
  const Problem problem(
      Workload("g", {{"m", 4}, {"k", 6}},
               {{"A", "input", 8, {{{{m}}}, {{{k}}}}},
                {"B", "weight", 8, {{{{k}}}}},
                {"Z", "output", 8, {{{{m}}}}}}),
      Arch("a", "", std::nullopt, {Memory{.name = "DRAM"}, Memory{.name = "RF"}}, Compute{}));
  const Mapping mapping(
      {keep(NodeId(0), 7), temporal(m, 4), temporal(k, 3), keep(NodeId(1), 7), temporal(k, 2)});
  const TensorId b(1);
  const Derivation why = derive(problem, mapping, NodeId(0), b, Action::kReads);
  EXPECT_EQ(why.value, 24);
  EXPECT_EQ(derivation_lines(problem, mapping, NodeId(0), b, why, {}),
            (std::vector<std::string>{
                "DRAM.B.reads = 24",
                "  DRAM serves RF: a tile of 2 elements at a time",
                "  loops outside RF, outermost first:",
                "    for m 4  tiles are sent again every step: a loop inside moves them",
                "    for k 3  every step needs another tile of B",
                "  elements                6  k 6",
                "  x passes                4  m 4",
                "  =                      24",
            }));
  EXPECT_EQ(derivation_lines(problem, mapping, NodeId(0), b,
                             derive(problem, mapping, NodeId(0), b, Action::kFills), {})[1],
            "  DRAM is the home of B: nothing fills it");
  EXPECT_EQ(tile_lines(problem, mapping, NodeId(1), TensorId(0), 2)[2], "  along k: k 2");
}

TEST(Derivation, LeavesOutFirstTouches) {
  const DimId m(0), k(1);
  const Problem problem(
      Workload("g", {{"m", 4}, {"k", 6}},
               {{"A", "input", 8, {{{{m}}}, {{{k}}}}}, {"Z", "output", 8, {{{{m}}}}}}),
      Arch("a", "", std::nullopt, {Memory{.name = "DRAM"}}, Compute{}));
  const Mapping mapping({keep(NodeId(0), 3), temporal(k, 6), temporal(m, 4)});
  const Derivation why = derive(problem, mapping, NodeId(0), TensorId(1), Action::kReads);
  EXPECT_EQ(why.whole, 24);
  EXPECT_EQ(why.first_touches, 4);
  EXPECT_EQ(why.value, 20);
}

}  // namespace
}  // namespace tilewright
