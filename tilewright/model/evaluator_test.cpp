// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/evaluator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/support/random_case.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/model_test_support.h"

namespace {

std::int64_t allocations = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

// Counts what the whole test program allocates. Not inline: the compiler must not see malloc behind
// one end of a pair and not behind the other.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tilewright::hand_case {
namespace {

using testing::make_case;
using testing::RandomCase;

// The nest of the case with loops of factor 1 for `change` to open: one over every dim just inside
// all homes, and some over random dims behind other nodes.
std::vector<NestNode> open_places(const RandomCase& c, Random& random) {
  const int dims = static_cast<int>(c.problem.workload().dims().size());
  const TensorSet all = (TensorSet{1} << c.problem.workload().tensors().size()) - 1;
  std::vector<NestNode> nodes;
  TensorSet homes = 0;
  bool inside = false;
  for (const NestNode& node : c.mapping.nodes()) {
    nodes.push_back(node);
    homes |= node.tensors;
    if (homes != all || node.kind == NestNode::Kind::kSpatial) continue;
    if (!inside) {
      for (int d = 0; d < dims; ++d) nodes.push_back(time(d, 1));
      inside = true;
    } else if (random.one_in(3)) {
      nodes.push_back(time(static_cast<int>(random.between(0, dims - 1)), 1));
    }
  }
  return nodes;
}

// Other factors for the loops over `dim`. Loops in space get no more than `most` allows them.
void choose_factors(const Problem& problem, DimId dim, const std::vector<NestNode>& most,
                    Random& random, std::vector<NestNode>& nodes) {
  std::vector<std::size_t> loops;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].is_loop() && nodes[i].dim == dim) loops.push_back(i);
  }
  std::int64_t left = problem.workload().dim(dim).size;
  for (const std::size_t i : loops) {
    std::int64_t factor = left;
    if (i != loops.back()) {
      const bool in_space = nodes[i].kind == NestNode::Kind::kSpatial;
      const std::int64_t limit = in_space ? std::min(left, most[i].factor) : left;
      factor = random.one_in(3) ? 1 : random.one_in(4) ? limit : random.between(1, limit);
    }
    nodes[i].factor = factor;
    left = ceil_div(left, factor);
  }
}

// What detail = false promises.
void expect_same_outcome(const Evaluation& brief, const Evaluation& full, int which) {
  EXPECT_EQ(brief.energy_pj, full.energy_pj) << which;
  EXPECT_EQ(brief.cycles, full.cycles) << which;
  EXPECT_EQ(brief.bottleneck, full.bottleneck) << which;
  EXPECT_EQ(brief.computes, full.computes);
  EXPECT_EQ(brief.compute_steps, full.compute_steps);
  EXPECT_EQ(brief.compute_instances, full.compute_instances);
  EXPECT_EQ(brief.compute_energy_pj, full.compute_energy_pj);
  for (std::size_t m = 0; m < full.memories.size(); ++m) {
    EXPECT_EQ(brief.memories[m].instances, full.memories[m].instances);
    EXPECT_EQ(brief.memories[m].energy_pj, full.memories[m].energy_pj);
    EXPECT_EQ(brief.memories[m].leakage_pj, full.memories[m].leakage_pj);
    for (std::size_t t = 0; t < full.memories[m].tensors.size(); ++t) {
      TensorCounts counts = brief.memories[m].tensors[t];
      counts.peak_reads = full.memories[m].tensors[t].peak_reads;
      counts.peak_writes = full.memories[m].tensors[t].peak_writes;
      EXPECT_EQ(counts, full.memories[m].tensors[t]) << which;
    }
  }
}

