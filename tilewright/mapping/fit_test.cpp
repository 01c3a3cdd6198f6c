// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/random_case.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

bool fits_by_violations(const Problem& problem, const Mapping& mapping) {
  return std::ranges::none_of(find_violations(problem, mapping), [](const Violation& violation) {
    return violation.kind == Violation::Kind::kCapacity ||
           violation.kind == Violation::Kind::kPartition;
  });
}

// The same problem with capacities and partitions of about the sizes of tiles.
Problem with_limits(const Problem& problem, Random& random) {
  std::vector<ArchNode> nodes;
  for (ArchNode node : problem.arch().nodes()) {
    if (Memory* memory = std::get_if<Memory>(&node)) {
      const auto bits = [&] { return random.between(1, std::int64_t{1} << random.between(4, 13)); };
      if (random.one_in(2)) memory->capacity_bits = 4 * bits();
      memory->buffering = random.between(1, 3);
      for (const Tensor& tensor : problem.workload().tensors()) {
        if (random.one_in(8)) memory->partitions.push_back({tensor.name, 4 * bits()});
      }
    }
    nodes.push_back(std::move(node));
  }
  return problem.with(Arch("limited", "", std::nullopt, nodes, problem.arch().compute()));
}

TEST(Fit, AgreesWithFindViolations) {
  Random random(3);
  int fitting = 0;
  constexpr int kCases = 4000;
  for (int i = 0; i < kCases; ++i) {
    const testing::RandomCase random_case = testing::make_case(11, static_cast<std::uint64_t>(i));
    const Problem problem = with_limits(random_case.problem, random);
    const bool expected = fits_by_violations(problem, random_case.mapping);
    const Fit fit(problem);
    ASSERT_EQ(fit.fits(random_case.mapping.nodes()), expected) << "case " << i;
    // Loops of factor 1 change nothing.
    const auto nodes = random_case.mapping.nodes();
    std::vector<NestNode> padded;
    for (const NestNode& node : nodes) {
      padded.push_back(node);
      padded.push_back(temporal(DimId(0), 1));
    }
    ASSERT_EQ(fit.fits(padded), expected) << "case " << i;
    fitting += expected ? 1 : 0;
  }
  EXPECT_GT(fitting, kCases / 5);
  EXPECT_LT(fitting, kCases * 4 / 5);
}

// A[m,k] of 2^60 elements, 8 bit each, in an unlimited memory.
TEST(Fit, TileTooLargeToCountDoesNotFit) {
  const std::int64_t size = std::int64_t{1} << 30;
  const DimId m(0), k(1);
  const Workload workload("large", {{"m", size}, {"k", size}},
                          {{"A", "input", 8, {{{{m}}}, {{{k}}}}},
                           {"B", "weight", 8, {{{{k}}}}},
                           {"Z", "output", 8, {{{{m}}}}}});
  Memory dram, rf;
  dram.name = "DRAM";
  rf.name = "RF";
  rf.capacity_bits = 24;
  const Problem problem(workload, Arch("a", "", std::nullopt, {dram, rf}, Compute{}));
  const auto nest = [&](TensorSet at_home) {
    return std::vector<NestNode>{keep(NodeId(0), at_home), temporal(m, size), temporal(k, size),
                                 keep(NodeId(1), 7)};
  };
  const Fit fit(problem);
  EXPECT_FALSE(fit.fits(nest(7)));
  EXPECT_THROW(find_violations(problem, Mapping(nest(7))), OverflowError);
  EXPECT_TRUE(fit.fits(nest(6)));
}

}  // namespace
}  // namespace tilewright
