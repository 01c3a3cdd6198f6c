// SPDX-License-Identifier: Apache-2.0
// Which files are read, and what is said about wrong ones.
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli_test_support.h"
#include "tilewright/cli/console.h"

namespace tilewright::testing {
namespace {

constexpr const char* kWorkload = "workload: {name: small, gemm: {m: 8, n: 8, k: 8}}\n";
constexpr const char* kArch =
    "arch:\n"
    "  name: tiny\n"
    "  nodes:\n"
    "    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}}\n"
    "    - {memory: buf, capacity: 64 B, energy: {read: 1 pJ, write: 1 pJ}}\n"
    "    - {compute: mac, energy: 1 pJ}\n";
constexpr const char* kMapping =
    "DRAM: keep A B Z\n"
    "  for m 8, n 8\n"
    "buf: keep A B\n"
    "  for k 8\n"
    "mac\n";

class Inputs : public FolderTest {
 protected:
  void write_all() const {
    write("w.yaml", kWorkload);
    write("a.yaml", kArch);
    write("m.nest", kMapping);
  }
};

TEST_F(Inputs, OrderOfFilesDoesNotMatter) {
  write_all();
  const std::string w = path("w.yaml"), a = path("a.yaml"), m = path("m.nest");
  for (const char* form : {"--color=never", "--json"}) {
    const Result first = run_cli({"evaluate", w, a, m, form});
    EXPECT_EQ(first.code, kOk) << first.err;
    for (const auto& order : std::vector<std::vector<std::string>>{
             {w, m, a}, {a, w, m}, {a, m, w}, {m, w, a}, {m, a, w}}) {
      EXPECT_EQ(run_cli({"evaluate", order[0], order[1], order[2], form}).out, first.out);
    }
  }
}

TEST_F(Inputs, AFolderMeansItsFiles) {
  write_all();
  write(".hidden.yaml", "arch: {}\n");
  write("notes.txt", "not: [read\n");
  write("sub/other.yaml", "nonsense: 1\n");
  const Result folder = run_cli({"evaluate", folder_.string()});
  EXPECT_EQ(folder.code, kOk) << folder.err;
  EXPECT_EQ(folder.out, run_cli({"evaluate", path("w.yaml"), path("a.yaml"), path("m.nest")}).out);
}

TEST_F(Inputs, AFileNamedTwiceIsReadOnce) {
  write_all();
  EXPECT_EQ(run_cli({"check", folder_.string(), path("w.yaml"), path("./a.yaml")}).code, kOk);
}

TEST_F(Inputs, StandardInputIsADash) {
  write_all();
  EXPECT_EQ(run_cli({"evaluate", path("w.yaml"), "-", path("m.nest")}, kArch).out,
            run_cli({"evaluate", folder_.string()}).out);
}

TEST_F(Inputs, ALibraryNameIsAnArchitecture) {
  write("w.yaml", kWorkload);
  const Result result = run_cli({"check", path("w.yaml"), "eyeriss"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.out, "arch eyeriss (168 units)"));
}

TEST_F(Inputs, ALayerOfALibraryNetworkIsAWorkload) {
  const Result result = run_cli({"check", "alexnet/conv2", "eyeriss"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.out, "workload conv2 (223,948,800 MACs)")) << result.out;
  const Result typo = run_cli({"check", "alexnet/conf2", "eyeriss"});
  EXPECT_EQ(typo.code, kInputError);
  EXPECT_TRUE(contains(typo.err, "did you mean `conv2`?")) << typo.err;
  const Result whole = run_cli({"evaluate", "alexnet", "eyeriss"});
  EXPECT_EQ(whole.code, kInputError);
  EXPECT_TRUE(contains(whole.err, "`tilewright net` maps all layers of a network")) << whole.err;
  EXPECT_TRUE(contains(run_cli({"check", "alexnett"}).err, "did you mean `alexnet`?"));
}

TEST_F(Inputs, AMissingFileHasASuggestion) {
  write_all();
  const Result near = run_cli({"check", path("w.yml")});
  EXPECT_EQ(near.code, kInputError);
  EXPECT_TRUE(contains(near.err, "error[C0001]"));
  EXPECT_TRUE(contains(near.err, "did you mean `" + path("w.yaml") + "`?"));
  EXPECT_TRUE(contains(run_cli({"check", "eyeris"}).err, "did you mean `eyeriss`?"));
}

TEST_F(Inputs, AMisspeltNetworkOfALayerHasASuggestion) {
  const Result near = run_cli({"check", "resnet5/conv1", "eyeriss"});
  EXPECT_EQ(near.code, kInputError);
  EXPECT_TRUE(contains(near.err, "did you mean `resnet50/conv1`?")) << near.err;
}

TEST_F(Inputs, AllMissingFilesAreReported) {
  const Result result = run_cli({"check", path("one"), path("two")});
  EXPECT_TRUE(contains(result.err, "one"));
  EXPECT_TRUE(contains(result.err, "two"));
}

TEST_F(Inputs, ALargeFileIsRefused) {
  write("large.yaml", std::string((4U << 20U) + 1, '#'));
  const Result result = run_cli({"check", path("large.yaml")});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "larger than 4 MiB"));
  write("just.yaml", std::string(4U << 20U, '#'));
  EXPECT_FALSE(contains(run_cli({"check", path("just.yaml")}).err, "larger"));
}

