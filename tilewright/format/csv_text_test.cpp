// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/csv_text.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(CsvCell, QuotesOnlyWhatMustBe) {
  EXPECT_EQ(csv_cell("conv1"), "conv1");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a \"b\""), "\"a \"\"b\"\"\"");
}

TEST(CsvCell, NeutralisesWhatASpreadsheetWouldRun) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+x"), "'+x");
  EXPECT_EQ(csv_cell("-x"), "'-x");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\t=x"), "'\t=x");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"a\",1)"), "\"'=HYPERLINK(\"\"a\"\",1)\"");
  EXPECT_EQ(csv_cell("a=b"), "a=b");
}

}  // namespace
}  // namespace tilewright
