// SPDX-License-Identifier: Apache-2.0
// An evaluation with one wrong figure: the law that it breaks is named.
#include "tilewright/model/laws.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/model/evaluate.h"
#include "tilewright/model/model_test_support.h"

namespace tilewright::hand_case {
namespace {

// DRAM, GLB and four PEs; A bypasses the PEs' buffers.
struct Case {
  Problem problem = three_levels(gemm(4, 6, 8));
  Mapping mapping{{keep(0, kAll), time(kK, 2), keep(1, kAll), time(kM, 2), time(kN, 3),
                   space(2, kM, 2), space(2, kK, 2), keep(3, kB | kZ), time(kN, 2), time(kK, 2)}};
  Evaluation evaluation = evaluate(problem, mapping);

  TensorCounts& counts(std::size_t memory, std::size_t tensor) {
    return evaluation.memories[memory].tensors[tensor];
  }
  std::vector<std::string> broken(const Conventions& conventions = {}) const {
    return check_laws(problem.with(conventions), mapping, evaluation).broken;
  }
};

template <typename Change>
void expect_broken(const std::string& sentence, const Change& change) {
  Case c;
  change(c);
  const std::vector<std::string> broken = c.broken();
  EXPECT_NE(std::ranges::find(broken, sentence), broken.end())
      << sentence << "; broken: " << broken.size()
      << (broken.empty() ? "" : ", first: " + broken.front());
}

TEST(Laws, HoldForTheModel) {
  const Case c;
  const LawReport report = check_laws(c.problem, c.mapping, c.evaluation);
  EXPECT_EQ(report.broken, std::vector<std::string>());
  // 6 + 2 for each memory; A: 7 + 7 + 1; B and Z: 7 + 7 + 7; each tensor: 3.
  EXPECT_EQ(report.checked, 6 + 3 * 2 + (7 + 7 + 1) + 2 * (7 + 7 + 7) + 3 * 3);
}

TEST(Laws, NameABrokenTotal) {
  expect_broken("computes are the product of the dims", [](Case& c) { ++c.evaluation.computes; });
  expect_broken("no more units work than there are",
                [](Case& c) { c.evaluation.compute_instances = 5; });
  expect_broken("no more units work than there are",
                [](Case& c) { c.evaluation.compute_instances = 0; });
  expect_broken("every compute has a unit and a step",
                [](Case& c) { c.evaluation.compute_steps = 47; });
  expect_broken("every step computes something", [](Case& c) { c.evaluation.compute_steps = 193; });
  expect_broken("cycles are at least the steps", [](Case& c) { c.evaluation.cycles = 47; });
  expect_broken("energy is not negative", [](Case& c) { c.evaluation.energy_pj = -1; });
  expect_broken("no more instances work than there are",
                [](Case& c) { c.evaluation.memories[1].instances = 2; });
  expect_broken("no more instances work than there are",
                [](Case& c) { c.evaluation.memories[2].instances = 0; });
  expect_broken("no memory needs more than all cycles",
                [](Case& c) { c.evaluation.memories[0].cycles = 49; });
}

TEST(Laws, NameABrokenCount) {
  expect_broken("PEB.A: what is bypassed is not touched",
                [](Case& c) { c.counts(2, 0).fills = 1; });
  expect_broken("GLB.B: no count is negative", [](Case& c) { c.counts(1, 1).fills = -1; });
  expect_broken("GLB.B: a tile is part of the tensor", [](Case& c) { c.counts(1, 1).tile = 49; });
  expect_broken("GLB.B: a tile is part of the tensor", [](Case& c) { c.counts(1, 1).tile = 0; });
  expect_broken("GLB.A: inputs are not updated", [](Case& c) { c.counts(1, 0).updates = 1; });
  expect_broken("GLB.Z: every delivery of a result is an update",
                [](Case& c) { ++c.counts(1, 2).updates; });
  expect_broken("GLB.B: every element is touched", [](Case& c) { c.counts(1, 1).accesses = 47; });
  expect_broken("DRAM.B: the home holds the whole tensor",
                [](Case& c) { c.counts(0, 1).tile = 47; });
  expect_broken("DRAM.B: nothing fills the home", [](Case& c) { c.counts(0, 1).fills = 1; });
  expect_broken("Z: some memory keeps it", [](Case& c) {
    for (std::size_t m = 0; m < 3; ++m) c.counts(m, 2) = {};
  });
}

TEST(Laws, NameABrokenLink) {
  // DRAM sends 48 B to the GLB; the GLB sends 96 to the PEs, which get 192, two with each read.
  expect_broken("GLB.B: no more leaves the parent than arrives",
                [](Case& c) { c.counts(1, 1).fills = 47; });
  expect_broken("GLB.B: what leaves the parent, times multicast, covers what arrives",
                [](Case& c) { c.counts(1, 1).fills = 49; });
  // The PEs are four: 4 x 96 is the most that can arrive.
  expect_broken("PEB.B: what leaves the parent, times multicast, covers what arrives",
                [](Case& c) { c.counts(2, 1).fills = 4 * 96 + 1; });
  // Z: the GLB gets 48 from the PEs, which hold 48 first touches and fetch 48.
  expect_broken("PEB.Z: no more leaves the parent than arrives",
                [](Case& c) { c.counts(2, 2).fills = 48 - 49; });
  expect_broken("PEB.Z: what leaves the parent, times multicast, covers what arrives",
                [](Case& c) { c.counts(2, 2).reads -= 4 * 48; });
}

TEST(Laws, NameAWrongServiceOfTheUnits) {
  expect_broken("B: a compute uses one element", [](Case& c) { c.counts(2, 1).accesses = 193; });
  expect_broken("A: what leaves the last memory, times sharing, feeds every compute",
                [](Case& c) { c.counts(1, 0).accesses = 47; });
  // One PE's buffer serves one unit.
  expect_broken("B: what leaves the last memory, times sharing, feeds every compute",
                [](Case& c) { c.counts(2, 1).accesses = 191; });
}

TEST(Laws, LeaveOutWhatAConventionMakesUntrue) {
  Case c;
  c.counts(1, 1).accesses = 47;
  EXPECT_FALSE(c.broken().empty());
  EXPECT_TRUE(std::ranges::none_of(c.broken({.holes_are_data = true}), [](const std::string& s) {
    return s.ends_with("every element is touched");
  }));
  Case drains;
  drains.counts(2, 2).fills += 4 * 48;
  EXPECT_FALSE(drains.broken().empty());
  EXPECT_TRUE(drains.broken({.drains_are_reads = true}).empty());
}

}  // namespace
}  // namespace tilewright::hand_case
