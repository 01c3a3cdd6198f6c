// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/mapping/nest_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tilewright/base/random.h"
#include "tilewright/io/mapping/mapping_reader.h"
#include "tilewright/io/mapping/nest_test_support.h"

namespace tilewright {
namespace {

const DimId m(0), c(1), p(2), q(3), r(4), s(5);
const NodeId dram(0), glb(1), pe(2), col(3), spad(4);
constexpr TensorSet kInputs = 1, kWeights = 2, kOutputs = 4, kAll = 7;

struct Read {
  std::optional<Mapping> mapping;
  MappingSource source;
  Diagnostics diagnostics;
  std::string findings() const { return summary(diagnostics); }
};

Read read(const std::string& text) {
  Read result;
  result.mapping =
      read_nest(source_file("a.nest", text), small_problem(), result.diagnostics, &result.source);
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

TEST(NestReader, ReadsTheDocumentedForm) {
  const Read result = read(
      "DRAM: keep Inputs Weights Outputs\n"
      "  for p 8, q 2, m 4\n"
      "GLB: keep Inputs Outputs\n"
      "  for p 14\n"
      "PE: parfor q 14 on X, c 3 on Y, s 3 on Y    # a comment\n"
      "spad: keep Weights\n"
      "mac\n");
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping,
            Mapping({keep(dram, kAll), temporal(p, 8), temporal(q, 2), temporal(m, 4),
                     keep(glb, kInputs | kOutputs), temporal(p, 14), spatial(pe, 0, q, 14),
                     spatial(pe, 1, c, 3), spatial(pe, 1, s, 3), keep(spad, kWeights)}));
  EXPECT_EQ(places(result.source),
            "1:1+33 2:7+3 2:12+3 2:17+3 3:1+24 4:7+4 5:12+9 5:23+8 5:33+8 6:1+18 ");
  EXPECT_EQ(result.source.whole.line, 0);
}

TEST(NestReader, TakesLoopsOnTheLineOfTheirNode) {
  const Read result = read(
      "\xEF\xBB\xBF"
      "DRAM: keep Inputs, Weights, Outputs\r\n"
      "\r\n"
      "GLB: keep Inputs  for p 14, q 4\r\n"
      "COL : parfor m 4 for r 3 # one axis: no `on` needed\r\n");
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping, Mapping({keep(dram, kAll), keep(glb, kInputs), temporal(p, 14),
                                      temporal(q, 4), spatial(col, 0, m, 4), temporal(r, 3)}));
  EXPECT_EQ(places(result.source), "1:4+35 3:1+16 3:23+4 3:29+3 4:14+3 4:22+3 ");
}

TEST(NestReader, StarTakesWhatIsLeft) {
  const Read result = read(
      "DRAM: keep Inputs Weights Outputs\n"
      "for p *, q 3, m *, c *\n"
      "for p 5, p 3\n"
      "PE: parfor q * on X\n"
      "for c 9223372036854775807, c 2\n");
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping,
            Mapping({keep(dram, kAll), temporal(p, 8), temporal(q, 3), temporal(m, 64),
                     temporal(p, 5), temporal(p, 3), spatial(pe, 0, q, 38),
                     temporal(c, 9223372036854775807), temporal(c, 2)}));
}

TEST(NestReader, GivesEveryCanonicalNodeItsPlace) {
  const Read result = read(
      "spad: keep Weights\n"  // sorted behind GLB
      "GLB: keep Inputs\n"    // merged with the one two lines down
      "DRAM: keep Inputs Weights Outputs\n"
      "GLB: keep Outputs\n"
      "  for p 1, q 1, m 2\n"  // factors of 1 go
      "PE: parfor s 3 on Y, q 7 on X, c 3 on Y\n"
      "GLB: keep Inputs\n"
      "GLB: keep Inputs\n");  // the same again stays visible
  ASSERT_TRUE(result.mapping) << result.findings();
  EXPECT_EQ(*result.mapping,
            Mapping({keep(dram, kAll), keep(glb, kInputs | kOutputs), keep(spad, kWeights),
                     temporal(m, 2), spatial(pe, 0, q, 7), spatial(pe, 1, c, 3),
                     spatial(pe, 1, s, 3), keep(glb, kInputs), keep(glb, kInputs)}));
  EXPECT_EQ(places(result.source),
            "3:1+33 2:1+16 1:1+18 5:17+3 6:22+8 6:32+8 6:12+8 7:1+16 8:1+16 ");
}

