// SPDX-License-Identifier: Apache-2.0
// Timeloop's files on the command line.
#include <nlohmann/json.hpp>

#include "tests/cli/cli_test_support.h"

namespace tilewright::testing {
namespace {

// Z[m] += A[m,k] * B[k] for 4 x 6, all of it in the buffer, k = 2 * 3 in two passes.
constexpr const char* kInputs = R"(architecture:
  version: 0.4
  subtree:
  - name: system
    local:
    - {name: "DRAM[1..1]", class: DRAM, attributes: {width: 8, datawidth: 8}}
    - {name: "buffer[1..1]", class: SRAM, attributes: {width: 8, datawidth: 8, depth: 64}}
    - {name: "mac[1..1]", class: intmac, attributes: {datawidth: 8}}
ERT:
  version: 0.4
  tables:
  - name: system.DRAM[1..1]
    actions: [{name: read, energy: 10}, {name: write, energy: 10}, {name: update, energy: 10}, {name: leak, energy: 0}]
  - name: system.buffer[1..1]
    actions: [{name: read, energy: 1}, {name: write, energy: 1}, {name: update, energy: 1}, {name: leak, energy: 0}]
  - name: system.mac[1..1]
    actions: [{name: compute, energy: 0.5}, {name: leak, energy: 0}]
problem:
  version: 0.4
  shape:
    name: product
    dimensions: [M, K]
    data_spaces:
    - {name: A, projection: [[[M]], [[K]]]}
    - {name: B, projection: [[[K]]]}
    - {name: Z, projection: [[[M]]], read_write: true}
  instance: {M: 4, K: 6}
mapping:
- {target: DRAM, type: temporal, factors: M=1 K=2, permutation: MK}
- {target: buffer, type: temporal, factors: M=4 K=3, permutation: MK}
)";

// What Timeloop writes, as far as it is compared: A and B are read once; Z stays.
constexpr const char* kReport = R"(Buffer and Arithmetic Levels
----------------------------
Level 1
-------
=== buffer ===

    STATS
    -----
    Cycles               : 24
    B:
        Utilized capacity                        : 3
        Utilized instances (max)                 : 1
        Scalar reads (per-instance)              : 24
        Scalar fills (per-instance)              : 6

Level 2
-------
=== DRAM ===

    STATS
    -----
    Cycles               : 24
    A:
        Utilized capacity                        : 24
        Utilized instances (max)                 : 1
        Scalar reads (per-instance)              : 24
        Energy (total)                           : 240.00 pJ

Summary Stats
-------------
Cycles: 24
Computes = 24
)";

class TimeloopFiles : public FolderTest {
 protected:
  TimeloopFiles() { write("parsed-processed-input.yaml", kInputs); }
  Result verify(const std::string& report) const {
    write("timeloop-model.stats.txt", report);
    return run_cli({"verify", folder_.string()});
  }
};

TEST_F(TimeloopFiles, AReportIsVerified) {
  const Result run = verify(kReport);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "against timeloop-model.stats.txt")) << run.out;
  EXPECT_TRUE(contains(run.out, "12 of 12 figures of the report agree with Timeloop's way"))
      << run.out;
}

