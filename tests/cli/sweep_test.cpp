// SPDX-License-Identifier: Apache-2.0
// tilewright sweep and tilewright store.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli_test_support.h"
#include "tilewright/cli/console.h"

namespace tilewright::testing {
namespace {

class Sweep : public FolderTest {
 protected:
  std::string plan(const std::string& more = "") const {
    return write("plan.yaml",
                 "sweep:\n  arch: eyeriss\n  parameters: {x: [2, 4], glb: [1 KiB, 2 KiB]}\n"
                 "  set: {PE.axes.X: x, PE.axes.Y: 2, GLB.capacity: glb}\n"
                 "  workloads: [gemm 4 6 8, gemm 5 5 5]\n" +
                     more);
  }

  Result run_to(const std::string& store, std::vector<std::string> more = {}) const {
    std::vector<std::string> args = {"sweep", "run", plan(), "-o", path(store)};
    args.insert(args.end(), more.begin(), more.end());
    return run_cli(args);
  }
};

TEST_F(Sweep, RunsOnceAndThenKnows) {
  const Result first = run_to("a.db");
  EXPECT_EQ(first.code, kOk) << first.err;
  EXPECT_TRUE(contains(first.out, "8 problems: 0 stored before or equal to others, 8 solved"));
  EXPECT_TRUE(contains(first.out, "8 settled, 0 not proved, 0 failed")) << first.out;
  EXPECT_TRUE(contains(run_to("a.db").out, "8 stored before or equal to others, 0 solved"));
  EXPECT_TRUE(contains(run_cli({"sweep", "status", path("a.db")}).out, "8  proved"));
}

TEST_F(Sweep, ShowsDesignsAsTableCsvAndJson) {
  run_to("a.db");
  const Result text = run_cli({"sweep", "table", path("a.db"), "--front", "area,energy,cycles"});
  EXPECT_TRUE(contains(text.out, "4 designs x 2 workloads x 1 request = 8 problems")) << text.out;
  EXPECT_LE(widest_line(text.out), 80);
  const Result csv = run_cli({"sweep", "table", path("a.db"), "--csv"});
  EXPECT_TRUE(contains(csv.out, "\n3,4,2 KiB,ruby-s,edp,")) << csv.out;
  const auto json = nlohmann::json::parse(run_cli({"sweep", "table", path("a.db"), "--json"}).out);
  ASSERT_EQ(json["designs"].size(), 4U);
  EXPECT_EQ(json["designs"][0]["parameters"]["glb"], "1 KiB");
  EXPECT_EQ(json["designs"][0]["standing"], "proved");
  EXPECT_EQ(run_cli({"sweep", "table", path("a.db"), "--front", "colour"}).code, kUsageError);
}

TEST_F(Sweep, TheBestDesignIsNoMoreThanItsMappingsAre) {
  const auto best = [&](const std::string& budget, const std::string& store) {
    std::string text = run_cli({"sweep", "best", plan(budget), "-o", path(store)}).out;
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  EXPECT_TRUE(contains(best("", "a.db"), "No other design has less edp."));
  const std::string early = best("  budget: 1 nodes\n", "b.db");
  EXPECT_TRUE(contains(early, "No better design was found, but 4 of the solved ones")) << early;
  EXPECT_FALSE(contains(early, "No other design")) << early;
}

TEST_F(Sweep, ShardsAreMerged) {
  for (const char* i : {"0", "1"}) {
    EXPECT_EQ(run_to(std::string(i) + ".db", {"--shard", std::string(i) + "/2"}).code, kOk);
  }
  const Result merged = run_cli({"store", "merge", path("all.db"), path("0.db"), path("1.db")});
  EXPECT_EQ(merged.code, kOk) << merged.err;
  EXPECT_TRUE(contains(run_to("all.db").out, "8 stored before")) << merged.out;
  EXPECT_TRUE(contains(run_cli({"store", "info", path("all.db")}).out, "8 answers"));
  EXPECT_TRUE(contains(run_cli({"store", "check", path("all.db")}).out, "nothing is wrong"));
  const Result csv = run_cli({"store", "export", path("all.db")});
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 9) << csv.out;
}

TEST_F(Sweep, SaysWhatIsWrong) {
  const auto fails = [&](std::vector<std::string> args, int code, const std::string& part) {
    const Result result = run_cli(args);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  };
  fails({"sweep", "run", path("absent.yaml"), "-o", path("a.db")}, kInputError, "C0001");
  fails({"sweep", "run", path("absent.yaml"), "-o", path("a.db")}, kInputError,
        "No such file or directory");
  plan();
  fails({"sweep", "run", path("plam.yaml"), "-o", path("a.db")}, kInputError,
        "did you mean `" + path("plan.yaml") + "`?");
  fails({"sweep", "run", path("."), "-o", path("a.db")}, kInputError, "Is a directory");
  fails({"sweep", "run", plan("  colour: red\n"), "-o", path("a.db")}, kInputError, "`colour`");
  fails({"sweep", "run", plan(), "-o", path("a.db"), "--shard", "2/2"}, kUsageError,
        "there is no shard 2 of 2");
  fails({"sweep", "run", plan(), "-o", path("no/folder/a.db")}, kInputError, "S0005");
  fails({"sweep", "status", path("absent.db")}, kInputError, "there is no such file");
  fails({"store", "check", plan()}, kInputError, "not a database");
  run_cli({"store", "merge", path("empty.db"), path("empty.db")});
  fails({"sweep", "table", path("empty.db")}, kInputError, "has no plan");
}

}  // namespace
}  // namespace tilewright::testing