TEST(Evaluator, ANestWithLoopsOfFactorOneCostsWhatItsMappingCosts) {
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const RandomCase c = make_case(7, static_cast<std::uint64_t>(i));
    Random random(static_cast<std::uint64_t>(i));
    const std::vector<NestNode> most = open_places(c, random);
    std::vector<NestNode> nodes = most;
    Evaluator evaluator(c.problem);
    Evaluator brief(c.problem, {.detail = false});
    for (int change = 0; change < 10; ++change) {
      const DimId dim(static_cast<int>(
          random.between(0, static_cast<std::int64_t>(c.problem.workload().dims().size()) - 1)));
      choose_factors(c.problem, dim, most, random, nodes);
      const Evaluation& opened = evaluator.evaluate(nodes);
      // The fresh one does not see the loops of factor 1: a mapping has none.
      Evaluator fresh(c.problem);
      EXPECT_EQ(opened, fresh.evaluate(Mapping(nodes))) << "case " << i << ", change " << change;
      expect_same_outcome(brief.evaluate(nodes), opened, i);
    }
  }
}

TEST(Evaluator, IsTheSameForOneProblemAfterAnother) {
  // Nothing of the mapping before is left: a bypass is one again.
  const Problem problem = three_levels(gemm(4, 6, 8));
  const Mapping all({keep(0, kAll), time(kK, 2), keep(1, kAll), time(kM, 2), time(kN, 3),
                     space(2, kM, 2), space(2, kK, 2), keep(3, kAll), time(kN, 2), time(kK, 2)});
  const Mapping few({keep(0, kAll), time(kN, 6), keep(1, kB), time(kK, 8), time(kM, 4)});
  Evaluator evaluator(problem);
  const Evaluation first = evaluator.evaluate(all);
  EXPECT_EQ(evaluator.evaluate(few), evaluate(problem, few));
  EXPECT_EQ(evaluator.evaluate(all), first);
}

TEST(Evaluator, TheBriefFormHasTheSameOutcome) {
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    const RandomCase c = make_case(11, static_cast<std::uint64_t>(i));
    Evaluator brief(c.problem, {.detail = false});
    Evaluator full(c.problem);
    expect_same_outcome(brief.evaluate(c.mapping), full.evaluate(c.mapping), i);
  }
}

TEST(Evaluator, TheBriefFormFindsTheBottleneckAmongRaggedInstances) {
  // Ten rows on four PEs, 18 steps; the first PE reads 18 A, 18 B and 9 Z and is written 6 A, 6 B
  // and 18 Z. Just below and just above what it needs for 18 cycles.
  Memory peb = memory("PEB");
  const std::vector<NestNode> nest = {keep(0, kAll), time(kM, 3), space(1, kM, 4),
                                      keep(2, kAll), time(kN, 3), time(kK, 2)};
  const auto expect = [&](const Memory& buffer, std::int64_t cycles) {
    const Problem problem = make_problem(gemm(10, 3, 2), {memory("DRAM"), fanout("PE", 4), buffer});
    Evaluator brief(problem, {.detail = false});
    const Evaluation& e = brief.evaluate(nest);
    EXPECT_EQ(e.cycles, cycles);
    EXPECT_EQ(e.bottleneck.valid(), cycles > 18);
  };
  peb.read_bandwidth = make_rational(40, 1);
  expect(peb, 18);
  peb.read_bandwidth = make_rational(39, 1);
  expect(peb, 19);
  peb.read_bandwidth.reset();
  peb.write_bandwidth = make_rational(27, 1);
  expect(peb, 18);
  peb.write_bandwidth = make_rational(26, 1);
  expect(peb, 19);
  peb.write_bandwidth.reset();
  peb.shared_bandwidth = make_rational(67, 1);
  expect(peb, 18);
  peb.shared_bandwidth = make_rational(66, 1);
  expect(peb, 19);
}

TEST(Evaluator, TheBriefFormFindsTheBottleneckThatUpdatesAndFillsMakeTogether) {
  // Ten rows on four PEs, 18 steps; the first PE is updated 18 times, and half of its partial sums
  // come back: 27 words of 16 bits are written.
  Memory peb = memory("PEB");
  peb.write_bandwidth = make_rational(20, 1);
  const Problem problem = make_problem(gemm(10, 3, 2), {memory("DRAM"), fanout("PE", 4), peb});
  Evaluator brief(problem, {.detail = false});
  EXPECT_EQ(brief
                .evaluate(std::vector<NestNode>{keep(0, kAll), time(kK, 2), time(kM, 3),
                                                space(1, kM, 4), keep(2, kZ), time(kN, 3)})
                .cycles,
            22);
}

