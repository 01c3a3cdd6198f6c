// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/rerun_text.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

constexpr const char* kOld = R"({"tilewright": {"version": "1"}, "a": [1, {"b": "x"}], "c": []})";

std::string verdict(const std::string& now) {
  return rerun_text(compare_results(kOld, now), TextOptions{});
}

TEST(RerunText, SaysWhetherTheBytesAreTheSame) {
  EXPECT_EQ(verdict(kOld), "rerun: the same 63 bytes\n");
  EXPECT_EQ(verdict(R"({"tilewright":{"version":"1"},"a":[1,{"b":"x"}],"c":[]})"),
            "rerun: the same 4 values, although the file is formatted differently\n");
}

TEST(RerunText, ToleratesAnotherVersionOnly) {
  const auto other =
      compare_results(kOld, R"({"tilewright": {"version": "2"}, "a": [1, {"b": "x"}], "c": []})");
  EXPECT_TRUE(other.values.empty());
  EXPECT_EQ(rerun_text(other, {}),
            "rerun: the same 4 values; only the program's version differs\n");
}

TEST(RerunText, NamesWhatDiffers) {
  EXPECT_EQ(verdict(R"({"tilewright": {"version": "1"}, "a": [2, {"b": "y", "d": 0}]})"),
            "rerun: 4 of 5 values differ\n"
            "          in the file      now\n"
            "  a[0]              1        2\n"
            "  a[1].b          \"x\"      \"y\"\n"
            "  c                []  nothing\n"
            "  a[1].d      nothing        0\n");
}

TEST(RerunText, ShowsTheFirstOfMany) {
  std::string now = "[0";
  for (int i = 1; i < 30; ++i) now += "," + std::to_string(i);
  const std::string text = rerun_text(compare_results("{}", now + "]"), {});
  EXPECT_NE(text.find("and 21 more"), std::string::npos) << text;
}

}  // namespace
}  // namespace tilewright
