// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/shown_stream.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tilewright {
namespace {

const std::string kSign = "\xEF\xBF\xBD";  // U+FFFD

std::string shown(const std::string& text) {
  std::ostringstream out;
  { ShownStream(out) << text; }
  return out.str();
}

TEST(ShownStream, PassesTextAndColours) {
  const std::string text = "\x1b[1;36mGLB\x1b[0m\t\xE2\x96\x88 \xF0\x9F\x98\x80\n";
  EXPECT_EQ(shown(text), text);
}

TEST(ShownStream, ReplacesWhatATerminalObeys) {
  EXPECT_EQ(shown("a\x1b[2Jb"), "a" + kSign + "[2Jb");
  EXPECT_EQ(shown("a\rb\x07"), "a" + kSign + "b" + kSign);
  EXPECT_EQ(shown("a\xE2\x80\xAE"
                  "b"),
            "a" + kSign + "b");         // U+202E
  EXPECT_EQ(shown("\xC2\x9B"), kSign);  // a control of one character
  EXPECT_EQ(shown("\x1b]0;title"), kSign + "]0;title");
  EXPECT_EQ(shown("\xFF"), kSign);
}

TEST(ShownStream, JoinsWhatComesInPieces) {
  std::ostringstream out;
  {
    ShownStream stream(out);
    for (const char c : std::string("\x1b[31mx\xE2\x96\x88\x1b[0m")) stream << c;
    stream << std::flush;
    stream << "\x1b";  // nothing follows
  }
  EXPECT_EQ(out.str(), "\x1b[31mx\xE2\x96\x88\x1b[0m" + kSign);
}

}  // namespace
}  // namespace tilewright