TEST(Evaluator, TheBriefFormFindsTheBottleneckThatAConventionMakes) {
  // Ten rows on four PEs in three passes, twice: the first PE is updated 6 times, reads 3 old sums,
  // and hands out 6.
  Memory slow = memory("BUF");
  slow.read_bandwidth = make_rational(16, 1);
  const auto cycles = [](const Problem& problem, const std::vector<NestNode>& nest,
                         const Conventions& conventions) {
    return Evaluator(problem.with(conventions), {.detail = false}).evaluate(nest).cycles;
  };
  const Problem rows = make_problem(gemm(10, 1, 2), {memory("DRAM"), fanout("PE", 4), slow});
  const std::vector<NestNode> nest = {keep(0, kAll), time(kK, 2), time(kM, 3), space(1, kM, 4),
                                      keep(2, kZ)};
  EXPECT_EQ(cycles(rows, nest, {}), 6);
  EXPECT_EQ(cycles(rows, nest, {.drains_are_reads = true}), 3 + 6);
  // Four positions on one side, one on the other, two in a tile: 2 elements, or a box of 4.
  const Problem strided =
      make_problem(conv(1, 5, 1, 3), {memory("DRAM"), fanout("F", 2), slow, memory("INNER")});
  const std::vector<NestNode> tiles = {keep(0, kAll), space(1, kP, 2), keep(2, kA),
                                       time(kP, 2),   keep(3, kAll),   time(kP, 2)};
  EXPECT_EQ(cycles(strided, tiles, {}), 4);
  EXPECT_EQ(cycles(strided, tiles, {.holes_are_data = true}), 4 + 4);
}

// ---- Allocations ----

template <typename Call>
std::int64_t count_allocations(const Call& call) {
  const std::int64_t before = allocations;
  call();
  return allocations - before;
}

// What the check of the mapping allocates in builds that have it.
std::int64_t check_allocates(const Problem& problem, const std::vector<NestNode>& nodes) {
#if defined(TW_ENABLE_DCHECK)
  return count_allocations([&] {
    find_violations(problem, Mapping({nodes.begin(), nodes.end()}));
  });
#else
  static_cast<void>(problem);
  static_cast<void>(nodes);
  return 0;
#endif
}

void expect_no_allocations(const Problem& problem, const std::vector<NestNode>& most, bool detail) {
  Evaluator evaluator(problem, {.detail = detail});
  evaluator.evaluate(most);
  Random random(1);
  const auto dims = static_cast<std::int64_t>(problem.workload().dims().size());
  std::vector<NestNode> nodes = most;
  for (int i = 0; i < 200; ++i) {
    const DimId dim(static_cast<int>(random.between(0, dims - 1)));
    choose_factors(problem, dim, most, random, nodes);
    EXPECT_EQ(count_allocations([&] { evaluator.evaluate(nodes); }),
              check_allocates(problem, nodes))
        << "change " << i;
  }
}

TEST(Evaluator, AllocatesNothingForAGemm) {
  const Problem problem = three_levels(gemm(40, 60, 84));
  const std::vector<NestNode> nodes = {
      keep(0, kAll), time(kK, 84),    time(kM, 1),     time(kN, 1),   keep(1, kAll), time(kM, 20),
      time(kN, 30),  space(2, kM, 2), space(2, kN, 2), keep(3, kAll), time(kN, 1),   time(kK, 1)};
  expect_no_allocations(problem, nodes, true);
  expect_no_allocations(problem, nodes, false);
}

TEST(Evaluator, AllocatesNothingForAConvolution) {
  const Problem problem = three_levels(conv(16, 56, 3, 2, 1));
  const std::vector<NestNode> nodes = {keep(0, kAll), time(kP, 56), time(kC, 4), time(kR, 1),
                                       keep(1, kAll), time(kR, 3),  time(kP, 1), space(2, kC, 4),
                                       keep(3, kAll), time(kP, 1),  time(kC, 1), time(kR, 1)};
  expect_no_allocations(problem, nodes, true);
  expect_no_allocations(problem, nodes, false);
}

}  // namespace
}  // namespace tilewright::hand_case
