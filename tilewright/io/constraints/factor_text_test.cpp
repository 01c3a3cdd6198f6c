// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/factor_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tilewright {
namespace {

using Kind = Constraint::Kind;

TEST(ParseFactor, ReadsWhatIsDocumented) {
  TextFault fault;
  const auto equal = parse_factor("c = 4", fault);
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->dim.text, "c");
  EXPECT_EQ(equal->kind, Kind::kEqual);
  EXPECT_EQ(equal->value, 4);
  EXPECT_FALSE(equal->axis);
  EXPECT_EQ(parse_factor("p <= 7", fault)->kind, Kind::kAtMost);
  const auto all = parse_factor("r = all on X", fault);
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->value);
  EXPECT_EQ(all->number.text, "all");
  EXPECT_EQ(all->axis->text, "X");
  const auto spatial = parse_factor("  row>=12  on X.y ", fault);
  ASSERT_TRUE(spatial);
  EXPECT_EQ(spatial->dim.text, "row");
  EXPECT_EQ(spatial->dim.offset, 2U);
  EXPECT_EQ(spatial->kind, Kind::kAtLeast);
  EXPECT_EQ(spatial->value, 12);
  EXPECT_EQ(spatial->number.offset, 7U);
  EXPECT_EQ(spatial->axis->text, "X.y");
  EXPECT_EQ(spatial->axis->offset, 14U);
  EXPECT_EQ(fault.code, "");
}

std::string finding(const std::string& text) {
  TextFault fault;
  EXPECT_FALSE(parse_factor(text, fault)) << text;
  EXPECT_LE(fault.offset + fault.length, text.size());
  std::string result = fault.code + " " + std::to_string(fault.offset) + "+" +
                       std::to_string(fault.length) + " " + fault.message;
  for (const std::string& help : fault.helps) result += " / " + help;
  return result;
}

TEST(ParseFactor, SaysWhatItExpected) {
  EXPECT_EQ(finding(""), "K0005 0+0 expected the name of a dim, found the end");
  EXPECT_EQ(finding("= 4"), "K0005 0+3 expected the name of a dim, found `= 4`");
  EXPECT_EQ(finding("c"), "K0005 0+0 expected `=`, `<=` or `>=`, found the end");
  EXPECT_EQ(finding("c4"), "K0005 0+0 expected `=`, `<=` or `>=`, found the end / write `c = 4`");
  EXPECT_EQ(finding("c 4"), "K0005 2+1 expected `=`, `<=` or `>=`, found `4` / write `c = 4`");
  EXPECT_EQ(finding("c == 4"),
            "K0005 2+4 expected `=`, `<=` or `>=`, found `== 4` / write `c = 4`");
  EXPECT_EQ(finding("c =< 4"),
            "K0005 2+4 expected `=`, `<=` or `>=`, found `=< 4` / write `c <= 4`");
  EXPECT_EQ(finding("c => 4"),
            "K0005 2+4 expected `=`, `<=` or `>=`, found `=> 4` / write `c >= 4`");
  EXPECT_EQ(finding("c < 4"), "K0005 2+3 expected `=`, `<=` or `>=`, found `< 4` / write `c <= 3`");
  EXPECT_EQ(finding("c < 1"), "K0005 2+3 expected `=`, `<=` or `>=`, found `< 1`");
  EXPECT_EQ(finding("c>4"), "K0005 1+2 expected `=`, `<=` or `>=`, found `>4` / write `c >= 5`");
  EXPECT_EQ(finding("c != 4"), "K0005 2+4 expected `=`, `<=` or `>=`, found `!= 4`");
  EXPECT_EQ(finding("c <= all"), "F0020 5+3 `all` is not a whole number");
  EXPECT_EQ(finding("c ="), "K0005 0+0 expected a whole number, found the end");
  EXPECT_EQ(finding("c = 4 X"), "K0005 6+1 expected `on` and an axis, or the end, found `X`");
  EXPECT_EQ(finding("c = 4 on"), "K0005 0+0 expected the name of an axis, found the end");
  EXPECT_EQ(finding("c = 4 on X Y"), "K0005 11+1 expected the end, found `Y`");
  EXPECT_EQ(finding("c = 4, p = 2"), "F0020 4+2 `4,` is not a whole number");
}

TEST(ParseFactor, TheNumberIsWholeAndAtLeastOne) {
  EXPECT_EQ(finding("c = x"), "F0020 4+1 `x` is not a whole number");
  EXPECT_EQ(finding("c = 0"), "F0024 4+1 0 is less than 1");
  EXPECT_EQ(finding("c <= -3"), "F0024 5+2 -3 is less than 1");
  EXPECT_EQ(finding("c = 1.5"), "F0020 4+3 `1.5` is not a whole number");
  EXPECT_EQ(finding("c = 99999999999999999999"), "F0024 4+20 `99999999999999999999` is too large");
}

}  // namespace
}  // namespace tilewright
