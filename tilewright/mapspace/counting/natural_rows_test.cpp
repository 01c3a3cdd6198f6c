// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/natural_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tilewright {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(NaturalRows, GiveBackWhatWasAdded) {
  const Natural wide = Natural(kMost) * Natural(kMost) * Natural(3);
  const std::vector<std::vector<Natural>> rows = {{0, 0, 0}, {1, kMost, 2}, {7, wide, kMost}};
  NaturalRows table(3);
  for (const std::vector<Natural>& row : rows) table.add(row);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      EXPECT_EQ(Natural(table.limbs(row, column)), rows[row][column]) << row << ' ' << column;
    }
  }
}

TEST(NaturalRows, ARowHasTheLimbsOfItsLargestNumber) {
  NaturalRows table(2);
  table.add(std::vector<Natural>{0, 0});
  table.add(std::vector<Natural>{5, 6});
  table.add(std::vector<Natural>{5, Natural(kMost) + 1});
  EXPECT_EQ(table.limbs(0, 1).size(), 0U);
  EXPECT_EQ(table.limbs(1, 1).size(), 1U);
  EXPECT_EQ(table.limbs(2, 0).size(), 2U);
}

}  // namespace
}  // namespace tilewright
