// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/violation_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/advice/tile_text.h"
#include "tilewright/base/random.h"
#include "tilewright/io/mapping/mapping_reader.h"
#include "tilewright/io/mapping/nest_test_support.h"
#include "tilewright/io/render.h"

namespace tilewright {
namespace {

/// What a user would see, after an empty line so that it can be written as a raw string.
std::string report(const Problem& problem, const std::string& text) {
  Diagnostics diagnostics;
  MappingSource source;
  const auto mapping = read_nest(source_file("map.nest", text), problem, diagnostics, &source);
  if (mapping) {
    report_violations(problem, *mapping, source, find_violations(problem, *mapping), diagnostics);
  }
  return "\n" + render_text(diagnostics, false);
}

/// GLB is double buffered, reserves 256 B for weights and keeps outputs of 24 bit.
Problem narrow_problem() {
  Memory glb = memory_of("GLB", 2048 * 8);
  glb.buffering = 2;
  glb.partitions = {{"weight", 256 * 8}};
  glb.bits = {{"output", 24}};
  Memory spad = memory_of("spad");
  spad.keep = {false, {"weight"}};
  return Problem(strided_conv(),
                 Arch("narrow", "", std::nullopt, {memory_of("DRAM"), glb, spad}, Compute{}));
}

TEST(ViolationText, TileTooLarge) {
  EXPECT_EQ(report(small_problem(8192 * 8),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 8, q 2, m 8\n"
                   "GLB: keep Inputs Outputs\n"
                   "  for p 14, q 4\n"
                   "PE: parfor q 14 on X, c 3 on Y, s 3 on Y\n"
                   "spad: keep Weights\n"
                   "  for m 8, r 3\n"
                   "mac\n"),
            R"(
error[M0201]: the tiles of `Inputs` and `Outputs` do not fit in `GLB`: 16,103 words needed, 8,192 available (197 %)
  --> map.nest:3:1
   |
 3 | GLB: keep Inputs Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^
  ::: map.nest:4:13
 4 |   for p 14, q 4
   |             ^^^ shorten this loop
   |       ^^^^ or this one
   = note: Inputs   9,831 = c 3 x (2p+r) 29 x (2q+s) 113;  29 = (14-1)*2+3,  113 = (56-1)*2+3
   = note: Outputs  6,272 = m 8 x p 14 x q 56
   = note: `GLB` has 8 KiB = 8,192 words of 8 bit
help: `q 2` fits (8,095 words) and divides 112, with `q 4` instead of `q 2` at `DRAM`;
      `q 3` misses by 3,907 words
help: `p 4` fits (4,843 words) and divides 112, with `p 28` instead of `p 8` at `DRAM`;
      `p 6` fits (7,095 words) and leaves a remainder, with `p 19` instead of `p 8` at `DRAM`;
      `p 7` misses by 29 words
)");
}

TEST(ViolationText, RestAsANewLoop) {
  EXPECT_EQ(report(small_problem(100 * 8),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "for p 112, q 112\n"
                   "GLB: keep Weights\n"
                   "for m 64, c 3, r 3, s 3\n"),
            R"(
error[M0201]: the tile of `Weights` does not fit in `GLB`: 1,728 words needed, 100 available (18 times as much)
  --> map.nest:3:1
   |
 3 | GLB: keep Weights
   | ^^^^^^^^^^^^^^^^^
  ::: map.nest:4:5
 4 | for m 64, c 3, r 3, s 3
   |     ^^^^ shorten this loop
   = note: Weights  1,728 = m 64 x c 3 x r 3 x s 3
   = note: `GLB` has 100 B = 100 words of 8 bit
help: `m 2` fits (54 words) and divides 64, with `m 32` added at `DRAM`;
      `m 3` fits (81 words) and leaves a remainder, with `m 22` added at `DRAM`;
      `m 4` misses by 8 words
)");
}

TEST(ViolationText, NoSingleLoopIsEnough) {
  EXPECT_EQ(report(small_problem(100 * 8),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "GLB: keep Inputs Outputs\n"
                   "for p 112, q 112, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0201]: the tiles of `Inputs` and `Outputs` do not fit in `GLB`: 954,691 words needed, 100 available (9,547 times as much)
  --> map.nest:2:1
   |
 2 | GLB: keep Inputs Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^
  ::: map.nest:3:5
 3 | for p 112, q 112, m 64, c 3, r 3, s 3
   |     ^^^^^
   |            ^^^^^
   = note: Inputs   151,875 = c 3 x (2p+r) 225 x (2q+s) 225;  225 = (112-1)*2+3
   = note: Outputs  802,816 = m 64 x p 112 x q 112
   = note: `GLB` has 100 B = 100 words of 8 bit
help: no single loop is enough: `p 1` instead of `p 112` and `q 1` instead of `q 112`, with the rest outside `GLB`, fit (91 words)
)");
}

TEST(ViolationText, WidthsThatDifferAndAPartition) {
  EXPECT_EQ(report(narrow_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "for p 8, q 28, m 8\n"
                   "GLB: keep Inputs Weights Outputs\n"
                   "for p 14, q 4, m 8, c 3, r 3, s 3\n"),
            R"(
error[M0203]: the tile of `Weights` does not fit in its partition of `GLB`: 216 words needed, 128 available (169 %)
  --> map.nest:3:1
   |
 3 | GLB: keep Inputs Weights Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: map.nest:4:16
 4 | for p 14, q 4, m 8, c 3, r 3, s 3
   |                ^^^ shorten this loop
   |                     ^^^ or this one
   = note: Weights  216 = m 8 x c 3 x r 3 x s 3
   = note: the partition has 256 B = 256 words of 8 bit; buffering 2 leaves 128 words for a tile
help: `m 4` fits (108 words) and divides 64, with `m 16` instead of `m 8` at `DRAM`;
      `m 5` misses by 7 words
help: `c 1` fits (72 words) and divides 3, with `c 3` added at `DRAM`;
      `c 2` misses by 16 words

error[M0201]: the tiles of `Inputs` and `Outputs` do not fit in `GLB`: 2,127 B needed, 1 KiB available (208 %)
  --> map.nest:3:1
   |
 3 | GLB: keep Inputs Weights Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: map.nest:4:16
 4 | for p 14, q 4, m 8, c 3, r 3, s 3
   |                ^^^ shorten this loop
   |     ^^^^ or this one
   = note: Inputs     783 B = 783 x 8 bit;  783 = c 3 x (2p+r) 29 x (2q+s) 9;  29 = (14-1)*2+3,  9 = (4-1)*2+3
   = note: Outputs  1,344 B = 448 x 24 bit;  448 = m 8 x p 14 x q 4
   = note: `GLB` has 2 KiB; buffering 2 leaves 1 KiB for a tile
help: `m 1` fits (951 B) and divides 64, with `m 64` instead of `m 8` at `DRAM`;
      `m 2` misses by 95 B
help: `p 4` fits (627 B) and divides 112, with `p 28` instead of `p 8` at `DRAM`;
      `p 6` fits (927 B) and leaves a remainder, with `p 19` instead of `p 8` at `DRAM`;
      `p 7` misses by 53 B
)");
}

TEST(ViolationText, AxisSplits) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "for p 4, q 112, m 64, c 3, r 3, s 3\n"
                   "GLB: keep Inputs\n"
                   "PE: parfor p 28 on X\n"),
            R"(
error[M0202]: 28 children needed along `X` of `PE`, which has 14 (200 %)
  --> map.nest:4:12
   |
 4 | PE: parfor p 28 on X
   |            ^^^^^^^^^ spread along `X`
help: 28 = 14 x 2: write `p 14 on X` instead of `p 28`, with `p 2` added at `GLB`: 14 of 14 busy (100 %)
)");
}

