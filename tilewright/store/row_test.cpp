// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/row.h"

#include <gtest/gtest.h>

#include "tilewright/base/input_error.h"

namespace tilewright {
namespace {

TEST(Row, ComesBackFromBytes) {
  Row full{sha256_digest("a"), "proved", 3.5, 7e12, 12345678901, 3.25, 17, "for m in 3\n", 0.25};
  Row empty{sha256_digest("b"), "infeasible", {}, {}, {}, {}, 0, "", 0};
  const std::vector<Row> rows = rows_from_bytes(rows_to_bytes(std::vector{full, empty}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0].same_answer(full));
  EXPECT_EQ(rows[0].seconds, full.seconds);
  EXPECT_TRUE(rows[1].same_answer(empty));
}

TEST(Row, RefusesBytesThatEndEarly) {
  const std::string bytes = rows_to_bytes(std::vector{Row{.status = "proved"}});
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_THROW(rows_from_bytes(bytes.substr(0, size)), InputError) << size;
  }
}

TEST(Row, TimesAreNoPartOfTheAnswer) {
  const Row row{.status = "proved", .score = 1, .seconds = 1};
  Row other = row;
  other.seconds = 2;
  EXPECT_TRUE(row.same_answer(other));
  other.score = 2;
  EXPECT_FALSE(row.same_answer(other));
}

}  // namespace
}  // namespace tilewright
