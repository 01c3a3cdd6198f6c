// SPDX-License-Identifier: Apache-2.0
// What each command prints.
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli_test_support.h"
#include "tilewright/cli/console.h"

namespace tilewright::testing {
namespace {

using Json = nlohmann::json;

const std::string kFirst = source_path("examples/first");

class Commands : public FolderTest {};

TEST_F(Commands, NamesTheCommandOfACommand) {
  const Result result = run_cli({"sweep", "run", "sweep.yaml", "--quickly", "2s"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "`tilewright sweep run --help` lists the options"))
      << result.err;
}

TEST_F(Commands, EvaluatePrintsAReportOfEightyColumns) {
  for (const std::vector<std::string>& files :
       std::vector<std::vector<std::string>>{{kFirst},
                                             {"eyeriss-v4", source_path("examples/eyeriss-conv")},
                                             {"eyeriss", source_path("examples/ragged-conv")}}) {
    std::vector<std::string> args = {"evaluate"};
    args.insert(args.end(), files.begin(), files.end());
    const Result result = run_cli(args);
    EXPECT_EQ(result.code, kOk) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_LE(widest_line(result.out), 80) << result.out;
    for (const char* section : {"pJ/MAC", "cycles ", "energy ", "utilization ", "re-fetch",
                                "mapping ", "not modelled: "}) {
      EXPECT_TRUE(contains(result.out, section)) << section;
    }
  }
}

TEST_F(Commands, EvaluateStaysInEightyColumnsWithLongNamesAndManyTensors) {
  const std::string file = write("wide.yaml", R"(
workload:
  name: a_very_long_name_of_a_workload_that_somebody_generated_by_a_script_layer_12_of_33
  einsum: OutputActivations[batch,row,col] += InputActivations[batch,row,kernel]
    * WeightMatrixOne[kernel,col] * ScaleFactors[batch,kernel] * MaskTensor[row,col]
    * AnotherOneStill[kernel]
  dims: {batch: 13, row: 1000, col: 777, kernel: 4096}
arch:
  name: an_accelerator_with_a_long_name
  nodes:
    - {memory: main_memory_off_chip_hbm2, bandwidth: 3 B/cycle, energy: {read: 100 pJ}}
    - {memory: buf, bandwidth: 64 bit/cycle, capacity: 1 MiB, leakage: 2 pJ/cycle}
    - {fanout: processing_elements, axes: {columns: 64, rows: 32}}
    - {memory: regs, capacity: 512 B, energy: {read: 0.1 pJ, write: 1.1 pJ}}
    - compute: multiply_accumulate
mapping: |
  main_memory_off_chip_hbm2: keep OutputActivations InputActivations WeightMatrixOne ScaleFactors
  main_memory_off_chip_hbm2: keep MaskTensor AnotherOneStill
    for batch 13, row 4, col 13, kernel 63
  buf: keep InputActivations WeightMatrixOne OutputActivations
    for kernel 3, row 251, col 2
  processing_elements: parfor kernel 22 on rows, col 30 on columns
  regs: keep OutputActivations AnotherOneStill
  multiply_accumulate
)");
  for (const char* command : {"evaluate", "show"}) {
    const Result result = run_cli({command, file});
    EXPECT_EQ(result.code, kOk) << result.err;
    EXPECT_LE(widest_line(result.out), 80) << result.out;
  }
}

TEST_F(Commands, EvaluateJsonIsJson) {
  const Result result = run_cli({"evaluate", kFirst, "--json"});
  const Json root = Json::parse(result.out);
  EXPECT_EQ(root["tilewright"]["schema"], 1);
  EXPECT_EQ(root["computes"], 100 * 60 * 37);
  EXPECT_EQ(root["memories"].size(), 3U);
}

TEST_F(Commands, TheNestInTheJsonReadsBack) {
  Json root = Json::parse(run_cli({"evaluate", kFirst, "--json"}).out);
  const std::string nest = write("again.nest", root["mapping"].get<std::string>());
  Json again = Json::parse(
      run_cli({"evaluate", kFirst + "/arch.yaml", kFirst + "/workload.yaml", nest, "--json"}).out);
  for (Json* one : {&root, &again}) one->erase("run");
  EXPECT_EQ(again, root);
}

TEST_F(Commands, TheNestInTheReportReadsBack) {
  const std::string report = run_cli({"evaluate", kFirst}).out;
  const std::size_t start = report.find("DRAM: keep");
  const std::size_t end = report.find("\nmac\n", start) + 5;
  const std::string nest = write("again.nest", report.substr(start, end - start));
  EXPECT_EQ(run_cli({"evaluate", kFirst + "/arch.yaml", kFirst + "/workload.yaml", nest}).out,
            report);
}

TEST_F(Commands, EvaluateCheckAgrees) {
  const Result result = run_cli({"evaluate", kFirst, "--check"});
  EXPECT_EQ(result.code, kOk);
  EXPECT_EQ(result.err,
            "check: ok, 78 conservation laws hold, and executing all 222,000 MACs gives the same "
            "counts\n");
  EXPECT_EQ(result.out, run_cli({"evaluate", kFirst}).out);
}

TEST_F(Commands, EvaluateComparesWithBefore) {
  const std::string old = write("old.json", run_cli({"evaluate", kFirst, "--json"}).out);
  const Result same = run_cli({"evaluate", kFirst, "--vs", old});
  EXPECT_EQ(same.code, kOk);
  EXPECT_TRUE(contains(same.out, "counts are the same"));
  const std::string nest = write("m.nest",
                                 "DRAM: keep A B Z\n  for n 8, m 4\nGLB: keep A B Z\n"
                                 "  for m 7, k 5\nPE: parfor m 4 on X, n 4 on Y\nreg: keep A Z\n"
                                 "  for k 8, n 2\nmac\n");
  const Result other =
      run_cli({"evaluate", kFirst + "/arch.yaml", kFirst + "/workload.yaml", nest, "--vs", old});
  EXPECT_EQ(other.code, kOk) << other.err;
  EXPECT_TRUE(contains(other.out, "DRAM.A.reads"));
  EXPECT_LE(widest_line(other.out), 80);
}

TEST_F(Commands, EvaluateRefusesToCompareWithOtherThings) {
  const Result result = run_cli({"evaluate", kFirst, "--vs", kFirst + "/arch.yaml"});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "it is not JSON"));
  EXPECT_EQ(run_cli({"evaluate", kFirst, "--vs", path("none.json")}).code, kInputError);
}