TEST(ViolationText, AxisOfTwoLoops) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "for p 16, q 112\n"
                   "GLB: keep Inputs\n"
                   "for p 7, s 3\n"
                   "PE: parfor c 3 on Y, r 3 on Y, m 2 on X, m 32 on X\n"),
            R"(
error[M0202]: 64 children needed along `X` of `PE`, which has 14 (458 %)
  --> map.nest:5:32
   |
 5 | PE: parfor c 3 on Y, r 3 on Y, m 2 on X, m 32 on X
   |                                ^^^^^^^^ spread along `X`
   |                                          ^^^^^^^^^ spread along `X`
   = note: 2 x 32 = 64
help: 32 = 4 x 8: write `m 4 on X` instead of `m 32`, with `m 8` added at `GLB`: 8 of 14 busy (57.1 %)
help: write `m 7 on X` instead of `m 32`, with `m 5` added at `GLB`: 14 of 14 busy (100 %), and a remainder
)");
}

TEST(ViolationText, AxisOfAPrime) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "for p 112, q 4, m 64, c 3, r 3, s 3\n"
                   "PE: parfor q 29 on X\n"),
            R"(
error[M0202]: 29 children needed along `X` of `PE`, which has 14 (208 %)
  --> map.nest:3:12
   |
 3 | PE: parfor q 29 on X
   |            ^^^^^^^^^ spread along `X`
