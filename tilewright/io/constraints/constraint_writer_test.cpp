// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/mapping/nest_test_support.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

using Kind = Constraint::Kind;

const DimId kM(0), kC(1), kP(2), kQ(3), kR(4), kS(5);
const NodeId kDram(0), kGlb(1), kPe(2), kCol(3);

TEST(ConstraintText, OneLineEach) {
  const Problem problem = small_problem();
  const auto text = [&](const Constraint& constraint) {
    return constraint_text(problem, constraint);
  };
  EXPECT_EQ(text({.kind = Kind::kKeep, .node = kGlb, .tensors = 0b101}),
            "keep Inputs, Outputs at GLB");
  EXPECT_EQ(text({.kind = Kind::kBypass, .node = kGlb, .tensors = 0b010}), "bypass Weights at GLB");
  EXPECT_EQ(text({.kind = Kind::kEqual, .node = kGlb, .dim = kC, .value = 1}), "c = 1 at GLB");
  EXPECT_EQ(text({.kind = Kind::kAtMost, .node = kDram, .dim = kP, .value = 7}), "p <= 7 at DRAM");
  EXPECT_EQ(text({.kind = Kind::kAtLeast, .node = kPe, .dim = kM, .axis = 1, .value = 2}),
            "m >= 2 on Y of PE");
  EXPECT_EQ(text({.kind = Kind::kPerfect, .node = kPe}), "no remainders at PE");
  EXPECT_EQ(text({.kind = Kind::kOrder, .node = kGlb, .outermost = {kM}, .innermost = {kQ, kC}}),
            "order m, ..., q, c at GLB");
  EXPECT_EQ(text({.kind = Kind::kOrder, .node = kGlb, .outermost = {kM}}), "order m, ... at GLB");
  EXPECT_EQ(text({.kind = Kind::kOrder, .node = kGlb, .outermost = {kM, kC, kP, kQ, kR, kS}}),
            "order m, c, p, q, r, s at GLB");
  EXPECT_EQ(text({.kind = Kind::kAxisDims, .node = kPe, .axis = 0, .dims = {kC, kM}}),
            "only c, m on X of PE");
  EXPECT_EQ(text({.kind = Kind::kAxisDims, .node = kCol, .axis = 0}), "nothing on Z of COL");
  EXPECT_EQ(text({.kind = Kind::kUtilization, .node = kPe, .share = {3, 4}}),
            "at least 75 % of PE");
  EXPECT_EQ(text({.kind = Kind::kUtilization, .node = kPe, .share = {1, 3}}), "at least 1/3 of PE");
}

void expect_back(const std::vector<Constraint>& constraints) {
  const Problem problem = small_problem();
  const std::string text = constraints_to_yaml(problem, constraints);
  Diagnostics diagnostics;
  std::vector<Span> source;
  const auto back = read_constraints(source_file("c.yaml", text), problem, diagnostics, &source);
  EXPECT_EQ(summary(diagnostics), "") << text;
  ASSERT_TRUE(back) << text;
  EXPECT_TRUE(*back == constraints) << text;
  EXPECT_EQ(source.size(), constraints.size());
}

TEST(WriteConstraints, ReadsBack) {
  const std::vector<Constraint> all = {
      {.kind = Kind::kKeep, .node = kGlb, .tensors = 0b101},
      {.kind = Kind::kBypass, .node = kGlb, .tensors = 0b010},
      {.kind = Kind::kEqual, .node = kGlb, .dim = kC, .value = 1},
      {.kind = Kind::kAtMost, .node = kGlb, .dim = kP, .value = 500},
      {.kind = Kind::kPerfect, .node = kGlb},
      {.kind = Kind::kOrder, .node = kGlb, .outermost = {kM}, .innermost = {kQ, kC}},
      {.kind = Kind::kAtLeast, .node = kPe, .dim = kM, .axis = 1, .value = 2},
      {.kind = Kind::kAxisDims, .node = kPe, .axis = 0, .dims = {kC, kM}},
      {.kind = Kind::kAxisDims, .node = kPe, .axis = 1},
      {.kind = Kind::kUtilization, .node = kPe, .share = {3, 8}},
      {.kind = Kind::kEqual, .node = kCol, .dim = kQ, .axis = 0, .value = 4},
      {.kind = Kind::kOrder, .node = kDram, .outermost = {kM, kC, kP, kQ, kR, kS}}};
  expect_back(all);
  expect_back({all.rbegin(), all.rend()});
  std::vector<Constraint> twice = all;
  for (const Constraint& constraint : all) {
    if (constraint.kind != Kind::kOrder) twice.insert(twice.begin(), 2, constraint);
  }
  expect_back(twice);
  expect_back({});
}

TEST(WriteConstraints, GroupsByNode) {
  EXPECT_EQ(constraints_to_yaml(small_problem(),
                                std::vector<Constraint>{
                                    {.kind = Kind::kKeep, .node = kGlb, .tensors = 0b001},
                                    {.kind = Kind::kEqual, .node = kGlb, .dim = kC, .value = 1},
                                    {.kind = Kind::kAtMost, .node = kGlb, .dim = kP, .value = 7},
                                    {.kind = Kind::kAxisDims, .node = kPe, .axis = 0, .dims = {kC}},
                                    {.kind = Kind::kUtilization, .node = kPe, .share = {3, 4}}}),
            "constraints:\n"
            "  - at: GLB\n"
            "    keep: [Inputs]\n"
            "    factors: [\"c = 1\", \"p <= 7\"]\n"
            "  - at: PE\n"
            "    utilization: 75 %\n"
            "    dims: {X: [c]}\n");
  EXPECT_EQ(constraints_to_yaml(small_problem(), {}), "constraints: []\n");
}

}  // namespace
}  // namespace tilewright
