// SPDX-License-Identifier: Apache-2.0
// Manual pages, error codes and completions: one page per command; bash offers what it should.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>

#include "cli_test_support.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

TEST(Manual, HasAPageForEveryCommand) {
  const Result list = run_cli({"manual", "--list"});
  EXPECT_EQ(list.code, kOk);
  const std::string whole = run_cli({"manual"}).out;
  std::istringstream lines(list.out);
  int pages = 0;
  for (std::string command; std::getline(lines, command); ++pages) {
    const Result page = run_cli({"manual", command});
    EXPECT_EQ(page.code, kOk) << command;
    EXPECT_TRUE(page.out.starts_with(".TH TILEWRIGHT\\-")) << page.out;
    EXPECT_TRUE(contains(page.out, "\n.SH SYNOPSIS\n")) << command;
    EXPECT_TRUE(contains(whole, "\n\\fB" + command + "\\fR\n")) << command;
  }
  EXPECT_GT(pages, 20);
  EXPECT_TRUE(contains(run_cli({"manual", "map"}).out, "\\fB\\-\\-placement\\fR \\fIeven|uneven"));
  EXPECT_TRUE(contains(run_cli({"manual", "sweep"}).out, ".SS \"tilewright sweep run\""));
}

TEST(Manual, SuggestsTheNearestCommand) {
  const Result wrong = run_cli({"manual", "mpa"});
  EXPECT_EQ(wrong.code, kUsageError);
  EXPECT_TRUE(contains(wrong.err, "help: did you mean `map`?")) << wrong.err;
}

TEST(Manual, ExplainsErrorCodes) {
  const Result known = run_cli({"explain", "F0003"});
  EXPECT_EQ(known.code, kOk);
  EXPECT_EQ(known.out, "F0003 (files and figures): a line is indented with a tab\n");
  const Result unknown = run_cli({"explain", "F0099"});
  EXPECT_EQ(unknown.code, kUsageError);
  EXPECT_TRUE(contains(unknown.err, "there is no error code `F0099`")) << unknown.err;
}

// What bash offers for the last of `words`.
std::string offered(const std::string& script, const std::string& words) {
  const std::string command = "bash -c 'source " + script + "; COMP_WORDS=(" + words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tilewright; echo "
                              "\"${COMPREPLY[*]}\"'";
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  char part[256];
  while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  pclose(pipe);
  return text;
}

class Completion : public FolderTest {};

TEST_F(Completion, OffersCommandsOptionsAndValues) {
  write("complete.bash", run_cli({"completion", "bash"}).out);
  const std::string script = path("complete.bash");
  EXPECT_EQ(offered(script, "tilewright ma"), "map manual\n");
  EXPECT_EQ(offered(script, "tilewright map eyeriss --placem"), "--placement\n");
  EXPECT_EQ(offered(script, "tilewright map --mapper o"), "optimal\n");
  EXPECT_EQ(offered(script, "tilewright sweep ru"), "run\n");
  EXPECT_TRUE(contains(offered(script, "tilewright map eyeriss-c"), "eyeriss-chip"));
}

TEST_F(Completion, KnowsThreeShells) {
  EXPECT_TRUE(run_cli({"completion", "zsh"}).out.starts_with("#compdef tilewright\n"));
  EXPECT_TRUE(contains(run_cli({"completion", "fish"}).out, "-l placement"));
  EXPECT_EQ(run_cli({"completion", "csh"}).code, kUsageError);
}

}  // namespace
}  // namespace tilewright::testing