help: write `q 14 on X` instead of `q 29`, with `q 8` instead of `q 4` at `DRAM`: 14 of 14 busy (100 %)
)");
}

TEST(ViolationText, UncoveredWithoutLoop) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for q 112, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0210]: no loop covers `p`, which is 112
  --> map.nest
help: add `p 112` inside `DRAM`; `p *` means as many as are left
)");
}

TEST(ViolationText, UncoveredByTwoLoops) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 8, q 112, m 64, c 3, r 3, s 3\n"
                   "GLB: keep Inputs\n"
                   "  for p 7\n"),
            R"(
error[M0210]: the loops over `p` cover 56, but `p` is 112
  --> map.nest:2:7
   |
 2 |   for p 8, q 112, m 64, c 3, r 3, s 3
   |       ^^^
  ::: map.nest:4:7
 4 |   for p 7
   |       ^^^
   = note: 8 x 7 = 56
help: write `p 16` instead of `p 8`: 16 x 7 = 112
)");
}

TEST(ViolationText, UncoveredWithARemainder) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 8, q 112, m 64, c 3, r 3, s 3\n"
                   "GLB: keep Inputs\n"
                   "  for p 9\n"),
            R"(
error[M0210]: the loops over `p` cover 72, but `p` is 112
  --> map.nest:2:7
   |
 2 |   for p 8, q 112, m 64, c 3, r 3, s 3
   |       ^^^
  ::: map.nest:4:7
 4 |   for p 9
   |       ^^^
   = note: 8 x 9 = 72
help: write `p 13` instead of `p 8`: 13 x 9 = 117, the last pass is shorter
)");
}

TEST(ViolationText, UncoveredInSpace) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for q 112, m 64, c 3, r 3, s 3\n"
                   "PE: parfor p 14 on X\n"),
            R"(
error[M0210]: the loop over `p` covers 14, but `p` is 112
  --> map.nest:3:12
   |
 3 | PE: parfor p 14 on X
   |            ^^^^^^^^^
help: add `p 8` inside `DRAM`; `p *` means as many as are left
)");
}

TEST(ViolationText, Overcovered) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 14, q 112, m 64, c 3, r 3, s 3\n"
                   "GLB: keep Inputs\n"
                   "  for p 14, p 2\n"),
            R"(
error[M0211]: `p 14` has 14 steps, but only 4 are left
  --> map.nest:2:7
   |
 2 |   for p 14, q 112, m 64, c 3, r 3, s 3
   |       ^^^^
   = note: `p` is 112, and the loops over it further in take 14 x 2 at a time
help: write `p 4`
)");
}

TEST(ViolationText, OvercoveredWithNothingLeft) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 2, q 112, m 64, c 3, r 3, s 3\n"
                   "GLB: keep Inputs\n"
                   "  for p 112\n"),
            R"(
error[M0211]: `p 2` has 2 steps, but no more than 1 step is left
  --> map.nest:2:7
   |
 2 |   for p 2, q 112, m 64, c 3, r 3, s 3
   |       ^^^
   = note: `p` is 112, and the loops over it further in take 112 at a time
help: leave this loop out
)");
}

TEST(ViolationText, NotKept) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights\n"
                   "  for p 112, q 112, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0220]: no memory keeps `Outputs`
  --> map.nest
help: add `Outputs` to what `DRAM` keeps
)");
}

