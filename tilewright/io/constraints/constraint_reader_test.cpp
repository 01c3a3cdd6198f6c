// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/constraint_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/mapping/nest_test_support.h"
#include "tilewright/io/read.h"

namespace tilewright {
namespace {

struct Read {
  std::optional<std::vector<Constraint>> constraints;
  std::vector<Span> source;
  Diagnostics diagnostics;
  std::string findings() const { return summary(diagnostics); }

  /// `line:column+length text`, one constraint a line.
  std::string texts() const {
    const Problem problem = small_problem();
    std::string text;
    for (std::size_t i = 0; constraints && i < constraints->size(); ++i) {
      const Span& span = source.at(i);
      text += std::to_string(span.line) + ":" + std::to_string(span.column) + "+" +
              std::to_string(span.length) + " " + constraint_text(problem, (*constraints)[i]) +
              "\n";
    }
    return text;
  }
};

Read read(const std::string& text) {
  Read result;
  result.constraints = read_constraints(source_file("c.yaml", text), small_problem(),
                                        result.diagnostics, &result.source);
  return result;
}

/// The findings for one item that is not to be accepted.
std::string fault(const std::string& item) {
  const Read result = read("constraints: [{" + item + "}]\n");
  EXPECT_FALSE(result.constraints) << item;
  return result.findings();
}

TEST(ConstraintReader, ReadsTheDocumentedForm) {
  const Read result = read(
      "constraints:\n"
      "  - at: GLB\n"
      "    keep: [input, Outputs]\n"
      "    bypass: [weight]\n"
      "    factors: [\"c = 1\", p <= 7, \"m >= 2\"]\n"
      "    remainders: false\n"
      "    order: [m, ..., q, c]\n"
      "  - at: PE\n"
      "    dims: {Y: [q], X: [c, m]}\n"
      "    factors: [c = 3 on X]\n"
      "    remainders: false\n"
      "    utilization: 75 %\n"
      "  - {at: COL, factors: [m = 4], dims: {Z: []}, utilization: 0.5}\n"
      "  - {at: DRAM, remainders: true}\n");
  ASSERT_TRUE(result.constraints) << result.findings();
  EXPECT_EQ(result.findings(), "");
  EXPECT_EQ(result.texts(),
            "3:5+22 keep Inputs, Outputs at GLB\n"
            "4:5+16 bypass Weights at GLB\n"
            "5:15+7 c = 1 at GLB\n"
            "5:24+6 p <= 7 at GLB\n"
            "5:32+8 m >= 2 at GLB\n"
            "6:5+17 no remainders at GLB\n"
            "7:5+21 order m, ..., q, c at GLB\n"
            "10:15+10 c = 3 on X of PE\n"
            "11:5+17 no remainders at PE\n"
            "9:20+9 only c, m on X of PE\n"
            "9:12+6 only q on Y of PE\n"
            "12:5+17 at least 75 % of PE\n"
            "13:25+5 m = 4 on Z of COL\n"
            "13:40+5 nothing on Z of COL\n"
            "13:48+16 at least 50 % of COL\n");
}

TEST(ConstraintReader, OrdersMayBeCompleteOrOpen) {
  const auto order = [](const std::string& list) {
    const Read result = read("constraints: [{at: GLB, order: " + list + "}]\n");
    EXPECT_TRUE(result.constraints && result.constraints->size() == 1) << result.findings();
    return result.constraints->front();
  };
  const DimId m(0), c(1), p(2), q(3), r(4), s(5);
  const Constraint all = order("[s, r, q, p, c, m]");
  EXPECT_EQ(all.outermost, (std::vector{s, r, q, p, c, m}));
  EXPECT_TRUE(all.innermost.empty());
  const Constraint open = order("[\"...\", m]");
  EXPECT_TRUE(open.outermost.empty());
  EXPECT_EQ(open.innermost, (std::vector{m}));
}

TEST(ConstraintReader, TwoItemsAboutOneNodeAddUp) {
  const Read result = read(
      "constraints:\n"
      "  - {at: GLB, keep: [input]}\n"
      "  - {at: GLB, keep: [output], order: [m, ...]}\n");
  EXPECT_EQ(result.texts(),
            "2:15+13 keep Inputs at GLB\n"
            "3:15+14 keep Outputs at GLB\n"
            "3:31+15 order m, ... at GLB\n");
  EXPECT_EQ(read("constraints:\n"
                 "  - {at: GLB, order: [m, ...]}\n"
                 "  - {at: DRAM, order: [m, ...]}\n"
                 "  - {at: GLB, order: [..., m]}\n")
                .findings(),
            "K0009 4:15+15 2:15+15 the loops of `GLB` have two orders\n"
            "  help: keep one of the two; `...` in it leaves the others free\n");
}

TEST(ConstraintReader, UnknownNames) {
  EXPECT_EQ(fault("at: GBL, keep: [Inputs]"),
            "K0001 1:20+3 unknown memory or fan-out `GBL`\n  help: did you mean `GLB`?\n");
  EXPECT_EQ(fault("at: buffer"),
            "K0001 1:20+6 unknown memory or fan-out `buffer`\n"
            "  help: the nodes: `DRAM`, `GLB`, `PE`, `COL` and `spad`\n");
  EXPECT_EQ(fault("at: mac"),
            "K0006 1:20+3 `mac` is the compute unit\n"
            "  help: the nodes: `DRAM`, `GLB`, `PE`, `COL` and `spad`\n");
  EXPECT_EQ(fault("at: GLB, keep: [inptu]"),
            "K0002 1:32+5 unknown tensor or role `inptu`\n  help: did you mean `input`?\n");
  EXPECT_EQ(fault("at: GLB, order: [M, ...]"),
            "K0003 1:33+1 unknown dim `M`\n  help: did you mean `m`?\n");
  EXPECT_EQ(fault("at: GLB, factors: [width = 3]"),
            "K0003 1:35+5 unknown dim `width`\n"
            "  help: the dims: `m`, `c`, `p`, `q`, `r` and `s`\n");
  EXPECT_EQ(fault("at: PE, dims: {Xx: [mm]}"),
            "K0003 1:36+2 unknown dim `mm`\n  help: did you mean `m`?\n"
            "K0004 1:31+2 `PE` has no axis `Xx`\n  help: did you mean `X`?\n");
  EXPECT_EQ(fault("at: PE, factors: [\"c = 3 on Z\"]"),
            "K0004 1:44+1 `PE` has no axis `Z`\n  help: the axes: `X` and `Y`\n");
}

TEST(ConstraintReader, AllFaultsOfAnItemWithoutANode) {
  EXPECT_EQ(
      fault("at: GBL, keep: [inptu], factors: [M = 4 on A, c = 9], order: [m], dims: {A: [z9]}"),
      "K0001 1:20+3 unknown memory or fan-out `GBL`\n"
      "  help: did you mean `GLB`?\n"
      "K0002 1:32+5 unknown tensor or role `inptu`\n"
      "  help: did you mean `input`?\n"
      "K0003 1:50+1 unknown dim `M`\n"
      "  help: did you mean `m`?\n"
      "K0007 1:66+1 a factor of `c` cannot be 9: `c` is 3\n"
      "  help: write `c = 3`, or `c <= 9`, which means up to 9\n"
      "K0008 1:70+10 `order` leaves out `c`, `p`, `q`, `r` and `s`\n"
      "  help: write `...` where the others may be, for example `[m, ...]`\n"
      "K0003 1:93+2 unknown dim `z9`\n"
      "  help: the dims: `m`, `c`, `p`, `q`, `r` and `s`\n");
}

TEST(ConstraintReader, KeysOfTheOtherKindOfNode) {
  EXPECT_EQ(fault("at: PE, keep: [Inputs]"),
            "K0006 1:24+4 `keep` is for memories, but `PE` is a fan-out\n"
            "  help: give it at a memory: `DRAM`, `GLB` or `spad`\n");
  EXPECT_EQ(
      fault("at: PE, order: [m, ...]"),
      "K0006 1:24+5 `order` is for memories, but `PE` is a fan-out\n"
      "  help: spatial loops have no order; `dims` says which dims may be spread over an axis\n");
  EXPECT_EQ(fault("at: GLB, dims: {X: [c]}"),
            "K0006 1:25+4 `dims` is for fan-outs, but `GLB` is a memory\n"
            "  help: `factors: [c = 1]` keeps loops over `c` away from a memory\n");
  EXPECT_EQ(fault("at: GLB, utilization: 75 %"),
            "K0006 1:25+11 `utilization` is for fan-outs, but `GLB` is a memory\n"
            "  help: give it at a fan-out: `PE` or `COL`\n");
}

TEST(ConstraintReader, AxesOfFactors) {
  EXPECT_EQ(fault("at: GLB, factors: [c = 1 on X]"),
            "K0004 1:44+1 `GLB` is a memory and has no axes\n  help: write `c = 1`\n");
  EXPECT_EQ(fault("at: PE, factors: [c <= 3]"),
            "K0004 1:34+6 `PE` has 2 axes: a factor must name one of them\n"
            "  help: write `c <= 3 on X`; the axes: `X` and `Y`\n");
}

TEST(ConstraintReader, FactorsAndTheSizesOfDims) {
  EXPECT_EQ(fault("at: GLB, factors: [c >= 4]"),
            "K0007 1:40+1 a factor of `c` cannot be at least 4: `c` is 3\n"
            "  help: write `c >= 3` or less\n");
  EXPECT_TRUE(read("constraints: [{at: GLB, factors: [c >= 3, c = 3, c <= 4]}]\n").constraints);
}

TEST(ConstraintReader, WrongTypes) {
  EXPECT_EQ(read("constraints:\n").findings(),
            "F0012 1:1+11 `constraints` has no value\n"
            "  help: write `- at: NAME` with the name of a memory or fan-out, then its keys\n");
  EXPECT_EQ(read("constraints: {at: GLB}\n").findings(),
            "F0012 1:14+1 `constraints` is a map, not a list\n"
            "  help: write `- at: NAME` with the name of a memory or fan-out, then its keys\n");
  EXPECT_EQ(read("constraints: [GLB]\n").findings(),
            "F0012 1:15+3 an item of `constraints` is `GLB`, not a map\n");
  EXPECT_EQ(fault("keep: [input]"),
            "F0011 1:15+1 an item of `constraints` has no `at`\n  help: for example `at: GLB`\n");
  EXPECT_EQ(fault("at: [GLB]"),
            "F0012 1:20+1 `at` is a list, not the name of a memory or fan-out\n");
  EXPECT_EQ(fault("at: GLB, keep: Inputs"),
            "F0012 1:31+6 `keep` is `Inputs`, not a list\n  help: write `[Inputs]`\n");
  EXPECT_EQ(fault("at: GLB, keep: [Inputs, [Outputs], Inputs]"),
            "F0012 1:40+1 a tensor in `keep` is a list, not a tensor\n"
            "F0009 1:51+6 1:32+6 `Inputs` occurs twice in `keep`\n");
  EXPECT_EQ(fault("at: GLB, factors: {c: 1, p: 7}"),
            "F0012 1:34+1 `factors` is a map, not a list\n  help: write `[c = 1, p = 7]`\n");
  EXPECT_EQ(fault("at: GLB, factors: [c 4]"),
            "K0005 1:37+1 `factors` of the constraints at `GLB`: expected `=`, `<=` or `>=`, found "
            "`4`\n  help: write `c = 4`\n");
  EXPECT_EQ(fault("at: GLB, factors: [\"c = 0\"]"),
            "F0024 1:40+1 `factors` of the constraints at `GLB`: 0 is less than 1\n");
  EXPECT_EQ(
      fault("at: GLB, remainders: 0"),
      "F0012 1:37+1 `remainders` of the constraints at `GLB` is `0`, not `true` or `false`\n");
  EXPECT_EQ(fault("at: GLB, order: [m, ..., q, ...]"),
            "F0009 1:44+3 1:36+3 `...` occurs twice in `order`\n");
  EXPECT_EQ(fault("at: PE, dims: [c, m]"), "F0012 1:30+1 `dims` is a list, not a map\n");
  EXPECT_EQ(fault("at: PE, dims: {X: c}"),
            "F0012 1:34+1 `X` in `dims` is `c`, not a list\n  help: write `[c]`\n");
  EXPECT_EQ(fault("at: GLB, kep: [Inputs]"),
            "F0010 1:25+3 unknown key `kep` in the constraints at `GLB`\n"
            "  help: did you mean `keep`?\n");
  EXPECT_EQ(fault("memory: GLB, keep: [Inputs]"),
            "F0010 1:16+6 unknown key `memory` in an item of `constraints`\n"
            "  help: did you mean `at`?\n");
}

TEST(ConstraintReader, Shares) {
  EXPECT_EQ(fault("at: PE, utilization: 120 %"),
            "K0010 1:37+5 `utilization` of the constraints at `PE`: `120 %` is more than 100 %\n");
  EXPECT_EQ(fault("at: PE, utilization: 75"),
            "K0010 1:37+2 `utilization` of the constraints at `PE`: `75` is more than 100 %\n"
            "  help: write `75 %`\n");
  EXPECT_EQ(fault("at: PE, utilization: -5 %"),
            "F0024 1:37+4 `utilization` of the constraints at `PE`: `-5 %` is negative\n");
  EXPECT_EQ(fault("at: PE, utilization: 75 percent"),
            "F0022 1:40+7 `utilization` of the constraints at `PE`: `percent` is not a unit of a "
            "share\n");
  EXPECT_EQ(fault("at: PE, utilization: [1]"),
            "F0012 1:37+1 `utilization` of the constraints at `PE` is a list, not a share such as "
            "`75 %`\n");
}

TEST(ConstraintReader, WarnsOfWhatHasNoEffect) {
  const Read empty = read("constraints: [{at: GLB, keep: [], bypass: [], order: [...]}]\n");
  ASSERT_TRUE(empty.constraints);
  EXPECT_TRUE(empty.constraints->empty());
  EXPECT_EQ(empty.findings(),
            "K0011 1:25+8 `keep` names no tensor\n"
            "  help: to keep nothing here, name all tensors in `bypass`\n"
            "K0011 1:35+10 `bypass` names no tensor\n"
            "K0011 1:47+12 `order` names no dim\n");
  const Workload plain("copy", {{"i", 4}},
                       {Tensor{"A", "input", 8, {Rank{{Term{DimId(0), 1}}}}},
                        Tensor{"Z", "output", 8, {Rank{{Term{DimId(0), 1}}}}}});
  Diagnostics diagnostics;
  const auto constraints =
      read_constraints(source_file("c.yaml", "constraints: [{at: GLB, keep: [weight, A]}]\n"),
                       Problem(plain, small_arch()), diagnostics);
  ASSERT_TRUE(constraints && constraints->size() == 1);
  EXPECT_EQ(constraints->front().tensors, 0b01U);
  EXPECT_EQ(summary(diagnostics), "K0011 1:32+6 no tensor of the workload has the role `weight`\n");
}

TEST(ConstraintReader, NeedsItsSection) {
  EXPECT_EQ(read("workload: {}\n").findings(),
            "F0011 0:0+1 `c.yaml` has no section `constraints`\n");
  EXPECT_TRUE(read("constraints: []\n").constraints);
  EXPECT_EQ(read("targets: []\n").findings(),
            "F0010 1:1+7 unknown key `targets` in `c.yaml`\n"
            "  help: did you mean `constraints`?\n");
}

}  // namespace
}  // namespace tilewright