TEST(NestReader, ReadsQuotedNames) {
  const Arch arch("odd", "", std::nullopt, {memory_of("L2: big"), memory_of("for")},
                  Compute{.name = "a \"b\" \\c"});
  const Problem problem(strided_conv(), arch);
  Diagnostics diagnostics;
  const auto mapping = read_nest(source_file("a.nest",
                                             "\"L2: big\": keep Inputs \"Outputs\"\n"
                                             "for: keep Weights\n"
                                             "\"for\": keep Inputs\n"
                                             "\"a \\\"b\\\" \\\\\\x63\"\n"),
                                 problem, diagnostics, nullptr);
  ASSERT_TRUE(mapping) << summary(diagnostics);
  EXPECT_EQ(*mapping,
            Mapping({keep(NodeId(0), kInputs | kOutputs), keep(NodeId(1), kInputs | kWeights)}));
  EXPECT_EQ(nest_name("GLB"), "GLB");
  EXPECT_EQ(nest_name("on"), "\"on\"");
  EXPECT_EQ(nest_name("a,b"), "\"a,b\"");
}

TEST(NestReader, FindsAllUnknownNamesAtOnce) {
  const Read result = read(
      "DRM: keep Inputs Wieghts\n"
      "  for P 8, zz 3\n"
      "PEE: parfor q 14 on X\n"
      "PE: parfor q 14 on U, c 3, p 2 on Y\n"
      "GLB: keep weight\n"
      "mca\n");
  EXPECT_FALSE(result.mapping);
  EXPECT_EQ(result.findings(),
            "M0002 1:1+3 unknown memory `DRM`\n"
            "  help: did you mean `DRAM`?\n"
            "M0003 1:18+7 unknown tensor `Wieghts`\n"
            "  help: did you mean `Weights`?\n"
            "M0004 2:7+1 unknown dim `P`\n"
            "  help: did you mean `p`?\n"
            "M0004 2:12+2 unknown dim `zz`\n"
            "  help: the dims: `m`, `c`, `p`, `q`, `r` and `s`\n"
            "M0002 3:1+3 unknown fan-out `PEE`\n"
            "  help: did you mean `PE`?\n"
            "M0005 4:20+1 `PE` has no axis `U`\n"
            "  help: did you mean `X`?\n"
            "M0005 4:23+3 `PE` has 2 axes: the loop must name one of them\n"
            "  help: write `c 3 on X`; the axes: `X` and `Y`\n"
            "M0003 5:11+6 unknown tensor `weight`\n"
            "  help: that is a role; a mapping names the tensor: `Weights`\n"
            "M0002 6:1+3 unknown name `mca`\n"
            "  help: the compute unit is `mac`\n");
}

TEST(NestReader, FindsFaultsOfGrammar) {
  const Read result = read(
      "DRAM keep Inputs\n"
      "DRAM: for p 8\n"
      "GLB:\n"
      "GLB: keep\n"
      "GLB: keep Inputs, for p 8\n"
      "for p 8 q 2\n"
      "for p 8,\n"
      "for p8, q 2\n"
      "for\n"
      "keep Inputs\n"
      "parfor q 14 on X\n"
      "PE: parfor q 14 on\n"
      "For p 8\n"
      "\"GLB: keep Inputs\n"
      "for p 8 on X\n"
      "GLB\n"
      "* 3\n");
  EXPECT_FALSE(result.mapping);
  EXPECT_EQ(result.findings(),
            "M0001 1:6+4 expected `: keep` after `DRAM`, found `keep`\n"
            "M0001 2:7+3 expected `keep` or `parfor` after `DRAM:`, found `for`\n"
            "  help: temporal loops do not belong to a node: write them on a line of their own\n"
            "M0001 3:5+1 expected `keep` or `parfor` after `GLB:`, found the end of the line\n"
            "M0001 4:10+1 expected the name of a tensor, found the end of the line\n"
            "M0001 5:17+1 expected the name of a tensor, found `,`\n"
            "M0001 6:9+1 expected `,` or the end of the line, found `q`\n"
            "M0001 7:9+1 expected a loop such as `p 8`, found the end of the line\n"
            "M0001 8:7+1 expected the factor of `p8`, found `,`\n"
            "  help: write `p 8`\n"
            "M0001 9:4+1 expected a loop such as `p 8`, found the end of the line\n"
            "M0001 10:1+4 `keep` needs the name of a memory before it, as in `NAME: keep`\n"
            "M0001 11:1+6 `parfor` needs the name of a fan-out before it, as in `NAME: parfor`\n"
            "M0001 12:19+1 expected the name of an axis after `on`, found the end of the line\n"
            "M0001 13:1+3 expected `NAME: keep ...`, `NAME: parfor ...`, `for ...` or `mac`, found "
            "`For`\n"
            "  help: did you mean `for`?\n"
            "M0001 14:1+17 a quoted name has no closing `\"`\n"
            "M0001 15:12+1 a temporal loop has no axis\n"
            "  help: for a spatial loop, write `NAME: parfor p 8 on X` with the name of a fan-out\n"
            "M0001 16:4+1 expected `: keep` after `GLB`, found the end of the line\n"
            "M0001 17:1+1 expected `NAME: keep ...`, `NAME: parfor ...`, `for ...` or `mac`, found "
            "`*`\n");
}

