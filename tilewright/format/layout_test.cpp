// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/layout.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TextOptions colored() {
  TextOptions options;
  options.color = true;
  return options;
}

TEST(Paint, DoesNothingWithoutColours) {
  EXPECT_EQ(paint("x", Style::kBad, {}), "x");
  EXPECT_EQ(paint("x", Style::kBold, colored()), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(paint("", Style::kBold, colored()), "");
  EXPECT_EQ(paint_color("x", 34, colored()), "\x1b[34mx\x1b[0m");
}

TEST(TensorColor, DiffersForEightTensors) {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_NE(tensor_color(TensorId(a)), tensor_color(TensorId(b)));
    }
  }
}

TEST(DisplayWidth, CountsCodePointsAndNoColours) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("█▏"), 2);
  EXPECT_EQ(display_width(paint("abc", Style::kBad, colored())), 3);
  EXPECT_EQ(display_width("\x1b[3"), 0);
}

TEST(Clip, MarksWhatIsMissing) {
  EXPECT_EQ(clip("weights", 7), "weights");
  EXPECT_EQ(clip("weights", 5), "weig~");
  EXPECT_EQ(clip("█████", 3), "██~");
}

TEST(WrapWords, IndentsFollowingLines) {
  EXPECT_EQ(wrap_words("note: ", "one two three", 14), "note: one two\n      three\n");
  EXPECT_EQ(wrap_words("", "", 10), "");
}

TEST(WrapWords, KeepsThePercentSignWithItsNumber) {
  EXPECT_EQ(wrap_words("", "about 1.6 % fewer", 9), "about\n1.6 %\nfewer\n");
}

TEST(WrapWords, NeverPassesTheWidth) {
  EXPECT_EQ(wrap_words("  ", "averyveryverylongword b", 10), "  averyver\n  yverylon\n  gword b\n");
}

TEST(WrapItems, BreaksBetweenItemsOnly) {
  const std::vector<std::string> lines = wrap_items({"a 1", "b 2", "c 3"}, ", ", 8);
  EXPECT_EQ(lines, (std::vector<std::string>{"a 1, b 2", "c 3"}));
}

TEST(Table, AlignsColumns) {
  Table table({{"name", Table::Align::kLeft, 0}, {"count"}});
  table.add_row({"a", "1"});
  table.add_line("a line of its own that is long");
  table.add_row({"bbbbb", "12,345"});
  EXPECT_EQ(table.text({}),
            "name    count\n"
            "a           1\n"
            "a line of its own that is long\n"
            "bbbbb  12,345\n");
  EXPECT_EQ(table.width(), 13);
}

TEST(Table, LeavesNoBlanksAtLineEnds) {
  Table table({{"", Table::Align::kLeft, 0}, {"", Table::Align::kLeft}});
  table.add_row({"a", ""});
  table.add_row({"b", "long"});
  table.add_row({"c"});
  EXPECT_EQ(table.text({}), "a\nb  long\nc\n");
}

TEST(Table, AlignsColouredCellsLikePlainOnes) {
  Table table({{"", Table::Align::kRight, 0}, {""}});
  table.add_row({paint("x", Style::kBad, colored()), "1"});
  table.add_row({"long", "2"});
  EXPECT_EQ(table.text(colored()), "   \x1b[1;31mx\x1b[0m  1\nlong  2\n");
}

}  // namespace
}  // namespace tilewright