TEST(ViolationText, KeptTwiceAndOutOfOrder) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 112, q 112, m 64\n"
                   "spad: keep Inputs\n"
                   "  for c 3\n"
                   "GLB: keep Inputs\n"
                   "  for r 3\n"
                   "spad: keep Inputs\n"
                   "  for s 3\n"),
            R"(
error[M0222]: `GLB` keeps `Inputs` inside `spad`, but in the architecture it lies outside
  --> map.nest:5:1
   |
 5 | GLB: keep Inputs
   | ^^^^^^^^^^^^^^^^ too far in
  ::: map.nest:3:1
 3 | spad: keep Inputs
   | ^^^^^^^^^^^^^^^^^ `spad` keeps it here
help: leave `Inputs` out here

error[M0221]: `spad` keeps `Inputs` twice
  --> map.nest:7:1
   |
 7 | spad: keep Inputs
   | ^^^^^^^^^^^^^^^^^ again here
  ::: map.nest:3:1
 3 | spad: keep Inputs
   | ^^^^^^^^^^^^^^^^^ first here
help: leave `Inputs` out here
)");
}

TEST(ViolationText, MayNotKeep) {
  EXPECT_EQ(report(narrow_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for p 112, q 112, m 64\n"
                   "spad: keep Weights Outputs\n"
                   "  for c 3, r 3, s 3\n"),
            R"(
error[M0223]: `spad` may not keep `Outputs`
  --> map.nest:3:1
   |
 3 | spad: keep Weights Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^
   = note: the architecture allows it to keep `Weights`
help: leave `Outputs` out here
)");
}

TEST(ViolationText, LoopOutsideHome) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights\n"
                   "  for p 112, q 112\n"
                   "GLB: keep Outputs\n"
                   "  for m 64, c 3, r 3, s 3\n"),
            R"(
error[M0224]: the loop `p 112` lies outside `GLB`, the outermost memory that keeps `Outputs`
  --> map.nest:2:7
   |
 2 |   for p 112, q 112
   |       ^^^^^ outside
  ::: map.nest:3:1
 3 | GLB: keep Outputs
   | ^^^^^^^^^^^^^^^^^ kept here
help: let `DRAM` keep `Outputs` as well
)");
}

TEST(ViolationText, LoopOutsideAll) {
  EXPECT_EQ(report(small_problem(),
                   "for p 112\n"
                   "DRAM: keep Inputs Weights Outputs\n"
                   "  for q 112, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0224]: the loop `p 112` lies outside `DRAM`, the outermost memory that keeps `Inputs`, `Weights` and `Outputs`
  --> map.nest:1:5
   |
 1 | for p 112
   |     ^^^^^ outside
  ::: map.nest:2:1
 2 | DRAM: keep Inputs Weights Outputs
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ kept here
help: move the loop inside `DRAM`
)");
}

TEST(ViolationText, FanoutOrder) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "PE: parfor p 14 on X\n"
                   "GLB: keep Inputs\n"
                   "  for p 8, q 112, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0225]: the loops of `PE` must lie inside `GLB`, as in the architecture
  --> map.nest:3:1
   |
 3 | GLB: keep Inputs
   | ^^^^^^^^^^^^^^^^
  ::: map.nest:2:12
 2 | PE: parfor p 14 on X
   |            ^^^^^^^^^ the loops of `PE`
help: move `GLB` in front of the loops of `PE`
)");
}

TEST(ViolationText, FanoutOrderOfTwo) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "COL: parfor m 4\n"
                   "PE: parfor p 14 on X\n"
                   "  for p 8, q 112, m 16, c 3, r 3, s 3\n"),
            R"(
error[M0225]: the loops of `PE` must lie outside `COL`, as in the architecture
  --> map.nest:2:13
   |
 2 | COL: parfor m 4
   |             ^^^
  ::: map.nest:3:12
 3 | PE: parfor p 14 on X
   |            ^^^^^^^^^ the loops of `PE`
help: move `COL` behind the loops of `PE`
)");
}

