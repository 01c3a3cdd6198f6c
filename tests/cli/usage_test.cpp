// SPDX-License-Identifier: Apache-2.0
// The command line itself: help, wrong usage, colours, exit codes.
#include <algorithm>
#include <sstream>

#include "cli_test_support.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

const std::vector<std::string> kCommands = {"evaluate", "map",     "net",    "count",  "check",
                                            "show",     "explain", "demo",   "arch",   "workload",
                                            "onnx",     "doc",     "schema", "version"};

TEST(Help, ComesWithoutArguments) {
  const Result result = run_cli({});
  EXPECT_EQ(result.code, kOk);
  for (const std::string& command : kCommands) EXPECT_TRUE(contains(result.out, command));
  EXPECT_TRUE(contains(result.out, "Exit codes: 0 success"));
}

TEST(Help, ExistsForEveryCommand) {
  for (const std::string& command : kCommands) {
    const Result result = run_cli({command, "--help"});
    EXPECT_EQ(result.code, kOk) << command;
    EXPECT_TRUE(contains(result.out, "Usage:")) << command;
    EXPECT_LE(widest_line(result.out), 80) << command;
    EXPECT_EQ(result.err, "") << command;
  }
}

TEST(Usage, TheVersionIsAnOption) {
  const Result result = run_cli({"--version"});
  EXPECT_EQ(result.code, kOk);
  EXPECT_EQ(result.out, "tilewright " + program_version() + "\n");
}

TEST(Usage, UnknownCommandHasASuggestion) {
  const Result result = run_cli({"evalute", "x.yaml"});
  EXPECT_EQ(result.code, kUsageError);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "error: unknown command `evalute`\nhelp: did you mean `tilewright evaluate`?\n");
}

TEST(Usage, UnknownCommandOfACommandHasASuggestion) {
  EXPECT_EQ(run_cli({"sweep", "rnu", "x.yaml"}).err,
            "error: unknown command `rnu`\nhelp: did you mean `tilewright sweep run`?\n");
  EXPECT_EQ(run_cli({"store", "paint", "x.db"}).err,
            "error: unknown command `paint`\nhelp: `tilewright store --help` lists the commands\n");
  EXPECT_EQ(run_cli({"sweep"}).err,
            "error: A subcommand is required\nhelp: `tilewright sweep --help` lists the options\n");
}

TEST(Usage, WrongOptionsAreUsageErrors) {
  EXPECT_EQ(run_cli({"evaluate"}).code, kUsageError);
  EXPECT_EQ(run_cli({"evaluate", "a", "--jsn"}).code, kUsageError);
  EXPECT_EQ(run_cli({"evaluate", "a", "--objective", "beauty"}).code, kUsageError);
  EXPECT_EQ(run_cli({"evaluate", "a", "--json", "--vs", "b"}).code, kUsageError);
  EXPECT_EQ(run_cli({"demo", "--color", "pink"}).code, kUsageError);
  EXPECT_EQ(run_cli({"arch"}).code, kUsageError);
  EXPECT_EQ(run_cli({"workload"}).code, kUsageError);
  EXPECT_EQ(run_cli({"explain", "a"}).code, kUsageError);
  EXPECT_EQ(run_cli({"--color", "never"}).code, kUsageError);
}

TEST(Color, IsOnlyThereIfAskedOrOnATerminal) {
  EXPECT_FALSE(contains(run_cli({"demo"}).out, "\x1b["));
  EXPECT_TRUE(contains(run_cli({"demo", "--color", "always"}).out, "\x1b["));
  EXPECT_TRUE(contains(run_cli({"--color", "always", "demo"}).out, "\x1b["));
  EXPECT_FALSE(contains(run_cli({"demo", "--color", "never"}).out, "\x1b["));
}

TEST(Color, FollowsTheTerminalAndItsWishes) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  console.out_terminal = true;
  const std::vector<std::string> args = {"demo"};
  run(args, console);
  EXPECT_TRUE(contains(out.str(), "\x1b["));
  EXPECT_TRUE(contains(out.str(), "█"));
  out.str("");
  console.no_color = true;
  console.ascii = true;
  run(args, console);
  EXPECT_FALSE(contains(out.str(), "\x1b["));
  EXPECT_FALSE(contains(out.str(), "█"));
  EXPECT_TRUE(contains(out.str(), "####"));
}

TEST(Usage, UnknownOptionHasASuggestion) {
  EXPECT_TRUE(contains(run_cli({"evaluate", "a", "--jsn"}).err, "did you mean `--json`?"));
  EXPECT_TRUE(contains(run_cli({"demo", "--colour=never"}).err, "did you mean `--color`?"));
  for (const auto& [option, key] :
       {std::pair{"--budget=2s", "budget: 1e6 nodes"}, {"--space=pfm", "spaces: [pfm, ruby-s]"}}) {
    EXPECT_TRUE(
        contains(run_cli({"sweep", "run", "s.yaml", option}).err,
                 std::string("is not an option: write `") + key + "` into the sweep's file"));
  }
}

TEST(Version, IsOneLine) {
  const Result result = run_cli({"version"});
  EXPECT_EQ(result.code, kOk);
  EXPECT_TRUE(result.out.starts_with("tilewright "));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
}

}  // namespace
}  // namespace tilewright::testing
