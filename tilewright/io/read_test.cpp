// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/read.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/io/read_test_support.h"

namespace tilewright {
namespace {

using Codes = std::vector<std::string>;
using Texts = std::vector<std::pair<std::string, std::string>>;

struct Result {
  Documents documents;
  Diagnostics diagnostics;
};

Result read(const Texts& texts) {
  Result result;
  std::vector<std::shared_ptr<const SourceFile>> files;
  for (const auto& [name, text] : texts) files.push_back(source_text(name, text));
  result.documents = read_documents(files, result.diagnostics);
  return result;
}

const char* const kWorkload = "workload: {gemm: {m: 4, n: 4, k: 4}}\n";
const char* const kArch = "arch: {nodes: [{memory: DRAM}, {memory: L1}, {compute: mac}]}\n";
const char* const kMapping = "mapping: [{memory: DRAM, keep: [A, B, Z]}, {for: [m 4, n 4, k 4]}]\n";

TEST(ReadDocuments, OneFileOrMany) {
  const Result one = read({{"all.yaml", std::string(kWorkload) + kArch + kMapping}});
  const Result many = read({{"m.yaml", kMapping}, {"a.yaml", kArch}, {"w.yaml", kWorkload}});
  for (const Result* r : {&one, &many}) {
    EXPECT_TRUE(r->diagnostics.all().empty()) << render_text(r->diagnostics, false);
    EXPECT_TRUE(r->documents.workload);
    EXPECT_TRUE(r->documents.arch);
    EXPECT_TRUE(r->documents.problem);
    EXPECT_TRUE(r->documents.mapping);
    EXPECT_TRUE(r->documents.has_mapping_section);
  }
  EXPECT_EQ(one.documents.mapping, many.documents.mapping);
}

const char* const kConstraints = "constraints:\n  - {at: L1, keep: [input], factors: [m <= 2]}\n";

TEST(ReadDocuments, ConstraintsNeedAWorkloadAndAnArch) {
  const Result all = read({{"c.yaml", kConstraints}, {"a.yaml", kArch}, {"w.yaml", kWorkload}});
  EXPECT_TRUE(all.diagnostics.all().empty()) << render_text(all.diagnostics, false);
  EXPECT_TRUE(all.documents.has_constraints_section);
  ASSERT_EQ(all.documents.constraints.size(), 2U);
  ASSERT_EQ(all.documents.constraint_source.size(), 2U);
  EXPECT_EQ(all.documents.constraint_source[1].file->name, "c.yaml");
  EXPECT_EQ(all.documents.constraint_source[1].line, 2);
  const Result alone = read({{"c.yaml", kConstraints}, {"a.yaml", kArch}});
  EXPECT_TRUE(alone.diagnostics.all().empty());
  EXPECT_TRUE(alone.documents.has_constraints_section);
  EXPECT_TRUE(alone.documents.constraints.empty());
  const Result wrong =
      read({{"c.yaml", std::string(kConstraints) + "  - {at: L2, keep: [input]}\n"},
            {"a.yaml", kArch},
            {"w.yaml", kWorkload}});
  EXPECT_EQ(codes_of(wrong.diagnostics), Codes{"K0001"});
  EXPECT_TRUE(wrong.documents.constraints.empty());
  EXPECT_TRUE(wrong.documents.constraint_source.empty());
}

TEST(ReadDocuments, AMappingMayStandBesideConstraints) {
  const Result r = read({{"all.yaml", std::string(kWorkload) + kArch + kMapping + kConstraints}});
  EXPECT_TRUE(r.diagnostics.all().empty()) << render_text(r.diagnostics, false);
  EXPECT_TRUE(r.documents.mapping);
  Diagnostics diagnostics;
  EXPECT_TRUE(read_mapping(source_text("m.yaml", std::string(kMapping) + kConstraints),
                           *r.documents.problem, diagnostics))
      << render_text(diagnostics, false);
}

TEST(ReadDocuments, WhereTheArchSaysItsLimits) {
  const Result r = read({{"w.yaml", kWorkload}, {"a.yaml", R"(arch:
  nodes:
    - memory: DRAM
    - {memory: L1, partition: {weight: 1 KiB, A: 2 KiB}, keep: [A, B], capacity: 4 KiB}
    - fanout: PE
      axes: {Y: 12, X: 14}
    - compute: mac
)"}});
  ASSERT_TRUE(r.documents.problem) << render_text(r.diagnostics, false);
  const ArchSource& source = r.documents.arch_source;
  const auto place = [](const Span& span) {
    return std::to_string(span.line) + ":" + std::to_string(span.column) + "+" +
           std::to_string(span.length);
  };
  ASSERT_EQ(source.nodes.size(), 3U);
  EXPECT_EQ(place(source.nodes[0].name), "3:15+4");
  EXPECT_FALSE(source.nodes[0].capacity.file);
  EXPECT_FALSE(source.nodes[0].keep.file);
  EXPECT_TRUE(source.nodes[0].partitions.empty());
  EXPECT_EQ(place(source.nodes[1].capacity), "4:72+15");
  EXPECT_EQ(place(source.nodes[1].keep), "4:58+12");
  ASSERT_EQ(source.nodes[2].axes.size(), 2U);
  EXPECT_EQ(place(source.nodes[2].axes[0]), "6:21+5");  // X
  EXPECT_EQ(place(source.nodes[2].axes[1]), "6:14+5");
  const auto partition = [&](int tensor) {
    return partition_span(*r.documents.problem, source, NodeId(1), TensorId(tensor));
  };
  EXPECT_EQ(place(partition(0)), "4:47+8");
  EXPECT_EQ(place(partition(1)), "4:32+13");
  EXPECT_FALSE(partition(2).file);
}

TEST(ReadDocuments, ANestFileIsAMapping) {
  const Result r = read({{"all.yaml", std::string(kWorkload) + kArch},
                         {"x.nest", "DRAM: keep A B Z\n  for m 4, n 4, k 4\n"}});
  EXPECT_TRUE(r.diagnostics.all().empty()) << render_text(r.diagnostics, false);
  EXPECT_EQ(r.documents.mapping,
            read({{"all.yaml", std::string(kWorkload) + kArch + kMapping}}).documents.mapping);
}

TEST(ReadDocuments, AnySectionMayBeAbsent) {
  EXPECT_FALSE(read({}).diagnostics.has_errors());
  const Result mapping = read({{"m.yaml", kMapping}});
  EXPECT_FALSE(mapping.diagnostics.has_errors());
  EXPECT_TRUE(mapping.documents.has_mapping_section);
  EXPECT_FALSE(mapping.documents.mapping);
  const Result workload = read({{"w.yaml", kWorkload}});
  EXPECT_TRUE(workload.documents.workload);
  EXPECT_FALSE(workload.documents.problem);
  EXPECT_FALSE(read({{"a.yaml", kArch}}).documents.problem);
}

TEST(ReadDocuments, ASectionTwiceNamesBothPlaces) {
  const Result r = read({{"a.yaml", kArch}, {"b.yaml", std::string("\n") + kArch}});
  ASSERT_EQ(codes_of(r.diagnostics), Codes{"F0013"});
  const Diagnostic& error = r.diagnostics.all()[0];
  EXPECT_EQ(error.labels[0].span.file->name, "b.yaml");
  EXPECT_EQ(error.labels[0].span.line, 2);
  EXPECT_EQ(error.labels[1].span.file->name, "a.yaml");
  EXPECT_EQ(codes_of(read({{"m.yaml", kMapping}, {"m.nest", "DRAM"}}).diagnostics), Codes{"F0013"});
}

TEST(ReadDocuments, AllErrorsOfAllFiles) {
  const Result r = read({{"a.yaml", "arch: {nodes: [{memory: M, capcity: 1 B}]}\n"},
                         {"b.yaml", "workload: {gemm: {m: 0, n: 1, k: 1}}\nfoo: 1\n"},
                         {"c.yaml", "a: [\n"},
                         {"d.yaml", ""}});
  EXPECT_EQ(codes_of(r.diagnostics), (Codes{"A0003", "F0010", "F0024", "F0010", "F0002", "F0016"}));
}

TEST(ReadDocuments, OtherToolsSectionsAreRecognised) {
  const Result r = read({{"a.yaml", "architecture: {}\nproblem: {}\n"}});
  ASSERT_EQ(r.diagnostics.errors(), 2);
  EXPECT_EQ(r.diagnostics.all()[0].helps, Codes{"did you mean `arch`?"});
  EXPECT_EQ(r.diagnostics.all()[1].helps, Codes{"did you mean `workload`?"});
}

TEST(ReadDocuments, AnUnknownTensorIsAnErrorIfItLooksLikeATypo) {
  const auto arch = [](const std::string& name) {
    return "arch: {nodes: [{memory: M, keep: [" + name + "]}, {compute: mac}]}\n";
  };
  const Result slip = read({{"w", kWorkload}, {"a", arch("inptu")}});
  EXPECT_EQ(codes_of(slip.diagnostics), Codes{"A0009"});
  EXPECT_EQ(slip.diagnostics.errors(), 1);
  EXPECT_EQ(slip.diagnostics.all().front().helps, Codes{"did you mean `input`?"});
  // A name of the short forms, a single letter, or no workload to compare with: only a warning.
  for (const Result& doubt :
       {read({{"w", kWorkload}, {"a", arch("Inputs")}}), read({{"w", kWorkload}, {"a", arch("C")}}),
        read({{"a", arch("inptu")}})}) {
    EXPECT_EQ(codes_of(doubt.diagnostics), Codes{"A0009"});
    EXPECT_EQ(doubt.diagnostics.errors(), 0);
  }
  EXPECT_EQ(codes_of(read({{"a", arch("Inputs")}}).diagnostics), Codes{});
  EXPECT_EQ(codes_of(read({{"w", kWorkload}, {"a", arch("input")}}).diagnostics), Codes{});
  EXPECT_EQ(codes_of(read({{"w", kWorkload}, {"a", arch("A")}}).diagnostics), Codes{});
  EXPECT_EQ(codes_of(read({{"w", kWorkload}, {"a", arch("Scales")}}).diagnostics), Codes{});
}

TEST(ReadDocuments, NoTextBreaksIt) {
  const std::string base = std::string(kWorkload) + R"(
arch:
  clock: 200 MHz
  nodes:
    - memory: DRAM
      word: 16 bit
      bandwidth: 25.6 GB/s
      energy: {read: 512 pJ, write: 512 pJ, source: "..."}
      partition: {input: 64 KiB}
      bits: {output: 24 bit}
      keep: [input, output]
    - fanout: PE
      axes: {X: 14, Y: 12}
    - compute: mac
constraints:
  - {at: DRAM, keep: [input], bypass: [weight], order: [m, ..., k], factors: [m <= 4]}
  - {at: PE, dims: {X: [m]}, factors: [m = 2 on X], utilization: 75 %}
mapping: |
  DRAM: keep A B Z
    for m 4, n 4, k 4
)";
  const std::string alphabet = "\n :-[]{},'\"|#a0/.eX~";
  Random random(5);
  const auto pick = [&](std::size_t size) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size) - 1));
  };
  for (int round = 0; round < 10'000; ++round) {
    std::string text = base;
    for (std::int64_t edits = random.between(1, 4); edits > 0; --edits) {
      const std::size_t at = pick(text.size());
      if (random.one_in(3)) {
        text.erase(at, 1 + pick(8));
      } else {
        text.insert(at, 1, alphabet[pick(alphabet.size())]);
      }
    }
    const Result r = read({{"t.yaml", text}});
    render_text(r.diagnostics, false);
    for (const Diagnostic& finding : r.diagnostics.all()) {
      EXPECT_FALSE(finding.labels.empty()) << finding.message;
      EXPECT_FALSE(finding.code.empty());
    }
  }
}

}  // namespace
}  // namespace tilewright
