// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/result.h"

#include <gtest/gtest.h>

#include "tilewright/base/sha256.h"
#include "tilewright/io/read_test_support.h"

namespace tilewright {
namespace {

constexpr const char* kWork = "workload: {gemm: {m: 4, n: 2, k: 3}}";
constexpr const char* kArch =
    "arch: {name: a, nodes: [{memory: DRAM}, {fanout: PE, axes: {X: 2}}, {compute: mac}]}";

std::string input(const std::string& name, const std::string& text) {
  return "{\"name\": \"" + name + "\", \"sha256\": \"" + sha256(text) + "\", \"text\": [\"" + text +
         "\"]}";
}

// A result of `map` whose mapping is not the one among its files.
std::string result_text(const std::string& dims = "\"m\": 4, \"n\": 2, \"k\": 3") {
  return "{\"tilewright\": {\"version\": \"0.1.0\", \"schema\": 1},\n"
         " \"workload\": {\"dims\": {" +
         dims +
         "}},\n \"mapping\": \"DRAM: keep A B Z\\n  for m *, n 2, k 3\\nmac\\n\",\n"
         " \"figures to come\": 1,\n"
         " \"run\": {\"command\": \"map\", \"options\": {\"space\": \"pfm\"}, \"repeatable\": true,"
         " \"inputs\": [\n" +
         input("w.yaml", kWork) + ",\n" + input("dir/a.yaml", kArch) + ",\n" +
         input("m.nest", "DRAM: keep A B Z") + "]}}\n";
}

Documents read(const std::string& text, Diagnostics& diagnostics) {
  return read_documents({source_text("r.json", text)}, diagnostics);
}

TEST(Result, IsReadLikeTheFilesItWasMadeFrom) {
  Diagnostics diagnostics;
  const Documents documents = read(result_text(), diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << render_text(diagnostics, false);
  ASSERT_TRUE(documents.mapping);
  EXPECT_EQ(documents.workload->computes(), 24);
  EXPECT_EQ(documents.mapping->nodes().size(), 4U);  // keep and three loops: its own mapping
}

TEST(Result, IsAboutThePaddedDims) {
  Diagnostics diagnostics;
  const Documents documents = read(result_text("\"m\": 6, \"n\": 2, \"k\": 3"), diagnostics);
  ASSERT_TRUE(documents.mapping) << render_text(diagnostics, false);
  EXPECT_EQ(documents.workload->computes(), 36);
}

TEST(Result, RefusesDimsThatItsInputsCannotHave) {
  for (const char* dims : {"\"m\": 2, \"n\": 2, \"k\": 3", "\"m\": 4, \"n\": 2", "\"x\": 4",
                           "\"m\": 9000000000000000000, \"n\": 2, \"k\": 3"}) {
    Diagnostics diagnostics;
    read(result_text(dims), diagnostics);
    EXPECT_EQ(codes_of(diagnostics), std::vector<std::string>{"R0001"}) << dims;
  }
}

TEST(Result, MayLieInsideAResult) {
  std::string text = result_text();
  const auto inside = [](const std::string& inner) {
    std::string lines;
    for (const char c : inner) {
      if (c == '"' || c == '\\') lines += '\\';
      lines += c == '\n' ? ' ' : c;
    }
    return "{\"tilewright\": {\"version\": \"0.1.0\", \"schema\": 1},\n"
           "\"mapping\": \"DRAM: keep A B Z\\n  for k 3, m 4, n 2\",\n"
           "\"run\": {\"command\": \"evaluate\", \"options\": {}, \"repeatable\": true, "
           "\"inputs\": [{\"name\": \"r.json\", \"sha256\": \"" +
           sha256([&] {
             std::string plain = inner;
             for (char& c : plain) c = c == '\n' ? ' ' : c;
             return plain;
           }()) +
           "\", \"text\": [\"" + lines + "\"]}]}}\n";
  };
  for (int depth = 0; depth < 10; ++depth) {
    Diagnostics diagnostics;
    const Documents documents = read(text, diagnostics);
    const bool fits = depth <= 8;
    EXPECT_EQ(documents.mapping.has_value(), fits) << depth << render_text(diagnostics, false);
    if (!fits) {
      EXPECT_EQ(codes_of(diagnostics), std::vector<std::string>{"R0001"});
    }
    text = inside(text);
  }
}

TEST(Result, WithoutARecordHasItsMappingOnly) {
  const std::string old =
      "{\"tilewright\": {\"version\": \"0.0.1\", \"schema\": 1}, \"mapping\": "
      "\"DRAM: keep A B Z\\n  for m 4, n 2, k 3\"}";
  Diagnostics diagnostics;
  const Documents alone = read(old, diagnostics);
  EXPECT_FALSE(alone.workload);
  EXPECT_TRUE(alone.has_mapping_section);
  const Documents together = read_documents(
      {source_text("r.json", old), source_text("w.yaml", kWork), source_text("a.yaml", kArch)},
      diagnostics);
  EXPECT_TRUE(together.mapping);
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Result, TurnsOptionsIntoACommandLine) {
  RunRecord run;
  run.options = {{"cap", std::vector<std::string>{"a <= 1", "b <= 2"}},
                 {"front", true},
                 {"quiet", false},
                 {"seed", std::uint64_t{7}},
                 {"space", std::string("pfm")}};
  EXPECT_EQ(to_arguments(run), (std::vector<std::string>{"--cap=a <= 1", "--cap=b <= 2", "--front",
                                                         "--seed=7", "--space=pfm"}));
}

TEST(Result, IsRefusedIfItIsSomethingElse) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_result(source_text("w.yaml", kWork), diagnostics));
  EXPECT_EQ(codes_of(diagnostics), std::vector<std::string>{"R0005"});
}

}  // namespace
}  // namespace tilewright