TEST(ViolationText, FanoutSplit) {
  EXPECT_EQ(report(small_problem(),
                   "DRAM: keep Inputs Weights Outputs\n"
                   "PE: parfor p 14 on X\n"
                   "  for p 8\n"
                   "PE: parfor q 2 on Y\n"
                   "  for q 56, m 64, c 3, r 3, s 3\n"),
            R"(
error[M0226]: the loops of `PE` are not next to each other
  --> map.nest:4:12
   |
 4 | PE: parfor q 2 on Y
   |            ^^^^^^^^ apart from the others
  ::: map.nest:2:12
 2 | PE: parfor p 14 on X
   |            ^^^^^^^^^ the first
help: write them in one `parfor`
)");
}

TEST(ViolationText, WhatTheHelpsSayIsLegal) {
  const auto nest = [](const std::string& outer, const std::string& inner) {
    return "DRAM: keep Inputs Weights Outputs\n  for " + outer +
           "m 8\nGLB: keep Inputs Outputs\n  for " + inner +
           "\nPE: parfor q 14 on X, c 3 on Y, s 3 on Y\nspad: keep Weights\n  for m 8, r 3\n";
  };
  const Problem problem = small_problem(8192 * 8);
  EXPECT_NE(report(problem, nest("p 8, q 2, ", "p 14, q 4")), "\n");
  EXPECT_EQ(report(problem, nest("p 8, q 4, ", "p 14, q 2")), "\n");
  EXPECT_EQ(report(problem, nest("p 28, q 2, ", "p 4, q 4")), "\n");
  EXPECT_EQ(report(problem, nest("p 19, q 2, ", "p 6, q 4")), "\n");
  EXPECT_NE(report(problem, nest("p 16, q 2, ", "p 7, q 4")), "\n");
}

TEST(ViolationText, TooManyLoops) {
  Diagnostics diagnostics;
  const Mapping mapping({temporal(DimId(0), 2)});
  const std::vector<Violation> violations = {
      {.kind = Violation::Kind::kTooManyLoops, .value = 1072, .limit = 64}};
  report_violations(small_problem(), mapping, MappingSource{}, violations, diagnostics);
  EXPECT_EQ(render_text(diagnostics, false),
            "error[M0227]: the mapping has 1,072 loops, at most 64 are possible\n");
}

TEST(ViolationText, NeedsNoFile) {
  const Problem problem = small_problem(8 * 8);
  const Mapping mapping({keep(NodeId(0), 7), keep(NodeId(1), 2), temporal(DimId(0), 64),
                         temporal(DimId(1), 3), temporal(DimId(2), 112), temporal(DimId(3), 112),
                         temporal(DimId(4), 3), temporal(DimId(5), 3)});
  Diagnostics diagnostics;
  report_violations(problem, mapping, MappingSource{}, find_violations(problem, mapping),
                    diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1);
  EXPECT_EQ(diagnostics.all()[0].code, "M0201");
  EXPECT_TRUE(diagnostics.all()[0].labels.empty());
  EXPECT_EQ(diagnostics.all()[0].helps,
            std::vector<std::string>{
                "no single loop is enough: `m 1` instead of `m 64` and `c 1` instead of `c 3` and "
                "`r 2` instead of `r 3`, with the rest outside `GLB`, fit (6 words)"});
}

TEST(ViolationText, StopsAfterTooMany) {
  const std::vector<Violation> violations(
      1060, {.kind = Violation::Kind::kTooManyLoops, .value = 65, .limit = 64});
  Diagnostics diagnostics;
  report_violations(small_problem(), Mapping({}), MappingSource{}, violations, diagnostics);
  EXPECT_EQ(diagnostics.errors(), kMaxReportedViolations + 1);
  EXPECT_EQ(diagnostics.all().back().message, "1,010 more violations are not shown");
}

