// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/flexibility_file.h"

#include <gtest/gtest.h>

#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

constexpr const char* kPaper = R"(flexibility:
  dims: [c, m, p, q, r, s]
  gemm: {m: p, n: m, k: c}
  buffer: GLB
  array: PE
  loops: {GLB: {p: 3, q: 3, r: 3, s: 3}}
  partition: {input: 1, weight: 1, output: 1}
  orders: [[p, q, m, c, r, s], [m, c, r, s, p, q], [c, p, q, m, r, s]]
  parallelisms: [[c, m], [p, q]]
  block: 16
)";

std::optional<Flexibility> read(const std::string& text, Diagnostics& diagnostics) {
  return read_flexibility_file(std::make_shared<SourceFile>(SourceFile{"flex.yaml", text}),
                               testing::paper_arch(), diagnostics);
}

TEST(FlexibilityFile, ReadsThePaper) {
  Diagnostics diagnostics;
  EXPECT_EQ(read(kPaper, diagnostics), testing::paper_flexibility());
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(FlexibilityFile, ReadsDegrees) {
  Diagnostics diagnostics;
  const auto found = read(std::string(kPaper) + "  tile: full\n  shape: partial\n", diagnostics);
  ASSERT_TRUE(found);
  EXPECT_EQ(flex_class(*found, found->supports), "1001");
}

TEST(FlexibilityFile, WhatIsWrittenReadsBack) {
  Flexibility flexibility = testing::paper_flexibility();
  flexibility.supports = {{Degree::kFull, Degree::kFixed, Degree::kPartial, Degree::kFixed}};
  Diagnostics diagnostics;
  EXPECT_EQ(read(write_flexibility(flexibility), diagnostics), flexibility);
  flexibility.costs = FlexCosts{2000.5, {1, 2, 3, 4.25}, 0.25};
  EXPECT_EQ(read(write_flexibility(flexibility), diagnostics), flexibility);
  flexibility.costs.reset();
  flexibility.gemm.clear();
  flexibility.loops.clear();
  flexibility.partition.clear();
  flexibility.block.clear();
  EXPECT_EQ(read(write_flexibility(flexibility), diagnostics), flexibility);
}

TEST(FlexibilityFile, SaysAllThatIsWrong) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      read(std::string(kPaper) + "  tile: some\n  block: [1, 2, 3]\n  blok: 2\n", diagnostics));
  EXPECT_GE(diagnostics.errors(), 2);
}

TEST(FlexibilityFile, AnAreaNeedsAllAxes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(std::string(kPaper) +
                        "  area: {base: 1 mm2, tile: 1 um2, order: 2, shape: 3 um2, partial: 2}\n",
                    diagnostics));
  EXPECT_EQ(diagnostics.errors(), 3);  // no parallelism, no unit, and more than all
}

TEST(FlexibilityFile, FaultsPointAtTheSection) {
  Diagnostics diagnostics;
  std::string text = kPaper;
  text.replace(text.find("array: PE"), 9, "array: XX");
  EXPECT_FALSE(read(text, diagnostics));
  ASSERT_EQ(diagnostics.errors(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "X0001");
  EXPECT_EQ(diagnostics.all().front().labels.front().span.line, 1);
}

}  // namespace
}  // namespace tilewright
