// SPDX-License-Identifier: Apache-2.0
// tilewright net: what it shows and writes, and what it says if a layer has no mapping.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "map_test_support.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

constexpr const char* kNetwork =
    "network:\n"
    "  name: mini\n"
    "  bits: 8\n"
    "  edges: [{name: x, elements: 8}]\n"
    "  layers:\n"
    "    - {name: one, gemm: {m: 2, n: 6, k: 4}, from: [x]}\n"
    "    - {name: relu, traffic: relu, from: [one]}\n"
    "    - {name: two, gemm: {m: 2, n: 5, k: 6}, from: [relu]}\n"
    "    - {name: three, gemm: {m: 2, n: 5, k: 6}, count: 4}\n";

class Net : public FolderTest {
 protected:
  Net() {
    write("arch.yaml", kArch);
    write("net.yaml", kNetwork);
  }

  Result net(const Words& more) const {
    Words args = {"net", path("arch.yaml"), path("net.yaml")};
    args.insert(args.end(), more.begin(), more.end());
    return run_cli(args);
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
};

TEST_F(Net, ShowsATableOfLayers) {
  const Result result = net({});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_LE(widest_line(result.out), 80);
  EXPECT_TRUE(
      result.out.starts_with("mini on tiny: 4 layers in 7 runs, 2 to solve, 348 MACs, 4 units\n"))
      << result.out;
  EXPECT_TRUE(
      contains(result.out,
               "\nresult   proved: no mapping of any layer with even placement is better (3 of 3)"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "\ntwo   x5 ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nrelu ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\ntotal ")) << result.out;
  EXPECT_TRUE(result.err.starts_with("optimal search: 2 problems, ")) << result.err;
}

TEST_F(Net, SaysTheSameOnAnyNumberOfThreads) {
  EXPECT_EQ(net({"--threads", "1"}).out, net({"--threads", "3"}).out);
  EXPECT_EQ(net({"--json"}).out, net({"--json", "--threads", "1"}).out);
}

TEST_F(Net, EachLayerIsWhatMapFinds) {
  write("one.yaml", "workload: {name: one, gemm: {m: 2, n: 6, k: 4}, bits: 8}\n");
  const Json map = Json::parse(run_cli({"map", path("arch.yaml"), path("one.yaml"), "--json"}).out);
  const Json plan = Json::parse(net({"--json"}).out);
  EXPECT_EQ(plan["problems"][0]["score"], map["search"]["score"]);
  EXPECT_EQ(plan["problems"][0]["mapping"], map["mapping"]);
  EXPECT_EQ(plan["layers"][0]["cycles"], map["cycles"]);
}

TEST_F(Net, PlacesUnevenlyWhereItIsAsked) {
  write("one.yaml", "workload: {name: one, gemm: {m: 2, n: 6, k: 4}, bits: 8}\n");
  const Words uneven = {"--json", "--placement", "uneven"};
  const Json map = Json::parse(
      run_cli({"map", path("arch.yaml"), path("one.yaml"), "--json", "--placement", "uneven"}).out);
  const Json plan = Json::parse(net(uneven).out);
  EXPECT_EQ(plan["search"]["placement"], "uneven");
  EXPECT_EQ(plan["problems"][0]["score"], map["search"]["score"]);
  EXPECT_EQ(plan["problems"][0]["mapping"], map["mapping"]);
  EXPECT_TRUE(contains(net({"--placement", "uneven"}).out,
                       "\nresult   proved: no mapping of any layer is better (3 of 3)"));
  const Result wrong = net({"--placement", "uneven@L9"});
  EXPECT_NE(wrong.code, kOk);
  EXPECT_TRUE(contains(wrong.err, "`L9` is no memory of this architecture")) << wrong.err;
}

TEST_F(Net, WritesFilesThatEvaluateReads) {
  const Result result = net({"-o", path("out"), "--csv", path("t.csv"), "--keep-on-chip"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(read("t.csv").starts_with("layer,op,")) << read("t.csv");
  const Json plan = Json::parse(net({"--json", "--keep-on-chip"}).out);
  for (const std::string stem : {"01-one", "02-two"}) {
    const std::string own = path("out/" + stem + ".arch.yaml");
    const std::string arch = std::filesystem::exists(own) ? own : path("out/arch.yaml");
    const Result evaluated = run_cli(
        {"evaluate", arch, path("out/" + stem + ".yaml"), path("out/" + stem + ".nest"), "--json"});
    EXPECT_EQ(evaluated.code, kOk) << evaluated.err;
    const std::size_t problem = stem == "01-one" ? 0 : 1;
    EXPECT_EQ(Json::parse(evaluated.out)["energy_pj"],
              plan["problems"][problem]["evaluation"]["energy_pj"]);
  }
}

TEST_F(Net, KeepsEdgesOnChip) {
  const Json off = Json::parse(net({"--json"}).out);
  const Result result = net({"--keep-on-chip"});
  EXPECT_TRUE(contains(result.out, "\non chip  ")) << result.out;
  EXPECT_LE(widest_line(result.out), 80);
  const Json on = Json::parse(net({"--json", "--keep-on-chip"}).out);
  EXPECT_FALSE(on["on_chip"]["edges"].empty());
  EXPECT_EQ(on["on_chip"]["memory"], "buf");
  EXPECT_LT(on["totals"]["edp_pj_cycles"], off["totals"]["edp_pj_cycles"]);
  EXPECT_LT(on["totals"]["dram_bits"], off["totals"]["dram_bits"]);
}

TEST_F(Net, ALayerWithoutAMappingSetsTheExitCode) {
  write("limits.yaml",
        "constraints:\n"
        "  - at: buf\n"
        "    keep: [input, weight, output]\n"
        "  - at: DRAM\n"
        "    factors: [m = 1, n = 1, k = 1]\n");
  const Result result = net({path("limits.yaml")});
  EXPECT_EQ(result.code, kIllegal) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "no mapping exists: ")) << result.out;
  EXPECT_TRUE(contains(result.err, "error[M0301]: layer")) << result.err;
  EXPECT_TRUE(contains(result.err, "limits.yaml:5")) << result.err;
  EXPECT_TRUE(contains(result.out, "without a mapping")) << result.out;
  EXPECT_LE(widest_line(result.out), 80);
}

TEST_F(Net, ConstraintsThatDoNotFitALayerAreAWarning) {
  write("limits.yaml", "constraints:\n  - at: DRAM\n    factors: [k = 6]\n");
  const Result warned = net({path("limits.yaml")});
  EXPECT_EQ(warned.code, kOk) << warned.err;
  EXPECT_TRUE(contains(warned.err, "warning[C0015]: `k = 6 at DRAM` does not apply to "))
      << warned.err;
  EXPECT_TRUE(contains(warned.err, "limits.yaml:3:")) << warned.err;
  const Result strict = net({path("limits.yaml"), "--strict"});
  EXPECT_EQ(strict.code, kInputError);
  EXPECT_TRUE(contains(strict.err, "error[C0015]: ")) << strict.err;
}

TEST_F(Net, ConstraintsThatFitNoLayerAreAnError) {
  write("limits.yaml", "constraints:\n  - at: DRAM\n    factor: [q = 1]\n");
  const Result result = net({path("limits.yaml")});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "did you mean `factors`?")) << result.err;
}

