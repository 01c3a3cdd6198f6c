// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/markup.h"

#include <gtest/gtest.h>

#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

TEST(Markup, ClosesWhatItOpens) {
  Markup out;
  {
    const auto list = out.in("ul", {{"class", "a"}});
    out.leaf("li", "one");
    const auto item = out.in("li");
    out.text("two");
  }
  EXPECT_EQ(out.html(), "<ul class=\"a\"><li>one</li>\n<li>two</li>\n</ul>\n");
}

TEST(Markup, EscapesTextAndAttributes) {
  Markup out;
  out.leaf("b", {{"title", "\"><script>"}}, "<script>alert('x') & more</script>");
  EXPECT_EQ(out.html(),
            "<b title=\"&quot;&gt;&lt;script&gt;\">&lt;script&gt;alert('x') &amp; "
            "more&lt;/script&gt;</b>");
}

TEST(Markup, ReplacesWhatIsNoText) {
  const std::string sign = "\xEF\xBF\xBD";
  EXPECT_EQ(escape("m\xC3\xBCller \xE2\x86\x92 \xF0\x9F\x98\x80"),
            "m\xC3\xBCller \xE2\x86\x92 \xF0\x9F\x98\x80");
  EXPECT_EQ(escape(std::string("a\0b\x1B[1m\x7F", 8)), "a" + sign + "b" + sign + "[1m" + sign);
  EXPECT_EQ(escape("a\tb\nc"), "a b\nc");
  EXPECT_EQ(escape("a\xE2\x80\xAE\xC2\x9B"), "a" + sign + sign);  // a direction mark, a control
  EXPECT_EQ(escape("\xFF"), sign);                                // never occurs in UTF-8
  EXPECT_EQ(escape("\xC3"), sign);                                // cut off
  EXPECT_EQ(escape("\xC0\xBC"), sign + sign);                     // `<` in too many bytes
  EXPECT_EQ(escape("\xED\xA0\x80"), sign + sign + sign);          // a surrogate
  EXPECT_EQ(escape("\xF4\x90\x80\x80"), sign + sign + sign + sign);
}

TEST(Markup, NumbersAreShort) {
  EXPECT_EQ(number(12.5), "12.5");
  EXPECT_EQ(number(3), "3");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(1.0 / 0.0), "0");
  EXPECT_EQ(percent(1.0 / 3), "33.33%");
}

TEST(EscapeText, KeepsNumbersAndTheirUnitsTogether) {
  const std::string blank = "\xC2\xA0";
  EXPECT_EQ(escape_text("59.28 uJ, 20 % of <b>"),
            "59.28" + blank + "uJ, 20" + blank + "% of &lt;b&gt;");
  EXPECT_EQ(escape_text("4.65 x 10^16 mappings"), "4.65" + blank + "x" + blank + "10^16 mappings");
  EXPECT_EQ(escape_text("521.3 kJ*cycle"), "521.3" + blank + "kJ*cycle");
  EXPECT_EQ(escape_text("118.0 M"), "118.0" + blank + "M");
  EXPECT_EQ(escape_text("64 KiB in 2 buffers, 3 tensors"),
            "64" + blank + "KiB in 2 buffers, 3 tensors");
  EXPECT_EQ(escape_text("a % b 5 "), "a % b 5 ");
  EXPECT_EQ(escape_text(""), "");
}

TEST(Breakable, LongNamesMayBreakWhereTheirPartsJoin) {
  Markup out;
  breakable(out, "conv2_1, PEWeightBuffer and main_memory_<2>");
  EXPECT_EQ(out.html(), "conv2_1, PEWeight<wbr>Buffer and main_<wbr>memory_<wbr>&lt;2&gt;");
}

TEST(HeadedLines, JoinWhatWasWrapped) {
  Markup out;
  headed_lines(out, "space   ruby-s: 20\n        mappings\n\nended   all seen\nalone\n");
  EXPECT_EQ(out.html(),
            "<dl class=\"lines\"><dt>space</dt>\n<dd>ruby-s: 20 mappings</dd>\n"
            "<dt>ended</dt>\n<dd>all seen</dd>\n<dt></dt>\n<dd>alone</dd>\n</dl>\n");
}

TEST(Tracks, EndAtARoundShareThatHoldsTheLongestBar) {
  EXPECT_EQ(track_text(track_end(0.298)), "30 %");
  EXPECT_EQ(track_text(track_end(0.3)), "30 %");
  EXPECT_EQ(track_text(track_end(0.007)), "1 %");
  EXPECT_EQ(track_text(track_end(0.81)), "100 %");
}

}  // namespace
}  // namespace tilewright