TEST(ViolationText, HasWordsForAnyNest) {
  const Problem problem = small_problem(64 * 8);
  int reported = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    std::vector<NestNode> nodes = {keep(NodeId(0), random.one_in(8) ? 3 : 7)};
    for (std::int64_t i = random.between(2, 14); i > 0; --i) {
      const DimId dim(static_cast<int>(random.between(0, 5)));
      const std::int64_t factor = random.between(1, 9);
      const int axis = static_cast<int>(random.between(0, 1));
      const std::int64_t kind = random.between(0, 5);
      nodes.push_back(kind == 0   ? keep(NodeId(random.one_in(2) ? 1 : 4),
                                         static_cast<TensorSet>(random.between(1, 7)))
                      : kind == 1 ? spatial(NodeId(2), axis, dim, factor)
                                  : temporal(dim, factor));
    }
    // Half of them cover the dims, so that fit is looked at.
    for (int d = 0; d < 6 && seed % 2 == 0; ++d) {
      std::int64_t left = problem.workload().dims()[static_cast<std::size_t>(d)].size;
      for (std::size_t i = nodes.size(); i-- > 0;) {
        if (!nodes[i].is_loop() || nodes[i].dim != DimId(d)) continue;
        nodes[i].factor = std::min(nodes[i].factor, left);
        left = (left + nodes[i].factor - 1) / nodes[i].factor;
      }
      nodes.insert(nodes.begin() + 1, temporal(DimId(d), left));
    }
    const Mapping mapping(std::move(nodes));
    const std::vector<Violation> violations = find_violations(problem, mapping);
    Diagnostics diagnostics;
    report_violations(problem, mapping, MappingSource{}, violations, diagnostics);
    EXPECT_EQ(violations.empty(), !diagnostics.has_errors()) << "seed " << seed;
    EXPECT_LE(diagnostics.all().size(), violations.size()) << "seed " << seed;
    reported += diagnostics.errors();
  }
  EXPECT_GT(reported, 500);
}

TEST(TileText, Numbers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(-999), "-999");
  EXPECT_EQ(with_commas(-1000), "-1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(percent(7, 8), "87.5 %");
  EXPECT_EQ(percent(8, 8), "100 %");
  EXPECT_EQ(percent(1'000'001, 1'000'000), "101 %");
  EXPECT_EQ(percent(96, 8), "12 times as much");
  EXPECT_EQ(size_text(12), "12 bit");
  EXPECT_EQ(size_text(1000 * 8), "1,000 B");
  EXPECT_EQ(size_text(1536 * 8), "1.5 KiB");
  EXPECT_EQ(size_text(1537 * 8), "1,537 B");
  EXPECT_EQ(size_text(std::int64_t{128} << 23), "128 MiB");
  EXPECT_EQ(SizeUnit(16).amount(16), "1 word");
  EXPECT_EQ(SizeUnit(16).amount(47), "2 words");
  EXPECT_EQ(SizeUnit(0).amount(1024 * 8), "1 KiB");
}

TEST(TileText, Ranks) {
  const DimId a(0), b(1), c(2);
  const auto text = [&](std::vector<Term> terms, std::int64_t x, std::int64_t y, std::int64_t z) {
    const Tensor input{"I", "input", 8, {Rank{std::move(terms)}}};
    const Tensor output{"O", "output", 8, {Rank{{{a, 1}}}, Rank{{{b, 1}}}, Rank{{{c, 1}}}}};
    const Problem problem(Workload("w", {{"a", 20}, {"row", 20}, {"c", 20}}, {input, output}),
                          Arch("a", "", std::nullopt, {memory_of("M")}, Compute{}));
    return tile_text(problem,
                     Mapping({keep(NodeId(0), 1), temporal(a, x), temporal(b, y), temporal(c, z)}),
                     TensorId(0), 0);
  };
  EXPECT_EQ(text({{a, 1}, {b, 1}}, 1, 1, 1), "one element");
  EXPECT_EQ(text({{a, 3}, {b, 1}}, 7, 1, 1), "a 7");
  EXPECT_EQ(text({{a, 1}, {b, 1}}, 7, 3, 1), "(a+row) 9;  9 = (7-1)+3");
  EXPECT_EQ(text({{a, 1}, {b, -2}}, 7, 3, 1), "(a-2*row) 11;  11 = (3-1)*2+7");
  EXPECT_EQ(text({{a, 2}, {b, 3}}, 7, 4, 1), "(2a+3*row) 20;  20 = (7-1)*2+(4-1)*3+1-2");
  EXPECT_EQ(text({{a, 9}, {b, 1}}, 7, 4, 1), "(9a+row) 28;  28 = 7*4");
  EXPECT_EQ(text({{a, 1}, {b, 1}, {c, 1}}, 7, 4, 2), "(a+row+c) 11");
}

}  // namespace
}  // namespace tilewright
