// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/coverage.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

TEST(Coverage, AddsUpByOperatorAndTreatment) {
  Coverage coverage;
  coverage.add({"Relu", Treatment::kTraffic, 1, 10, 320});
  coverage.add({"Conv", Treatment::kMapped, 1, 100, 64});
  coverage.add({"Conv", Treatment::kIgnored, 1, 7, 5});
  coverage.add({"Conv", Treatment::kMapped, 2, 11, 3});
  ASSERT_EQ(coverage.rows.size(), 3U);
  EXPECT_EQ(coverage.rows[0], (CoverageRow{"Conv", Treatment::kMapped, 3, 111, 67}));
  EXPECT_EQ(coverage.rows[1].op, "Relu");
  EXPECT_EQ(coverage.total(Treatment::kIgnored), (CoverageRow{"", Treatment::kIgnored, 1, 7, 5}));
  EXPECT_EQ(coverage.total().operations, 128);
}

TEST(Coverage, OverflowIsAnError) {
  Coverage coverage;
  coverage.add({"Conv", Treatment::kMapped, 1, std::int64_t{1} << 62, 0});
  EXPECT_THROW(coverage.add({"Conv", Treatment::kMapped, 1, std::int64_t{1} << 62, 0}),
               OverflowError);
}

}  // namespace
}  // namespace tilewright
