// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/text/printable.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tilewright {
namespace {

TEST(DecodeUtf8, TakesWholeCharacters) {
  EXPECT_EQ(decode_utf8("a", 0).value, U'a');
  EXPECT_EQ(decode_utf8("\xC2\xB5m", 0).value, U'\u00B5');
  EXPECT_EQ(decode_utf8("\xC2\xB5m", 0).length, 2U);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80", 0).value, U'\U0001F600');
}

TEST(DecodeUtf8, RefusesBrokenBytesOneAtATime) {
  for (const char* bad :
       {"\xFF", "\xC2", "\xC0\x80", "\xED\xA0\x80", "\xE2\x82", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(decode_utf8(bad, 0).valid) << bad;
    EXPECT_EQ(decode_utf8(bad, 0).length, 1U);
  }
}

TEST(Printable, LeavesNothingThatATerminalObeys) {
  EXPECT_EQ(printable("a\tb\nc"), "a b c");
  EXPECT_EQ(printable("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(printable("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(printable("\xC2\xB5"), "\xC2\xB5");
}

TEST(InBackticks, CutsLongNames) {
  EXPECT_EQ(in_backticks("GLB"), "`GLB`");
  EXPECT_EQ(in_backticks(std::string(100, 'x')), '`' + std::string(60, 'x') + "...`");
}

TEST(JoinNames, SaysOrBeforeTheLast) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(join_names(names, "or"), "`a`, `b` or `c`");
  EXPECT_EQ(join_names(std::vector<std::string>{"a"}, "or"), "`a`");
  EXPECT_EQ(join_names(std::vector<std::string>{}, "or"), "");
}

TEST(EndsWith, IgnoresCase) {
  EXPECT_TRUE(ends_with_ignoring_case("a.NEST", ".nest"));
  EXPECT_FALSE(ends_with_ignoring_case("nest", ".nest"));
}

}  // namespace
}  // namespace tilewright
