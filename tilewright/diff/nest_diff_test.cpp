// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/nest_diff.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

constexpr NodeId kDram(0), kGlb(1), kPe(2), kPsum(5);
constexpr DimId kM(1), kP(3), kQ(4);

TEST(NestDiff, MarksNothingInEqualNests) {
  const testing::Reference reference;
  const auto rows =
      diff_nests(reference.problem, reference.mapping, reference.problem, reference.mapping);
  for (const NestRow& row : rows) {
    ASSERT_EQ(row.before.size(), row.after.size());
    for (const NestItem& item : row.before) EXPECT_TRUE(item.same) << item.text;
  }
}

TEST(NestDiff, PutsTheSameNodesInOneRowAndMarksTheRest) {
  const testing::Reference reference;
  const Mapping before({keep(kDram, 0b111), temporal(kP, 8), temporal(kM, 4), keep(kGlb, 0b001),
                        temporal(kQ, 8), spatial(kPe, 0, kQ, 14), keep(kPsum, 0b100)});
  const Mapping after({keep(kDram, 0b111), temporal(kM, 4), temporal(kP, 8), keep(kGlb, 0b101),
                       spatial(kPe, 0, kQ, 13), spatial(kPe, 1, kP, 2)});
  const auto rows = diff_nests(reference.problem, before, reference.problem, after);
  EXPECT_EQ(nest_diff_text(rows, {"a.json", "b.json"}, {}),
            "mapping (in brackets: what the other one does not have there)\n"
            "                      a.json                  b.json\n"
            "  DRAM        keep    Inputs Weights Outputs  Inputs Weights Outputs\n"
            "              for     [p 8], m 4              m 4, [p 8]\n"
            "  shared_glb  keep    Inputs                  Inputs [Outputs]\n"
            "              for     [q 8]                   -\n"
            "  PE          parfor  [q 14 on X]             [q 13 on X (last 8)]\n"
            "                                              [p 2 on Y]\n"
            "  psum_spad   keep    [Outputs]               -\n");
}

}  // namespace
}  // namespace tilewright