TEST_F(Commands, EvaluateShowsTheObjective) {
  EXPECT_TRUE(contains(run_cli({"evaluate", kFirst, "--objective", "ed2p"}).out, "ed2p score"));
}

TEST_F(Commands, CheckSaysOk) {
  const Result result = run_cli({"check", kFirst});
  EXPECT_EQ(result.code, kOk);
  EXPECT_EQ(result.out,
            "ok: workload awkward (222,000 MACs), arch first (16 units), the mapping is legal and "
            "fits\n");
}

TEST_F(Commands, ShowPrintsAllThree) {
  const Result result = run_cli({"show", kFirst});
  EXPECT_EQ(result.code, kOk);
  EXPECT_TRUE(contains(result.out, "workload awkward: 222,000 MACs"));
  EXPECT_TRUE(contains(result.out, "arch first: 16 units at 500 MHz"));
  EXPECT_TRUE(contains(result.out, "PE: parfor m 4 on X, n 4 on Y"));
  EXPECT_LE(widest_line(result.out), 80);
}

TEST_F(Commands, ShowConvertsAndEverythingReadsBack) {
  const std::string report = run_cli({"evaluate", kFirst}).out;
  const std::string yaml = write("all.yaml", run_cli({"show", kFirst, "--yaml"}).out);
  EXPECT_EQ(run_cli({"evaluate", yaml}).out, report);
  const std::string nest = write("m.nest", run_cli({"show", kFirst, "--nest"}).out);
  EXPECT_EQ(run_cli({"evaluate", kFirst + "/arch.yaml", kFirst + "/workload.yaml", nest}).out,
            report);
}

TEST_F(Commands, ExplainGivesTheFigureOfTheReport) {
  const Json root = Json::parse(run_cli({"evaluate", kFirst, "--json"}).out);
  EXPECT_EQ(root["memories"][0]["tensors"][1]["name"], "B");
  const Result result = run_cli({"explain", kFirst, "GLB.A.tile"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(result.out.starts_with("GLB.A.tile = 1,036\n")) << result.out;  // 28 * 37
  for (const char* path :
       {"cycles", "energy", "utilization", "DRAM.B.reads", "GLB.Z.updates", "GLB.cycles",
        "reg.cycles", "reg.energy", "DRAM.B.energy", "mac.energy", "edp"}) {
    EXPECT_EQ(run_cli({"explain", kFirst, path}).code, kOk) << path;
  }
}

TEST_F(Commands, ExplainSuggestsAPath) {
  const Result result = run_cli({"explain", kFirst, "GLB.A.read"});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "did you mean `GLB.A.reads`?"));
}

TEST_F(Commands, DemoNeedsNothingAndIsQuick) {
  const auto start = std::chrono::steady_clock::now();
  const Result result = run_cli({"demo"});
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(result.code, kOk);
  EXPECT_LE(widest_line(result.out), 80);
  EXPECT_TRUE(contains(result.out, "next: tilewright demo --save DIR"));
  EXPECT_LT(std::chrono::duration<double>(took).count(), 5.0);  // 0.05 s on an idle machine
}

