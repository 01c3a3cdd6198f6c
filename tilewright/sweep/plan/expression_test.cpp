// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/expression.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

const std::vector<std::string> kNames = {"x", "glb"};
const std::vector<Amount> kValues = {{{6, 1}, ""}, {{32, 1}, "KiB"}};

std::string value(const std::string& text) {
  TextFault fault;
  const auto expression = Expression::parse(text, kNames, fault);
  if (!expression) return "fault: " + fault.label;
  return to_text(expression->value(kValues));
}

TEST(Expression, Computes) {
  EXPECT_EQ(value("x"), "6");
  EXPECT_EQ(value("8 KiB * x"), "48 KiB");
  EXPECT_EQ(value("glb / 3 + 1 KiB"), "35/3 KiB");
  EXPECT_EQ(value("(x + 2) * (x - 2) / 5"), "6.4");
  EXPECT_EQ(value("x - 2 - 3"), "1");
  EXPECT_EQ(value("x / 2 / 2"), "1.5");
  EXPECT_EQ(value("1 - 1.25"), "-0.25");
  EXPECT_EQ(value("min(x, 4, 9)"), "4");
  EXPECT_EQ(value("max(glb, 8 KiB * x)"), "48 KiB");
  EXPECT_EQ(value("glb / 8 KiB"), "4");
  EXPECT_EQ(value("12.8 GB/s * x"), "76.8 GB/s");
  EXPECT_EQ(value("0.25 um2 * x"), "1.5 um2");
}

TEST(Expression, RefusesWhatItCannotRead) {
  EXPECT_EQ(value("y"), "fault: there is no such parameter");
  EXPECT_EQ(value("2 x"), "fault: a parameter is multiplied by `*`");
  EXPECT_EQ(value("2 +"), "fault: expected a number, a parameter or `(`");
  EXPECT_EQ(value("(2"), "fault: expected `)`");
  EXPECT_EQ(value("2 2"), "fault: an operator was expected here");
  EXPECT_EQ(value(""), "fault: expected a number, a parameter or `(`");
  EXPECT_EQ(value("99999999999999999999"), "fault: this number has too many digits");
  EXPECT_EQ(value(std::string(200, '(')), "fault: parentheses are nested too deeply");
}

TEST(Expression, RefusesUnitsThatDoNotFit) {
  EXPECT_THROW(value("glb + x"), InputError);
  EXPECT_THROW(value("glb * glb"), InputError);
  EXPECT_THROW(value("x / glb"), InputError);
  EXPECT_THROW(value("x / (x - 6)"), InputError);
  EXPECT_THROW(value("min(x, glb)"), InputError);
  EXPECT_THROW(value("9223372036854775807 * x"), OverflowError);
}

bool holds(const std::string& text) {
  TextFault fault;
  const auto condition = Condition::parse(text, kNames, fault);
  EXPECT_TRUE(condition) << text << ": " << fault.label;
  return condition && condition->holds(kValues);
}

TEST(Condition, Compares) {
  EXPECT_TRUE(holds("x < 7"));
  EXPECT_FALSE(holds("x < 6"));
  EXPECT_TRUE(holds("x <= 6"));
  EXPECT_TRUE(holds("x == 12 / 2"));
  EXPECT_FALSE(holds("x != 6"));
  EXPECT_TRUE(holds("glb >= 4 KiB * x"));
  EXPECT_FALSE(holds("glb > 32 KiB"));
  TextFault fault;
  EXPECT_FALSE(Condition::parse("x", kNames, fault));
  EXPECT_FALSE(Condition::parse("x < 3 < 4", kNames, fault));
}

std::string values(const std::string& text) {
  TextFault fault;
  const auto amounts = parse_values(text, fault);
  if (!amounts) return "fault: " + fault.label;
  std::string list;
  for (const Amount& amount : *amounts) list += to_text(amount) + ";";
  return list;
}

TEST(Values, AreNumbersAndRanges) {
  EXPECT_EQ(values("64 KiB"), "64 KiB;");
  EXPECT_EQ(values("2..5"), "2;3;4;5;");
  EXPECT_EQ(values("2..9:+3"), "2;5;8;");
  EXPECT_EQ(values("8 KiB..64 KiB:*2"), "8 KiB;16 KiB;32 KiB;64 KiB;");
  EXPECT_EQ(values("1 KiB..2 KiB:+0.5 KiB"), "1 KiB;1.5 KiB;2 KiB;");
  EXPECT_EQ(values("1 KiB..2 KiB:+1"), "1 KiB;2 KiB;");
  EXPECT_EQ(values("5..2"), "fault: the range ends before it begins");
  EXPECT_EQ(values("2..8:*1"), "fault: each step must lead upwards");
  EXPECT_EQ(values("2..8:+0"), "fault: each step must lead upwards");
  EXPECT_EQ(values("2 KiB..8"), "fault: both ends of a range need the same unit");
  EXPECT_EQ(values("1..9999999"), "fault: a parameter has at most 500000 values");
  EXPECT_EQ(values("a"), "fault: expected a number");
}

}  // namespace
}  // namespace tilewright
