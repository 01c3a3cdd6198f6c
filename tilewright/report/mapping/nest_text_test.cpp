// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/nest_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

using testing::reference_arch;
using testing::reference_mapping;
using testing::reference_workload;

Workload awkward() {
  const DimId m(0), k(1);
  return Workload("mv", {{"m", 100}, {"k", 7}},
                  {{"A", "input", 16, {{{{m}}}, {{{k}}}}},
                   {"x", "weight", 16, {{{{k}}}}},
                   {"y", "output", 16, {{{{m}}}}}});
}

TEST(NestText, HasTilesBesideKeepNodes) {
  const Problem problem(reference_workload(), reference_arch());
  EXPECT_EQ(nest_text(problem, reference_mapping(), {}),
            "DRAM: keep Inputs Weights Outputs  # 151,875  864  401,408\n"
            "  for p 8, q 2, m 4\n"
            "shared_glb: keep Inputs Outputs    # 9,831  6,272\n"
            "  for p 14, q 4\n"
            "PE: parfor q 14 on X, c 3 on Y, s 3 on Y\n"
            "ifmap_spad: keep Inputs            # 3\n"
            "weights_spad: keep Weights         # 24\n"
            "  for r 3\n"
            "psum_spad: keep Outputs            # 8\n"
            "  for m 8\n"
            "mac\n");
}

TEST(NestText, NamesTensorsWhereThereIsRoom) {
  const Problem problem(reference_workload(), reference_arch());
  TextOptions wide;
  wide.width = 100;
  EXPECT_NE(nest_text(problem, reference_mapping(), wide)
                .find("# Inputs 151,875  Weights 864  Outputs 401,408"),
            std::string::npos);
}

TEST(NestText, ShowsTheLastPass) {
  const Problem problem(awkward(), Arch("a", "", {}, {testing::reference_memory("M", 1)}, {}));
  const Mapping mapping({keep(NodeId(0), 0b111), temporal(DimId(0), 4), temporal(DimId(1), 7),
                         temporal(DimId(0), 28)});
  EXPECT_EQ(nest_text(problem, mapping, {}),
            "M: keep A x y         # A 700  x 7  y 100\n"
            "  for m 4, k 7, m 28  # m 28 (last 16)\n"
            "mac\n");
}

TEST(NestText, BreaksLongLines) {
  const Problem problem(reference_workload(), reference_arch());
  for (int width = 40; width < 90; ++width) {
    TextOptions options;
    options.width = width;
    std::istringstream stream(nest_text(problem, reference_mapping(), options));
    for (std::string line; std::getline(stream, line);) {
      EXPECT_LE(display_width(line), width) << line;
    }
  }
}

TEST(FindRaggedLoops, FollowsTheChainFromTheInside) {
  // 100 over 28 inside is 4 passes, the last one of 16; 4 over 3 is 2 passes, the last one of 1.
  const Mapping mapping({keep(NodeId(0), 0b111), temporal(DimId(0), 2), temporal(DimId(0), 3),
                         temporal(DimId(1), 7), temporal(DimId(0), 28)});
  const std::vector<RaggedLoop> ragged = find_ragged_loops(awkward(), mapping);
  ASSERT_EQ(ragged.size(), 2U);
  EXPECT_EQ(ragged[0].position, 2);
  EXPECT_EQ(ragged[0].last, 1);
  EXPECT_EQ(ragged[1].position, 4);
  EXPECT_EQ(ragged[1].last, 16);
}

TEST(FindRaggedLoops, FindsNoneInAPerfectNest) {
  EXPECT_TRUE(find_ragged_loops(reference_workload(), reference_mapping()).empty());
}

}  // namespace
}  // namespace tilewright
