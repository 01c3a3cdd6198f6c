// SPDX-License-Identifier: Apache-2.0
// Result files: what is in them, what reads them, what is said about wrong ones.
#include <fstream>
#include <nlohmann/json.hpp>

#include "map_test_support.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

class Results : public Map {
 protected:
  std::string read(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // Saves a result of `map` as `name` and returns its path.
  std::string save(const std::string& name, Words more = {}) const {
    more.insert(more.end(), {"--save", path(name)});
    const Result result = map(more);
    EXPECT_EQ(result.code, kOk) << result.err;
    return path(name);
  }

  // The same with a part of its text replaced.
  std::string change(const std::string& file, const std::string& what,
                     const std::string& by) const {
    std::string text = read(file);
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return write("changed.json", text.replace(at, what.size(), by));
  }
};

TEST_F(Results, SaveWritesWhatJsonPrints) {
  const Result json = map({"--json"});
  const std::string file = save("r.json");
  EXPECT_EQ(read("r.json"), json.out);
  const Result evaluated = run_cli({"evaluate", file, "--save", path("e.json")});
  EXPECT_EQ(evaluated.code, kOk);
  EXPECT_EQ(evaluated.err, "wrote " + path("e.json") + "\n");
  EXPECT_EQ(read("e.json"), run_cli({"evaluate", file, "--json"}).out);
}

TEST_F(Results, HoldWhatTheyWereMadeFrom) {
  const Json run = map_json({"--mapper", "random", "--cap", "energy <= 1 uJ"})["run"];
  EXPECT_EQ(run["command"], "map");
  EXPECT_EQ(run["repeatable"], true);
  EXPECT_EQ(run["options"], (Json{{"cap", {"energy <= 1 uJ"}},
                                  {"mapper", "random"},
                                  {"objective", "edp"},
                                  {"patience", 3000},
                                  {"seed", 1},
                                  {"space", "ruby-s"}}));
  ASSERT_EQ(run["inputs"].size(), 2U);
  EXPECT_EQ(run["inputs"][0]["name"], path("arch.yaml"));
  EXPECT_EQ(run["inputs"][0]["text"][1], "  name: tiny");
  EXPECT_EQ(run["inputs"][0]["sha256"].get<std::string>().size(), 64U);
}

TEST_F(Results, AreReadInsteadOfTheFiles) {
  const std::string file = save("r.json");
  const Json saved = Json::parse(read("r.json"));
  const Json again = Json::parse(run_cli({"evaluate", file, "--json"}).out);
  for (const char* figure : {"energy_pj", "cycles", "memories", "mapping", "workload"}) {
    EXPECT_EQ(again[figure], saved[figure]) << figure;
  }
  EXPECT_EQ(run_cli({"show", file, "--nest"}).out, saved["mapping"].get<std::string>());
  EXPECT_TRUE(contains(run_cli({"check", file}).out, "the mapping is legal and fits"));
  EXPECT_TRUE(contains(run_cli({"explain", file, "DRAM.A.reads"}).out, "DRAM.A.reads = "));
  EXPECT_EQ(run_cli({"evaluate", "-"}, read("r.json")).out, run_cli({"evaluate", file}).out);
  EXPECT_EQ(run_cli({"map", file, "--objective", "energy"}).out,
            map({"--objective", "energy"}).out);
}

TEST_F(Results, OfAPaddedSpaceAreAboutThePaddedDims) {
  write("work.yaml", "workload: {name: small, gemm: {m: 7, n: 7, k: 3}, bits: 8}\n");
  const std::string file = save("r.json", {"--space", "pad", "--objective", "latency"});
  const Json saved = Json::parse(read("r.json"));
  ASSERT_TRUE(saved["search"].contains("padding")) << saved["search"];
  const Json again = Json::parse(run_cli({"evaluate", file, "--json"}).out);
  EXPECT_EQ(again["computes"], saved["computes"]);
  EXPECT_EQ(again["energy_pj"], saved["energy_pj"]);
  EXPECT_EQ(run_cli({"rerun", file}).code, kOk);
}

TEST_F(Results, CanBeMadeAgain) {
  const std::string file = save("r.json");
  const Result same = run_cli({"rerun", file, "-o", path("again.json")});
  EXPECT_EQ(same.code, kOk);
  EXPECT_TRUE(same.out.starts_with("rerun: the same ")) << same.out;
  EXPECT_EQ(read("again.json"), read("r.json"));
  const Result json = run_cli({"rerun", file, "--json"});
  EXPECT_EQ(json.out, read("r.json"));
  EXPECT_TRUE(contains(json.err, "rerun: the same "));
}

TEST_F(Results, OfAnotherVersionAreMadeAgainWithANote) {
  save("r.json");
  const std::string version = "\"version\": \"";
  const Result result =
      run_cli({"rerun", change("r.json", version + program_version(), version + "0.0.7")});
  EXPECT_EQ(result.code, kOk);
  EXPECT_TRUE(contains(result.out, "only the program's version differs")) << result.out;
  EXPECT_TRUE(contains(result.err, "note: written by version 0.0.7, this is ")) << result.err;
}

TEST_F(Results, OfASearchCutShortByTimeSaySo) {
  const Json run = map_json({"--mapper", "random", "--patience", "0", "--budget", "20ms"})["run"];
  EXPECT_EQ(run["repeatable"], false);
  EXPECT_EQ(map_json({"--budget", "100s"})["run"]["repeatable"], true);
  save("r.json");
  const Result result =
      run_cli({"rerun", change("r.json", "\"repeatable\": true", "\"repeatable\": false")});
  EXPECT_TRUE(contains(result.err, "so the result may differ")) << result.err;
}

TEST_F(Results, ThatWereChangedAreFoundOut) {
  save("r.json");
  const Result figure = run_cli({"rerun", change("r.json", "\"cycles\": ", "\"cycles\": 9")});
  EXPECT_EQ(figure.code, kDisagreement);
  EXPECT_TRUE(contains(figure.out, "values differ")) << figure.out;
  const std::string input = change("r.json", "gemm: {m: 7", "gemm: {m: 8");
  for (const char* command : {"rerun", "evaluate", "check", "show"}) {
    const Result result = run_cli({command, input});
    EXPECT_EQ(result.code, kInputError);
    EXPECT_TRUE(contains(result.err, "error[R0002]: the text of input `")) << result.err;
    EXPECT_TRUE(contains(result.err, "changed.json:")) << result.err;
  }
  const Result command = run_cli({"rerun", change("r.json", "\"map\"", "\"rerun\"")});
  EXPECT_EQ(command.code, kInputError);
  EXPECT_TRUE(contains(command.err, "`rerun` is not a command that can be rerun"));
  const Result option = run_cli({"rerun", change("r.json", "\"space\": \"ruby-s\"\n    },",
                                                 "\"spice\": \"ruby-s\"\n    },")});
  EXPECT_EQ(option.code, kUsageError) << option.err;
}

TEST_F(Results, WithoutARecordAreRefusedKindly) {
  save("r.json");
  Json old = Json::parse(read("r.json"));
  old.erase("run");
  const std::string file = write("old.json", old.dump());
  for (const Words& args : std::vector<Words>{{"rerun", file}, {"diff", path("r.json"), file}}) {
    const Result result = run_cli(args);
    EXPECT_EQ(result.code, kInputError);
    EXPECT_TRUE(contains(result.err, "error[R0004]")) << result.err;
  }
  EXPECT_EQ(run_cli({"evaluate", path("arch.yaml"), path("work.yaml"), file}).code, kOk);
  EXPECT_EQ(run_cli({"evaluate", path("arch.yaml"), path("work.yaml"), file, "--vs", file}).code,
            kOk);
}

TEST_F(Results, AreCompared) {
  const std::string before = save("a.json", {"--space", "pfm"});
  const std::string after = save("b.json", {"--space", "ruby", "--objective", "energy"});
  const Result text = run_cli({"diff", before, after, "--counts"});
  EXPECT_EQ(text.code, kOk) << text.err;
  EXPECT_EQ(text.err, "note: names with a ~ were shortened; --wide shows them in full\n");
  EXPECT_LE(widest_line(text.out), 80) << text.out;
  EXPECT_TRUE(
      text.out.starts_with("differ  --objective: edp -> energy\n"
                           "        --space: pfm -> ruby\n"
                           "same    workload small, arch tiny, command map"))
      << text.out;
  const Json json = Json::parse(run_cli({"diff", before, after, "--json"}).out);
  EXPECT_EQ(json["totals"]["cycles"]["before"], Json::parse(read("a.json"))["cycles"]);
  EXPECT_EQ(json["totals"]["energy_pj"]["after"], Json::parse(read("b.json"))["energy_pj"]);
}

TEST_F(Results, ThatHaveOtherFiguresAreComparedWithAWarning) {
  const std::string before = save("r.json");
  const std::string after = change("r.json", "\"cycles\": ", "\"cycles\": 9");
  const Result result = run_cli({"diff", before, after});
  EXPECT_EQ(result.code, kOk);
  EXPECT_TRUE(contains(result.err, "differ from those that this version computes")) << result.err;
}

TEST_F(Results, OfNetworksAreMadeAgainAndCompared) {
  write("net.yaml",
        "network: {name: mini, bits: 8, layers: [{name: one, gemm: {m: 7, n: 5, k: 5}}, "
        "{name: two, gemm: {m: 2, n: 5, k: 6}, count: 4}]}\n");
  const auto net = [&](const char* space, const std::string& name) {
    const Result result = run_cli(
        {"net", path("arch.yaml"), path("net.yaml"), "--space", space, "--save", path(name)});
    EXPECT_EQ(result.code, kOk) << result.err;
    return path(name);
  };
  const std::string before = net("pfm", "a.json");
  const std::string after = net("ruby", "b.json");
  EXPECT_TRUE(run_cli({"rerun", before}).out.starts_with("rerun: the same "));
  EXPECT_EQ(run_cli({"rerun", after, "--json"}).out, read("b.json"));
  const Result text = run_cli({"diff", before, after});
  EXPECT_EQ(text.code, kOk) << text.err;
  EXPECT_LE(widest_line(text.out), 80) << text.out;
  EXPECT_TRUE(text.out.starts_with("differ  --space: pfm -> ruby\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "\n  one ")) << text.out;
  const Result mixed = run_cli({"diff", before, save("r.json")});
  EXPECT_EQ(mixed.code, kInputError);
  EXPECT_TRUE(contains(mixed.err, "a network can only be compared with a network")) << mixed.err;
  EXPECT_EQ(run_cli({"evaluate", before}).code, kInputError);
}

TEST_F(Results, AreSaidToBeUnwritable) {
  const Result result = map({"--save", path("no/such/folder/r.json")});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "error[C0010]"));
}

}  // namespace
}  // namespace tilewright::testing
