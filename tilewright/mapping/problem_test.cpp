// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/problem.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(Problem, ResolvesNamesBeforeRoles) {
  const Workload gemm("g", {{"m", 4}, {"k", 3}},
                      {{"A", "input", 8, {{{{DimId(0)}}}, {{{DimId(1)}}}}},
                       {"B", "weight", 8, {{{{DimId(1)}}}}},
                       {"Z", "output", 24, {{{{DimId(0)}}}}}});
  Memory memory;
  memory.name = "M";
  memory.keep = {false, {"input", "Z", "nobody"}};
  memory.bits = {{"Z", 32}, {"output", 16}, {"weight", 4}};
  memory.partitions = {{"input", 100}};
  const Problem problem(gemm, Arch("a", "", std::nullopt, {memory}, Compute{}));
  const ResolvedMemory& resolved = problem.memory(NodeId(0));
  EXPECT_EQ(resolved.may_keep, 0b101U);
  EXPECT_EQ(resolved.sliding, 0b111U);
  EXPECT_EQ(resolved.bits, (std::vector<std::int64_t>{8, 4, 32}));
  EXPECT_EQ(resolved.partition_bits[0], 100);
  EXPECT_EQ(resolved.partition_bits[1], std::nullopt);
  ASSERT_EQ(problem.unknown().size(), 1U);
  EXPECT_EQ(problem.unknown()[0].name, "nobody");
  EXPECT_EQ(resolve_tensors(gemm, "weight"), 0b010U);
  EXPECT_EQ(resolve_tensors(gemm, "Z"), 0b100U);
  EXPECT_EQ(resolve_tensors(gemm, "nobody"), 0U);
}

}  // namespace
}  // namespace tilewright
