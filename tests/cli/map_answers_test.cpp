// SPDX-License-Identifier: Apache-2.0
// tilewright map: more answers than the best mapping alone.
#include <algorithm>

#include "map_test_support.h"

namespace tilewright::testing {
namespace {

TEST_F(Map, ShowsTheBestOnes) {
  const Result result = map({"--top", "4"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_LE(widest_line(result.out), 80);
  EXPECT_TRUE(contains(result.out, "\ntop     the best 4 mappings, one per score: proved\n"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "differs from the best\n  1  "));
  const Json found = map_json({"--top", "4"});
  const Json& top = found["search"]["top"];
  ASSERT_EQ(top.size(), 4U);
  EXPECT_EQ(top[0]["score"], found["search"]["score"]);
  EXPECT_EQ(top[0]["mapping"], found["mapping"]);
  for (std::size_t i = 1; i < top.size(); ++i) {
    EXPECT_LE(top[i - 1]["score"], top[i]["score"]);
    EXPECT_FALSE(top[i]["differences"].empty());
    const std::string nest = write("next.nest", top[i]["mapping"]);
    const Json again = Json::parse(
        run_cli({"evaluate", path("arch.yaml"), path("work.yaml"), nest, "--json"}).out);
    EXPECT_EQ(again["cycles"], top[i]["cycles"]);
    EXPECT_EQ(again["energy_pj"], top[i]["energy_pj"]);
  }
  EXPECT_FALSE(map_json({})["search"].contains("top"));
}

TEST_F(Map, ShowsTheFront) {
  const auto eyeriss = [&](Words more) {
    more.insert(more.begin(), {"map", "eyeriss", path("work.yaml"), "--space", "pfm"});
    return run_cli(more);
  };
  write("work.yaml", "workload: {gemm: {m: 60, n: 64, k: 75}}\n");
  const Result result = eyeriss({"--front"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_LE(widest_line(result.out), 80);
  EXPECT_TRUE(contains(result.out, "\nfront   energy and cycles: ")) << result.out;
  const auto json = [&](Words more) {
    more.emplace_back("--json");
    return Json::parse(eyeriss(more).out);
  };
  const Json front = json({"--front"})["search"]["front"];
  ASSERT_GE(front.size(), 2U) << front;
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_LT(front[i - 1]["cycles"], front[i]["cycles"]);
    EXPECT_GT(front[i - 1]["energy_pj"], front[i]["energy_pj"]);
  }
  EXPECT_EQ(front.front()["cycles"], json({"--objective", "latency"})["cycles"]);
  EXPECT_EQ(front.back()["energy_pj"], json({"--objective", "energy"})["energy_pj"]);
}

TEST_F(Map, TopAndFrontGoThroughPaddedSizes) {
  write("work.yaml", "workload: {name: small, gemm: {m: 7, n: 6, k: 5}, bits: 8}\n");
  const Json best = map_json({"--space", "pad"});
  const Json top = map_json({"--space", "pad", "--top", "30"})["search"]["top"];
  EXPECT_EQ(top[0]["score"], best["search"]["score"]);
  const auto padded = [](const Json& entry) { return entry.contains("dims"); };
  EXPECT_TRUE(std::ranges::any_of(top, padded));
  EXPECT_TRUE(std::ranges::any_of(top, [&](const Json& entry) { return !padded(entry); }));
  const Json front = map_json({"--space", "pad", "--front"})["search"]["front"];
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i - 1]["energy_pj"], front[i]["energy_pj"]);
  }
}

TEST_F(Map, FindsTheSimplestThatIsGoodEnough) {
  const Json best = map_json({});
  const Json found = map_json({"--within", "5 %", "-o", path("simple.nest")});
  const Json& within = found["search"]["within"];
  EXPECT_EQ(within["proved"], true);
  EXPECT_EQ(within["simplicity"], (Json{{"loops", 3}, {"bypasses", 0}}));
  EXPECT_EQ(within["simplicity_of_best"]["bypasses"], 1);
  EXPECT_EQ(found["search"]["score"], best["search"]["score"]);
  EXPECT_GT(within["score"], best["search"]["score"]);
  EXPECT_LE(within["score"], 1.05 * best["search"]["score"].get<double>());
  EXPECT_EQ(found["objective"]["score"], within["score"]);
  const Json again = Json::parse(
      run_cli({"evaluate", path("arch.yaml"), path("work.yaml"), path("simple.nest"), "--json"})
          .out);
  EXPECT_EQ(again["mapping"], found["mapping"]);
  const Result text = map({"--within", "5%"});
  EXPECT_TRUE(contains(text.out, "\nsimple  3 loops and 0 bypasses instead of 3 loops and 1 "))
      << text.out;
}

TEST_F(Map, FindsTheSimplestWhereverTensorsAreKept) {
  const Json uneven = map_json({"--within", "5 %", "--placement", "uneven"});
  const Json& within = uneven["search"]["within"];
  EXPECT_EQ(within["proved"], true);
  EXPECT_LE(within["score"], 1.05 * uneven["search"]["score"].get<double>());
  const Json even = map_json({"--within", "5 %"});
  EXPECT_GT(within["searches"], even["search"]["within"]["searches"]);
}

TEST_F(Map, SaysWhyTheBestIsNoBetter) {
  write("limits.yaml", "constraints:\n  - at: PE\n    factors: [k <= 2]\n");
  const Words wish = {path("limits.yaml"), "--why", "--cap", "latency <= 1 s"};
  const Json found = map_json(wish);
  std::string arch = kArch;
  const auto score_of = [&](const std::string& changed, const Words& more) {
    write("arch.yaml", changed);
    return map_json(more)["search"]["score"].get<double>();
  };
  for (const Json& entry : found["search"]["why"]) {
    const std::string limit = entry["limit"];
    ASSERT_FALSE(entry["tries"].empty()) << limit;
    const double score = entry["tries"].back()["score"];
    EXPECT_EQ(entry["binding"], score < found["search"]["score"]) << limit;
    std::string changed = arch;
    if (limit == "axis X of PE") {
      changed.replace(changed.find("X: 4"), 4, "X: 8");
    } else if (limit == "buf capacity") {
      changed.replace(changed.find("40 B"), 4, "80 B");
    } else if (limit == "DRAM bandwidth") {
      changed.replace(changed.find("4 B/cycle"), 9, "8 B/cycle");
    }
    const bool constraint = limit.starts_with("k <= 2 on X of PE (");
    const Words more = constraint ? Words{} : Words{path("limits.yaml")};
    EXPECT_EQ(score, score_of(changed, more)) << limit;
  }
  EXPECT_EQ(found["search"]["why"].size(), 5U);
  write("arch.yaml", arch);
  const Result text = map(wish);
  EXPECT_TRUE(contains(text.out, "\nwhy     the best edp if a single limit were relaxed"));
  EXPECT_TRUE(contains(text.out, "\n  k <= 2 on X of PE (")) << text.out;
  EXPECT_TRUE(contains(text.out, "latency <= 1 s\n")) << text.out;
  EXPECT_LE(widest_line(text.out), 80);
}

TEST_F(Map, ComparesOnlyWithAProvedBest) {
  write("work.yaml", "workload: {gemm: {m: 197, n: 211, k: 307}}\n");
  const Result result = run_cli({"map", "eyeriss", path("work.yaml"), "--space", "ruby", "--budget",
                                 "1000 nodes", "--why", "--within", "5%", "--json"});
  EXPECT_EQ(result.code, kOk);
  EXPECT_TRUE(contains(result.err, "`--within` and `--why` compare with a proved best"));
  EXPECT_FALSE(Json::parse(result.out)["search"].contains("why"));
  EXPECT_FALSE(Json::parse(result.out)["search"].contains("within"));
}

}  // namespace
}  // namespace tilewright::testing