// It would wait for its own output for ever.
TEST_F(Inputs, WhatItWritesToIsNoInput) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::fflush(stdout);
  const int shown = dup(STDOUT_FILENO);
  ASSERT_GE(dup2(ends[1], STDOUT_FILENO), 0);
  const Result result = run_cli({"evaluate", "--json", "/dev/stdout"});
  ASSERT_GE(dup2(shown, STDOUT_FILENO), 0);
  for (const int end : {ends[0], ends[1], shown}) close(end);
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "`/dev/stdout` is where the output goes")) << result.err;
  EXPECT_TRUE(contains(result.err, "takes no file")) << result.err;
}

TEST_F(Inputs, AnEmptyFolderIsAnError) {
  EXPECT_TRUE(contains(run_cli({"check", folder_.string()}).err, "no .yaml or .nest file"));
}

TEST_F(Inputs, WhatIsMissingIsNamed) {
  write("w.yaml", kWorkload);
  const Result result = run_cli({"evaluate", path("w.yaml")});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "no `arch` in the files given"));
  EXPECT_TRUE(contains(result.err, "no `mapping` in the files given"));
  EXPECT_EQ(result.out, "");
}

TEST_F(Inputs, ATypoIsAnErrorWithItsPlace) {
  write_all();
  write("a.yaml",
        "arch:\n  name: tiny\n  nodes:\n    - {memory: DRAM, capcity: 1 KiB}\n"
        "    - {compute: mac}\n");
  const Result result = run_cli({"check", folder_.string()});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, path("a.yaml") + ":4:"));
  EXPECT_TRUE(contains(result.err, "did you mean `capacity`?"));
}

TEST_F(Inputs, ErrorsAreJsonIfAsked) {
  write_all();
  write("w.yaml", "workload: {gemm: {m: 8, n: 8}}\n");
  const Result result = run_cli({"check", folder_.string(), "--error-format", "json"});
  EXPECT_EQ(result.code, kInputError);
  const nlohmann::json root = nlohmann::json::parse(result.err);
  EXPECT_FALSE(root["diagnostics"].empty());
}

TEST_F(Inputs, AnIllegalMappingHasItsOwnExitCode) {
  write_all();
  write("m.nest", "DRAM: keep A B Z\n  for m 8, n 4\nbuf: keep A B\n  for k 8\nmac\n");
  const Result result = run_cli({"evaluate", folder_.string()});
  EXPECT_EQ(result.code, kIllegal);
  EXPECT_TRUE(contains(result.err, "error["));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(run_cli({"evaluate", folder_.string(), "--anyway"}).code, kIllegal);
  EXPECT_EQ(run_cli({"check", folder_.string()}).code, kIllegal);
}

TEST_F(Inputs, WhatDoesNotFitIsEvaluatedOnlyIfAsked) {
  write_all();
  write("m.nest", "DRAM: keep A B Z\n  for m 8\nbuf: keep A B\n  for n 8, k 8\nmac\n");
  const Result refused = run_cli({"evaluate", folder_.string()});
  EXPECT_EQ(refused.code, kIllegal);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(contains(refused.err, "--anyway"));
  const Result done = run_cli({"evaluate", folder_.string(), "--anyway"});
  EXPECT_EQ(done.code, kOk);
  EXPECT_TRUE(contains(done.err, "warning["));
  EXPECT_TRUE(contains(done.out, "small on tiny"));
}

TEST_F(Inputs, AdviceCountsAsTheEvaluationDoes) {
  write("w.yaml", "workload: {conv: {m: 1, c: 1, p: 64, q: 1, r: 1, s: 1, stride: 2}}\n");
  write("a.yaml", kArch);
  const auto mapping = [](const std::string& outer, const std::string& inner) {
    return "DRAM: keep Inputs Weights Outputs\n  for p " + outer + "\nbuf: keep Inputs\n  for p " +
           inner + "\nmac\n";
  };
  write("m.nest", mapping("1", "64"));
  const Result result = run_cli({"evaluate", folder_.string(), "--holes-are-data"});
  EXPECT_EQ(result.code, kIllegal);
  EXPECT_TRUE(contains(result.err, "127 words needed, 32 available")) << result.err;
  EXPECT_TRUE(contains(result.err, "127 = (64-1)*2+1")) << result.err;
  EXPECT_TRUE(contains(result.err, "`p 16` fits (31 words)")) << result.err;
  write("m.nest", mapping("4", "16"));
  EXPECT_EQ(run_cli({"evaluate", folder_.string(), "--holes-are-data"}).code, kOk);
}

TEST_F(Inputs, CountsBeyond64BitsAreAnInputError) {
  write("w.yaml", "workload: {gemm: {m: 1000000, n: 1000000, k: 1000000}}\n");
  write("m.nest", "DRAM: keep A B Z\n  for k *, m *, n *\nbuf: keep A B\nmac\n");
  write("a.yaml", kArch);
  EXPECT_EQ(run_cli({"evaluate", folder_.string()}).code, kOk);  // 10^18 reads
  write("a.yaml",
        "arch:\n"
        "  name: tiny\n"
        "  nodes:\n"
        "    - {memory: DRAM, bandwidth: 1 B/cycle}\n"
        "    - {memory: buf, capacity: 64 B}\n"
        "    - compute: mac\n");
  const Result result = run_cli({"evaluate", folder_.string()});  // 1.6 * 10^19 bits
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "does not fit in 64 bits")) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace tilewright::testing