TEST_F(Commands, DemoSavesWhatItShows) {
  const std::string folder = path("demo");
  const Result saved = run_cli({"demo", "--save", folder});
  EXPECT_EQ(saved.code, kOk) << saved.err;
  EXPECT_TRUE(run_cli({"demo"}).out.starts_with(run_cli({"evaluate", folder}).out));
  const Result again = run_cli({"demo", "--save", folder});
  EXPECT_EQ(again.code, kInputError);
  EXPECT_TRUE(contains(again.err, "exists already"));
}

TEST_F(Commands, ArchListsAndShows) {
  const Result list = run_cli({"arch", "list"});
  EXPECT_EQ(list.code, kOk);
  EXPECT_TRUE(contains(list.out, "eyeriss"));
  EXPECT_LE(widest_line(list.out), 80);
  const Result show = run_cli({"arch", "show", "eyeriss"});
  const std::string file = write("mine.yaml", show.out);
  EXPECT_EQ(run_cli({"check", file}).code, kOk);
  const Result unknown = run_cli({"arch", "show", "eyerys"});
  EXPECT_EQ(unknown.code, kInputError);
  EXPECT_TRUE(contains(unknown.err, "did you mean `eyeriss`?"));
}

TEST_F(Commands, WorkloadListsAndShows) {
  const Result list = run_cli({"workload", "list"});
  EXPECT_EQ(list.code, kOk);
  EXPECT_TRUE(contains(list.out, "resnet50                        72      54  4.089G      25.50M"))
      << list.out;
  EXPECT_TRUE(contains(list.out, "  ResNet-50 v1.5, 224 x 224, batch 1\n"));
  EXPECT_LE(widest_line(list.out), 80);
  const Result show = run_cli({"workload", "show", "resnet50"});
  const Result check = run_cli({"check", write("mine.yaml", show.out)});
  EXPECT_EQ(check.out, "ok: network resnet50 (72 layers)\n") << check.err;
  const Result layer = run_cli({"workload", "show", "resnet50", "--layer", "conv1"});
  EXPECT_EQ(run_cli({"check", write("conv1.yaml", layer.out)}).out,
            "ok: workload conv1 (118,013,952 MACs)\n");
}

TEST_F(Commands, WorkloadSuggestsNames) {
  const Result unknown = run_cli({"workload", "show", "resnet51"});
  EXPECT_EQ(unknown.code, kInputError);
  EXPECT_TRUE(contains(unknown.err, "did you mean `resnet50`?")) << unknown.err;
  const Result layer = run_cli({"workload", "show", "vgg16", "--layer", "conv9_1"});
  EXPECT_EQ(layer.code, kInputError);
  EXPECT_TRUE(contains(layer.err, "did you mean `conv1_1`?")) << layer.err;
  const Result pool = run_cli({"workload", "show", "vgg16", "--layer", "pool1"});
  EXPECT_EQ(pool.code, kInputError);
  EXPECT_TRUE(contains(pool.err, "layer `pool1` of `vgg16` is maxpool: there is nothing to map"));
}

TEST_F(Commands, ShowListsTheLayersOfANetwork) {
  const Result show = run_cli({"show", "llama-3.2-1b-prefill-1k"});
  EXPECT_EQ(show.code, kOk) << show.err;
  EXPECT_TRUE(contains(show.out, "1,235,814,400 parameters"));
  EXPECT_TRUE(contains(show.out, "lm_head")) << show.out;
  EXPECT_LE(widest_line(show.out), 80);
  const Result yaml = run_cli({"show", "resnet18", "--yaml"});
  EXPECT_EQ(run_cli({"check", write("mine.yaml", yaml.out)}).code, kOk);
}

TEST_F(Commands, DocExplainsKeys) {
  const Result all = run_cli({"doc"});
  EXPECT_EQ(all.code, kOk);
  EXPECT_LE(widest_line(all.out), 80);
  const Result one = run_cli({"doc", "capacity"});
  EXPECT_TRUE(contains(one.out, "memory.capacity"));
  EXPECT_LE(widest_line(one.out), 80);
  const Result typo = run_cli({"doc", "capcity"});
  EXPECT_EQ(typo.code, kInputError);
  EXPECT_TRUE(contains(typo.err, "did you mean `capacity`?"));
}

TEST_F(Commands, SchemaIsJson) {
  const Json schema = Json::parse(run_cli({"schema"}).out);
  EXPECT_TRUE(schema.contains("$schema"));
}

}  // namespace
}  // namespace tilewright::testing
