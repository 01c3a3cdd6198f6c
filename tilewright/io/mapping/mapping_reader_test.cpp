// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/mapping/mapping_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/io/mapping/nest_test_support.h"

namespace tilewright {
namespace {

struct Read {
  std::optional<Mapping> mapping;
  MappingSource source;
  Diagnostics diagnostics;
  std::string findings() const { return summary(diagnostics); }
};

Read read(const std::string& text, const std::string& name = "a.yaml") {
  Read result;
  result.mapping =
      read_mapping(source_file(name, text), small_problem(), result.diagnostics, &result.source);
  return result;
}

std::string places(const MappingSource& source) {
  std::string text;
  for (const Span& span : source.nodes) {
    text += std::to_string(span.line) + ":" + std::to_string(span.column) + "+" +
            std::to_string(span.length) + " ";
  }
  return text;
}

const std::string kText =
    "DRAM: keep Inputs Weights Outputs\n"
    "  for p 8, q 2, m 4\n"
    "GLB: keep Inputs Outputs\n"
    "  for p 14\n"
    "PE: parfor q 14 on X, c 3 on Y, s 3 on Y\n"
    "spad: keep Weights\n"
    "mac\n";

TEST(MappingReader, ReadsTheDocumentedForm) {
  const Read yaml = read(
      "mapping:\n"
      "  - {memory: DRAM, keep: [Inputs, Weights, Outputs]}\n"
      "  - for: [p 8, q 2, m 4]                    # outermost first\n"
      "  - {memory: GLB, keep: [Inputs, Outputs]}\n"
      "  - for: [\"p 14\"]\n"
      "  - {fanout: PE, parfor: [q 14 on X, c 3 on Y, s 3 on Y]}\n"
      "  - {memory: spad, keep: [Weights]}\n"
      "  - {compute: mac}                          # optional\n");
  ASSERT_TRUE(yaml.mapping) << yaml.findings();
  const Read text = read(kText, "a.NEST");
  ASSERT_TRUE(text.mapping) << text.findings();
  EXPECT_EQ(*yaml.mapping, *text.mapping);
  EXPECT_EQ(places(yaml.source),
            "2:5+46 3:11+3 3:16+3 3:21+3 4:5+36 5:12+4 6:27+9 6:38+8 6:48+8 7:5+29 ");
  EXPECT_EQ(yaml.source.whole.line, 2);
}

TEST(MappingReader, ReadsTextInABlock) {
  std::string block = "workload: {}\nmapping: |\n";
  std::size_t begin = 0;
  while (begin < kText.size()) {
    const std::size_t end = kText.find('\n', begin) + 1;
    block += "    " + kText.substr(begin, end - begin);
    begin = end;
  }
  const Read result = read(block + "arch: {}\n");
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping, *read(kText, "a.nest").mapping);
  EXPECT_EQ(places(result.source),
            "3:5+33 4:11+3 4:16+3 4:21+3 5:5+24 6:11+4 7:16+9 7:27+8 7:37+8 8:5+18 ");
  EXPECT_EQ(result.source.nodes[0].file->name, "a.yaml");
}

TEST(MappingReader, TakesShortForms) {
  const Read result = read(
      "mapping:\n"
      "  - memory: DRAM\n"
      "    keep: [Inputs, Weights, Outputs]\n"
      "    for: p 8, q *\n"
      "  - {memory: GLB, keep: []}\n"
      "  - {memory: spad, keep: Weights}\n"
      "  - {fanout: COL, parfor: m 4}\n"
      "  - for: []\n");
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping, *read("DRAM: keep Inputs Weights Outputs for p 8, q 112\n"
                                   "spad: keep Weights\n"
                                   "COL: parfor m 4\n",
                                   "a.nest")
                                  .mapping);
  EXPECT_EQ(result.source.nodes.size(), 5U);
}

