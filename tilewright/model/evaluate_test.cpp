// SPDX-License-Identifier: Apache-2.0
// What evaluate() refuses; what it counts is in tests/cost.
#include "tilewright/model/evaluate.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"
#include "tilewright/model/model_test_support.h"

namespace tilewright::hand_case {
namespace {

TEST(Evaluate, RefusesAMappingThatMakesNoSense) {
  const Problem problem = two_levels(gemm(4, 2, 2));
  EXPECT_THROW(run(problem, {keep(0, kAll), time(kM, 2), time(kN, 2), time(kK, 2)}), InternalError);
}

TEST(Evaluate, CountsThatDoNotFitAreNotNumbers) {
  // 16 tiles of 2^20 elements, 2^20 times; with holes, each is a box of 2^50.
  const std::int64_t big = std::int64_t{1} << 20;
  const Workload workload =
      make_workload({{"p", big}, {"q", big}, {"r", 16}},
                    {{affine(std::int64_t{1} << 30, 0, 1, 2)}, {plain(1)}, {plain(0), plain(1)}});
  const std::vector<NestNode> nest = {keep(0, kAll), time(1, big), time(2, 16), keep(1, kAll),
                                      time(0, big)};
  const Problem problem = two_levels(workload, false);
  EXPECT_EQ(run(problem, nest).memories[1].tensors[0].fills, std::int64_t{1} << 44);
  Conventions boxes;
  boxes.holes_are_data = true;
  EXPECT_THROW(run(problem, nest, boxes), OverflowError);
  // 2^19 x 2^20 boxes of 2^30 each: already the sum over the tiles of one pass is too large.
  const Workload wide =
      make_workload({{"p", big}, {"q", 2}, {"r", big}},
                    {{affine(std::int64_t{1} << 30, 0, 1, 2)}, {plain(1)}, {plain(0), plain(1)}});
  EXPECT_THROW(
      run(two_levels(wide, false),
          {keep(0, kAll), time(1, 2), time(2, big), time(0, big / 2), keep(1, kAll), time(0, 2)},
          boxes),
      OverflowError);
}

}  // namespace
}  // namespace tilewright::hand_case