TEST(NestReader, FindsBadFactors) {
  const Read result = read(
      "for p 0, p -3, p 2.5, p 1e3, p 9223372036854775808, p 0x10\n"
      "for 8 p, p=8 2\n"
      "for p *, q *, p *\n");
  EXPECT_FALSE(result.mapping);
  EXPECT_EQ(result.findings(),
            "M0006 1:7+1 `0` is not a factor\n"
            "M0006 1:12+2 `-3` is not a factor\n"
            "M0006 1:18+3 `2.5` is not a factor\n"
            "M0006 1:25+3 `1e3` is not a factor\n"
            "M0006 1:32+19 the factor `9223372036854775808` is too large\n"
            "M0006 1:55+4 `0x10` is not a factor\n"
            "M0004 2:5+1 unknown dim `8`\n"
            "  help: did you mean `m`?\n"
            "M0006 2:7+1 `p` is not a factor\n"
            "  help: write `p 8`\n"
            "M0004 2:10+3 unknown dim `p=8`\n"
            "  help: write `p 8`\n"
            "M0007 3:15+3 3:5+3 two loops over `p` take what is left\n");
}

TEST(NestReader, FindsNodesOfTheWrongKindAndOrder) {
  const Read result = read(
      "PE: keep Inputs\n"
      "GLB: parfor q 14\n"
      "mac: keep Inputs\n"
      "GLB: keep Inputs Outputs Inputs\n"
      "mac\n"
      "for p 2\n"
      "GLB: keep Inputs\n"
      "mac\n"
      "mac\n");
  EXPECT_FALSE(result.mapping);
  EXPECT_EQ(result.findings(),
            "M0008 1:1+2 `PE` is a fan-out, but `keep` needs a memory\n"
            "  help: the memories: `DRAM`, `GLB` and `spad`\n"
            "M0008 2:1+3 `GLB` is a memory, but `parfor` needs a fan-out\n"
            "  help: the fan-outs: `PE` and `COL`\n"
            "M0008 3:1+3 `mac` is the compute unit, but `keep` needs a memory\n"
            "  help: the memories: `DRAM`, `GLB` and `spad`\n"
            "M0011 4:26+6 `Inputs` is named twice\n"
            "M0010 6:5+3 5:1+3 the compute unit is the last node: nothing lies inside it\n"
            "M0010 9:1+3 8:1+3 the compute unit is the last node: nothing lies inside it\n");
}

TEST(NestReader, AnEmptyTextIsAnEmptyMapping) {
  const Read result = read("# nothing\n\n");
  ASSERT_TRUE(result.mapping);
  EXPECT_TRUE(result.mapping->nodes().empty());
  EXPECT_TRUE(result.source.nodes.empty());
}

TEST(NestReader, RefusesWhatIsTooLong) {
  EXPECT_EQ(read(std::string(kMaxNestBytes + 1, ' ')).findings(),
            "M0009 0:0+1 the mapping is longer than 4 MiB\n");
  EXPECT_EQ(read("for p 2\n" + std::string(kMaxNestLine + 1, 'x')).findings(),
            "M0009 2:1+1 the line is longer than 256 KiB\n");
  std::string many;
  for (std::size_t i = 0; i <= kMaxNestNodes; ++i) many += "for p 2\n";
  EXPECT_EQ(read(many).findings(), "M0009 10001:5+3 the mapping has more than 10,000 nodes\n");
  many.resize(many.size() - 8);
  EXPECT_TRUE(read(many).mapping);
}

TEST(NestReader, StopsAfterTooManyFindings) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "for zz 2, for\n";
  const Read result = read(text);
  EXPECT_EQ(result.diagnostics.errors(), kMaxNestErrors);
  EXPECT_EQ(result.diagnostics.all().back().notes.back(), "the rest of the mapping was not read");
}

TEST(NestReader, SurvivesAnyText) {
  const std::string letters = "pq 28*,:#\"\\\n\t for keep PE GLB parfor on X Inputs \xC3\x28\x01";
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const std::int64_t length = random.between(0, 60);
    for (std::int64_t i = 0; i < length; ++i) {
      const auto at = random.between(0, static_cast<std::int64_t>(letters.size()) - 1);
      text += letters.substr(static_cast<std::size_t>(at),
                             static_cast<std::size_t>(random.between(1, 6)));
    }
    const Read result = read(text);
    EXPECT_EQ(result.mapping.has_value(), !result.diagnostics.has_errors()) << text;
    EXPECT_EQ(result.source.nodes.size(), result.mapping ? result.mapping->nodes().size() : 0U);
  }
}

}  // namespace
}  // namespace tilewright