TEST_F(Net, SaysWhatIsMissing) {
  const Result no_network = run_cli({"net", path("arch.yaml")});
  EXPECT_EQ(no_network.code, kInputError);
  EXPECT_TRUE(contains(no_network.err, "no `network` in the files given")) << no_network.err;
  const Result no_arch = run_cli({"net", path("net.yaml")});
  EXPECT_TRUE(contains(no_arch.err, "no `arch` in the files given")) << no_arch.err;
  write("one.yaml", "workload: {name: one, gemm: {m: 2, n: 6, k: 4}}\n");
  const Result one = run_cli({"net", path("arch.yaml"), path("one.yaml")});
  EXPECT_TRUE(contains(one.err, "`tilewright map` is for one workload")) << one.err;
}

TEST_F(Net, RefusesWhatItCannotRead) {
  EXPECT_EQ(net({"--budget", "soon"}).code, kUsageError);
  EXPECT_EQ(net({"--gap", "1%", "--mapper", "local"}).code, kUsageError);
  EXPECT_EQ(net({"--space", "pad"}).code, kUsageError);
  EXPECT_EQ(net({"--mapper", "random"}).code, kUsageError);
  EXPECT_EQ(net({"--csv", path("no/such/folder/t.csv")}).code, kInputError);
}

TEST_F(Net, LocalSearchProvesNothing) {
  const Result result = net({"--mapper", "local"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.out, "\nresult   0 of 3 layers proved optimal")) << result.out;
}

TEST_F(Net, AStopLeavesWhatIsThere) {
  const std::atomic<bool> stop = true;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  console.interrupted = &stop;
  const Words words = {"net", path("arch.yaml"), path("net.yaml")};
  EXPECT_EQ(run(words, console), kNotFound);
  EXPECT_TRUE(contains(out.str(), "stopped before its search began")) << out.str();
}

}  // namespace
}  // namespace tilewright::testing
