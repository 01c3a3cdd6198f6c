// SPDX-License-Identifier: Apache-2.0
// One operator on the command line, and what comes out for compilers.
#include <algorithm>

#include "map_test_support.h"

namespace tilewright::testing {
namespace {

using Operator = Map;

TEST_F(Operator, TakesThePlaceOfAWorkloadFile) {
  const Result text = run_cli({"map", path("arch.yaml"), "gemm 7 6 4 bits=8 name=small"});
  EXPECT_EQ(text.code, kOk) << text.err;
  EXPECT_EQ(text.out, map({}).out);
  EXPECT_EQ(run_cli({"count", path("arch.yaml"), "gemm 7 6 4"}).code, kOk);
  EXPECT_EQ(run_cli({"check", "conv m=4 c=4 p=4 q=4 r=3 s=3"}).code, kOk);
}

TEST_F(Operator, IsAnInputOfTheResult) {
  const Result made = run_cli({"map", path("arch.yaml"), "gemm 7 6 4", "--json"});
  ASSERT_EQ(made.code, kOk) << made.err;
  const Json run = Json::parse(made.out)["run"];
  EXPECT_EQ(run["inputs"][1]["name"], "<operator>");
  EXPECT_EQ(run["inputs"][1]["text"], Json::array({"gemm 7 6 4"}));
  const Result again = run_cli({"rerun", write("r.json", made.out)});
  EXPECT_EQ(again.code, kOk) << again.out << again.err;
  EXPECT_EQ(run_cli({"evaluate", path("r.json")}).code, kOk);
}

TEST_F(Operator, OneThatIsWrongShowsItsPlace) {
  const Result result = run_cli({"map", path("arch.yaml"), "gemm 7 6"});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "--> <operator>:1:6")) << result.err;
  EXPECT_TRUE(contains(run_cli({"map", "gemm", "1", "2", "3"}).err, "in quotes"));
}

// A letter is near any other: following a guess would give another workload, and a legal one.
TEST_F(Operator, NamesOfOtherToolsAreKnownAndLettersAreNotGuessed) {
  const std::string known = run_cli({"check", "conv k=64 c=64 h=56 w=56 kh=3 kw=3"}).err;
  for (const char* meant : {"`m`", "`p`", "`q`", "`r`", "`s`"}) {
    EXPECT_TRUE(contains(known, std::string("did you mean ") + meant)) << known;
  }
  const std::string unknown = run_cli({"check", "conv m=64 x=64 p=56 q=56"}).err;
  EXPECT_FALSE(contains(unknown, "did you mean")) << unknown;
  EXPECT_TRUE(contains(unknown, "the keys of a conv are")) << unknown;
  EXPECT_TRUE(contains(run_cli({"check", "gemm m=4 n=4 o=4"}).err, "did you mean `k`"));
}

TEST_F(Operator, TilesAreATableAndAList) {
  const Result printed = map({"--csv", "-"});
  EXPECT_EQ(printed.code, kOk) << printed.err;
  EXPECT_TRUE(printed.out.starts_with("level,dim,tile,factor,spatial\nDRAM,m,7,")) << printed.out;
  ASSERT_EQ(map({"--csv", path("t.csv")}).code, kOk);
  const Json tiles = map_json({})["tiles"];
  EXPECT_EQ(tiles.size() + 1, static_cast<std::size_t>(std::ranges::count(printed.out, '\n')));
  EXPECT_EQ(tiles[0]["tile"], 7);
}

TEST_F(Operator, NothingIsCutIfWide) {
  write("work.yaml", "workload: {name: " + std::string(90, 'w') + ", gemm: {m: 7, n: 6, k: 4}}\n");
  const Result shown = run_cli({"show", path("work.yaml")});
  EXPECT_TRUE(contains(shown.err, "--wide")) << shown.err;
  const Result wide = run_cli({"show", path("work.yaml"), "--wide"});
  EXPECT_TRUE(contains(wide.out, std::string(90, 'w'))) << wide.out;
  EXPECT_EQ(wide.err, "");
}

}  // namespace
}  // namespace tilewright::testing