TEST(MappingReader, FindsAllFaultsAtOnce) {
  const Read result = read(
      "mapping:\n"
      "  - {memry: DRAM, keep: [Inputs]}\n"
      "  - {memory: DRAM}\n"
      "  - {fanout: PE}\n"
      "  - {keep: [Inputs]}\n"
      "  - {memory: GLB, keep: [Inpust, [Outputs]], for: [P 8]}\n"
      "  - DRAM: keep Inputs\n"
      "  - for: [p: 8, q]\n"
      "  - for: {p: 8}\n"
      "  - {fanout: PE, parfor: [q 14 on W, r 3 on Y]}\n"
      "  - {memory: GLB, fanout: PE, keep: [], parfor: []}\n"
      "  - mac\n"
      "  - {compute: macc}\n"
      "  - {}\n");
  EXPECT_FALSE(result.mapping);
  const std::string forms =
      "  help: a node is `{memory: M, keep: [T]}`, `for: [d 8]`, `{fanout: F, parfor: [d 8 on A]}` "
      "or `{compute: C}`\n";
  EXPECT_EQ(result.findings(),
            "F0010 2:6+5 unknown key `memry` in a node of the mapping\n"
            "  help: did you mean `memory`?\n"
            "F0011 3:6+6 `memory` needs `keep` next to it\n"
            "  help: write `keep: [...]` with the tensors that it keeps\n"
            "F0011 4:6+6 `fanout` needs `parfor` next to it\n"
            "  help: write `parfor: [...]` with its loops, e.g. `p 8`\n"
            "F0011 5:6+4 `keep` needs `memory` next to it\n"
            "F0012 6:34+1 expected one of the tensors, found a list\n"
            "M0003 6:26+6 unknown tensor `Inpust`\n"
            "  help: did you mean `Inputs`?\n"
            "M0004 6:52+1 unknown dim `P`\n"
            "  help: did you mean `p`?\n"
            "F0010 7:5+4 unknown key `DRAM` in a node of the mapping\n"
            "  help: write the key `memory` or `fanout` before the name; the text form (`DRAM: "
            "keep ...`) goes into a block that begins with `mapping: |`\n"
            "F0012 8:11+1 expected one of the loops such as `p 8`, found a map\n"
            "  help: write `p 8`\n"
            "M0001 8:18+1 expected the factor of `q`, found the end of the line\n"
            "F0012 9:10+1 expected a list of loops such as `p 8`, found a map\n"
            "M0005 10:35+1 `PE` has no axis `W`\n"
            "  help: did you mean `X`?\n"
            "M0012 11:5+45 a node is one of `memory`, `fanout` and `compute`\n" +
                forms + "M0012 12:5+3 expected a node such as `for: [p 8]`, found `mac`\n" + forms +
                "M0002 13:15+4 unknown name `macc`\n"
                "  help: the compute unit is `mac`\n"
                "M0012 14:5+1 a node needs `memory`, `fanout`, `compute` or just `for`\n" +
                forms);
}

TEST(MappingReader, NeedsItsSection) {
  EXPECT_EQ(read("workload: {}\n").findings(), "F0011 0:0+1 `a.yaml` has no section `mapping`\n");
  EXPECT_EQ(read("").findings(), "F0011 0:0+1 `a.yaml` has no section `mapping`\n");
  const Read typo = read("mappping: []\n");
  EXPECT_FALSE(typo.mapping);
  EXPECT_EQ(typo.diagnostics.errors(), 1);
  EXPECT_EQ(typo.diagnostics.all()[0].helps, std::vector<std::string>{"did you mean `mapping`?"});
  const std::string help =
      "  help: write a list (`- {memory: M, keep: [T]}`), or `mapping: |` and then the text form\n";
  EXPECT_EQ(read("mapping: {a: 1}\n").findings(),
            "F0012 1:10+1 expected a list of nodes, found a map\n" + help);
  EXPECT_TRUE(read("mapping: []\n").mapping);
  EXPECT_FALSE(read("mapping: [\n").mapping);
}

TEST(MappingReader, PointsAtQuotedTextAsAWhole) {
  EXPECT_EQ(read("mapping:\n  - for: ['zz 8', \"z\\x7A 8\"]\n").findings(),
            "M0004 2:12+2 unknown dim `zz`\n"
            "  help: the dims: `m`, `c`, `p`, `q`, `r` and `s`\n"
            "M0004 2:19+9 unknown dim `zz`\n"
            "  help: the dims: `m`, `c`, `p`, `q`, `r` and `s`\n");
}

}  // namespace
}  // namespace tilewright
