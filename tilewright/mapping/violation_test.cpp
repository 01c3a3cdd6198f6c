// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/violation.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

using Kind = Violation::Kind;

// A[m,k] * B[k,n] on DRAM - GLB(1,000 bit) - PE(4 x 2) - RF, 8 bit each.
Problem gemm() {
  const DimId m(0), n(1), k(2);
  Workload workload("g", {{"m", 10}, {"n", 6}, {"k", 7}},
                    {{"A", "input", 8, {{{{m}}}, {{{k}}}}},
                     {"B", "weight", 8, {{{{k}}}, {{{n}}}}},
                     {"Z", "output", 8, {{{{m}}}, {{{n}}}}}});
  Memory dram, glb, rf;
  dram.name = "DRAM";
  glb.name = "GLB";
  glb.capacity_bits = 1000;
  rf.name = "RF";
  rf.keep = {false, {"output"}};
  rf.partitions = {{"output", 16}};
  return Problem(
      std::move(workload),
      Arch("a", "", std::nullopt, {dram, glb, Fanout{"PE", {{"X", 4}, {"Y", 2}}}, rf}, Compute{}));
}

const NodeId kDram(0), kGlb(1), kPe(2), kRf(3);
const DimId kM(0), kN(1), kK(2);

std::vector<NestNode> legal() {
  return {keep(kDram, 7),         temporal(kM, 3),        temporal(kN, 3), keep(kGlb, 7),
          spatial(kPe, 0, kM, 4), spatial(kPe, 1, kN, 2), keep(kRf, 4),    temporal(kK, 7)};
}

Violation first(std::vector<NestNode> nodes) {
  const auto all = find_violations(gemm(), Mapping(std::move(nodes)));
  return all.empty() ? Violation{.kind = Kind::kAxis, .value = -1} : all.front();
}

TEST(FindViolations, AcceptsALegalImperfectMapping) {
  EXPECT_TRUE(find_violations(gemm(), Mapping(legal())).empty());
}

TEST(FindViolations, NamesStructuralFaults) {
  auto nodes = legal();
  nodes[7].factor = 6;
  EXPECT_EQ(first(nodes), (Violation{.kind = Kind::kUncovered, .dim = kK, .value = 6, .limit = 7}));
  nodes = legal();
  nodes[1].factor = 4;  // 10 rows in passes of 4: three are left, not four
  EXPECT_EQ(
      first(nodes),
      (Violation{.kind = Kind::kOvercovered, .dim = kM, .position = 1, .value = 4, .limit = 3}));
  nodes = legal();
  nodes[0].tensors = 3;
  nodes[3].tensors = 3;
  nodes[6].tensors = 0;
  EXPECT_EQ(first(nodes).kind, Kind::kNotKept);
  nodes = legal();
  nodes[6].tensors = 1;
  EXPECT_EQ(first(nodes).kind, Kind::kMayNotKeep);
  nodes = legal();
  std::swap(nodes[0], nodes[1]);
  EXPECT_EQ(first(nodes).kind, Kind::kLoopOutsideHome);
  nodes = legal();
  std::swap(nodes[3], nodes[5]);  // GLB's keep node inside the array that lies inside GLB
  std::swap(nodes[3], nodes[4]);
  EXPECT_EQ(first(nodes).kind, Kind::kFanoutOrder);
  nodes = legal();
  nodes.insert(nodes.begin() + 5, temporal(kK, 7));
  nodes.pop_back();
  EXPECT_EQ(first(nodes).kind, Kind::kFanoutSplit);
  nodes = legal();
  nodes.insert(nodes.begin() + 2, keep(kGlb, 1));
  EXPECT_EQ(first(nodes).kind, Kind::kKeptTwice);
  nodes = legal();
  nodes.push_back(keep(kGlb, 4));
  EXPECT_EQ(first(nodes).kind, Kind::kKeepOrder);
}

TEST(FindViolations, NamesWhatDoesNotFit) {
  auto nodes = legal();
  nodes[4] = spatial(kPe, 1, kM, 4);  // 4 x 2 = 8 on Y, which has 2
  EXPECT_EQ(
      first(nodes),
      (Violation{
          .kind = Kind::kAxis, .node = kPe, .axis = 1, .position = 5, .value = 8, .limit = 2}));
  nodes = legal();
  nodes.erase(nodes.begin() + 2);
  nodes.push_back(temporal(kN, 3));  // RF now holds three results of 8 bit in 16
  EXPECT_EQ(first(nodes).kind, Kind::kPartition);
  nodes = {keep(kDram, 7), keep(kGlb, 7), temporal(kM, 10), temporal(kN, 6), temporal(kK, 7)};
  EXPECT_EQ(first(nodes), (Violation{.kind = Kind::kCapacity,
                                     .node = kGlb,
                                     .position = 0 + 1,
                                     .value = 8 * (70 + 42 + 60),
                                     .limit = 1000}));
}

TEST(TileElements, AreClippedAtTheDim) {
  const Mapping mapping(legal());
  EXPECT_EQ(tile_extents(gemm(), mapping, 0), (std::vector<std::int64_t>{10, 6, 7}));
  EXPECT_EQ(tile_extents(gemm(), mapping, 3), (std::vector<std::int64_t>{4, 2, 7}));
  EXPECT_EQ(tile_elements(gemm(), mapping, TensorId(0), 3), 28);
}

}  // namespace
}  // namespace tilewright
