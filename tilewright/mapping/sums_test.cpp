// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/sums.h"

#include <gtest/gtest.h>

#include "tilewright/mapping/fit.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

const NodeId kDram(0), kGlb(1), kPe(2), kAcc(3);
const DimId kM(0), kN(1), kK(2);

// A[m,k] * B[k,n] on DRAM - GLB - PE - accumulators; Z has 8 bits, and 32 while it is summed.
Problem gemm(std::optional<std::int64_t> glb_bits, bool reduces) {
  Workload workload("g", {{"m", 4}, {"n", 6}, {"k", 8}},
                    {{"A", "input", 8, {{{{kM}}}, {{{kK}}}}},
                     {"B", "weight", 8, {{{{kK}}}, {{{kN}}}}},
                     {"Z", "output", 8, {{{{kM}}}, {{{kN}}}}, 32}});
  Memory dram, glb, acc;
  dram.name = "DRAM";
  glb.name = "GLB";
  glb.capacity_bits = glb_bits;
  acc.name = "acc";
  acc.keep = {false, {"output"}};
  Fanout pe{.name = "PE", .axes = {{"X", 8}}, .reduction = reduces};
  return Problem(std::move(workload), Arch("a", "", std::nullopt, {dram, glb, pe, acc}, Compute{}));
}

std::vector<bool> unfinished(const Problem& problem, const std::vector<NestNode>& nest) {
  std::vector<bool> result;
  for (int i = 0; i < static_cast<int>(nest.size()); ++i) {
    const NestNode& node = nest[static_cast<std::size_t>(i)];
    if (!node.is_loop() && (node.tensors & 4U) != 0) {
      result.push_back(sums_unfinished(problem, nest, i));
    }
  }
  return result;
}

TEST(SumsUnfinished, EndsWhereTheLastSumIsInside) {
  // All of k inside the accumulators: what leaves them is finished.
  EXPECT_EQ(unfinished(gemm({}, true), {keep(kDram, 7), temporal(kM, 4), keep(kGlb, 7),
                                        temporal(kN, 6), keep(kAcc, 4), temporal(kK, 8)}),
            (std::vector{false, false, true}));
  // A part of k outside of them, but inside the buffer.
  EXPECT_EQ(
      unfinished(gemm({}, true), {keep(kDram, 7), temporal(kM, 4), keep(kGlb, 7), temporal(kN, 6),
                                  temporal(kK, 2), keep(kAcc, 4), temporal(kK, 4)}),
      (std::vector{false, true, true}));
  EXPECT_EQ(
      unfinished(gemm({}, true), {keep(kDram, 7), temporal(kM, 4), temporal(kK, 2), keep(kGlb, 7),
                                  temporal(kN, 6), keep(kAcc, 4), temporal(kK, 4)}),
      (std::vector{true, true, true}));
}

TEST(SumsUnfinished, CountsFanOutsThatReduceAsInside) {
  const std::vector<NestNode> nest{keep(kDram, 7), temporal(kM, 4),        temporal(kN, 6),
                                   keep(kGlb, 7),  spatial(kPe, 0, kK, 8), keep(kAcc, 4)};
  EXPECT_EQ(unfinished(gemm({}, true), nest), (std::vector{false, false, true}));
  EXPECT_EQ(unfinished(gemm({}, false), nest), (std::vector{false, true, true}));
}

TEST(SumsUnfinished, CountsDimsOfTheOutputWherePointsMeet) {
  // Z[2p+r]: with three taps neighbours meet, with two they do not.
  const auto transposed = [](std::int64_t taps) {
    const DimId p(0), r(1);
    Workload workload("t", {{"p", 4}, {"r", taps}},
                      {{"A", "input", 8, {{{{p}}}}},
                       {"B", "weight", 8, {{{{r}}}}},
                       {"Z", "output", 8, {{{{p, 2}, {r, 1}}}}, 32}});
    Memory outer, inner;
    outer.name = "outer";
    inner.name = "inner";
    return Problem(std::move(workload), Arch("a", "", std::nullopt, {outer, inner}, Compute{}));
  };
  const NodeId inner(1);
  const DimId p(0), r(1);
  EXPECT_EQ(
      unfinished(transposed(3), {keep(kDram, 7), temporal(p, 4), keep(inner, 7), temporal(r, 3)}),
      (std::vector{true, true}));
  EXPECT_EQ(
      unfinished(transposed(2), {keep(kDram, 7), temporal(p, 4), keep(inner, 7), temporal(r, 2)}),
      (std::vector{false, false}));
}

TEST(SumsUnfinished, MakesTilesWider) {
  // 1 row of Z and of A and all of B: (6 + 8 + 48) * 8 bit; 24 bit more for each partial sum.
  const std::vector<NestNode> finished{keep(kDram, 7),  temporal(kM, 4), keep(kGlb, 7),
                                       temporal(kN, 6), keep(kAcc, 4),   temporal(kK, 8)};
  std::vector<NestNode> spilt = finished;
  spilt[5].factor = 4;
  spilt.insert(spilt.begin() + 4, temporal(kK, 2));
  for (const auto& [nest, bits] : {std::pair{finished, 496}, std::pair{spilt, 640}}) {
    EXPECT_TRUE(find_violations(gemm(bits, true), Mapping(nest)).empty());
    EXPECT_TRUE(Fit(gemm(bits, true)).fits(nest));
    EXPECT_FALSE(Fit(gemm(bits - 1, true)).fits(nest));
    const auto found = find_violations(gemm(bits - 1, true), Mapping(nest));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].value, bits);
  }
}

}  // namespace
}  // namespace tilewright