TEST_F(TimeloopFiles, AWrongReportEndsWithExitCodeFour) {
  std::string report = kReport;
  report.replace(report.find("reads (per-instance)              : 24\n        Energy"), 38,
                 "reads (per-instance)              : 25 ");
  const Result run = verify(report);
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "the report: not explained +1")) << run.out;
  write("timeloop-model.stats.txt", report);
  const Result json = run_cli({"verify", folder_.string(), "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("disagreements"), 1);
}

TEST_F(TimeloopFiles, SaysWhatIsMissing) {
  const Result none = run_cli({"verify", folder_.string()});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(contains(none.err, "has 0 reports (`*.stats.txt`), not one")) << none.err;
  const Result broken = verify("Summary Stats\n");
  EXPECT_EQ(broken.code, 1);
  EXPECT_TRUE(contains(broken.err, "is not a report of Timeloop's")) << broken.err;
  const Result no_folder = run_cli({"verify", path("parsed-processed-input.yaml")});
  EXPECT_EQ(no_folder.code, 1);
  EXPECT_TRUE(contains(no_folder.err, "is not a folder")) << no_folder.err;
  std::filesystem::remove(path("parsed-processed-input.yaml"));
  const Result no_inputs = verify(kReport);
  EXPECT_EQ(no_inputs.code, 1);
  EXPECT_TRUE(contains(no_inputs.err, "has no `parsed-processed-input.yaml`")) << no_inputs.err;
}

TEST_F(TimeloopFiles, InputsMayStandElsewhere) {
  const std::string elsewhere = write("inputs.yaml", kInputs);
  std::filesystem::remove(path("parsed-processed-input.yaml"));
  write("timeloop-model.stats.txt", kReport);
  EXPECT_EQ(run_cli({"verify", folder_.string(), elsewhere}).code, 0);
}

TEST_F(TimeloopFiles, EvaluateComparesWithTimeloop) {
  const Result run =
      run_cli({"evaluate", path("parsed-processed-input.yaml"), "--compat", "timeloop"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "against Timeloop")) << run.out;
}

TEST_F(TimeloopFiles, ConventionsCanBeSwitchedOff) {
  const std::string file = path("parsed-processed-input.yaml");
  const auto reads_back = [&](std::vector<std::string> options) {
    std::vector<std::string> words = {"evaluate", file, "--compat", "timeloop", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Result run = run_cli(words);
    EXPECT_EQ(run.code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    for (const auto& figure : json.at("timeloop").at("figures")) {
      if (figure.at("name") == "buffer.Z reads") return figure.at("timeloop").get<int>();
    }
    return -1;
  };
  EXPECT_EQ(reads_back({}), 20);
  EXPECT_EQ(reads_back({"--without", "first_read_elision"}), 24);
  const Result typo =
      run_cli({"evaluate", file, "--compat", "timeloop", "--without", "link_transfer"});
  EXPECT_NE(typo.code, 0);
  EXPECT_TRUE(contains(typo.err, "link_transfers")) << typo.err;
}

TEST_F(TimeloopFiles, ImportTakesZigzagsFilesToo) {
  write("hardware.yaml", R"(name: small
memories:
  sram:
    size: 4096
    r_cost: 64
    w_cost: 64
    latency: 1
    operands: [I1, I2, O]
    ports:
      - {name: rw_port_1, type: read_write, bandwidth_min: 8, bandwidth_max: 64, allocation: ["O, tl"]}
    served_dimensions: [D1]
operational_array:
  unit_energy: 0.5
  dimensions: [D1]
  sizes: [4]
)");
  write("layer.yaml", R"(- id: 0
  operator_type: Gemm
  equation: O[d0][d1]+=I[d0][d2]*W[d2][d1]
  loop_dims: [D0, D1, D2]
  loop_sizes: [4, 3, 5]
)");
  const Result run =
      run_cli({"import", path("hardware.yaml"), path("layer.yaml"), "-o", path("native")});
  EXPECT_EQ(run.code, 0) << run.err;
  const Result best = run_cli({"map", path("native"), "--json"});
  ASSERT_EQ(best.code, 0) << best.err;
  EXPECT_EQ(nlohmann::json::parse(best.out).at("computes"), 60);
  const Result mixed = run_cli(
      {"import", path("hardware.yaml"), path("parsed-processed-input.yaml"), "-o", path("native")});
  EXPECT_EQ(mixed.code, 1);
  EXPECT_TRUE(contains(mixed.err, "import files of one tool at a time")) << mixed.err;
}

TEST_F(TimeloopFiles, ImportWritesFilesOfOurs) {
  const Result run = run_cli({"import", path("parsed-processed-input.yaml"), "-o", path("native")});
  EXPECT_EQ(run.code, 0) << run.err;
  const Result ours = run_cli({"evaluate", path("native"), "--json"});
  ASSERT_EQ(ours.code, 0) << ours.err;
  const Result theirs = run_cli({"evaluate", path("parsed-processed-input.yaml"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(ours.out).at("energy_pj"),
            nlohmann::json::parse(theirs.out).at("energy_pj"));
}

}  // namespace
}  // namespace tilewright::testing
