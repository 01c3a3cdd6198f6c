// SPDX-License-Identifier: Apache-2.0
// Cycles, energy and instances. Every number here was derived by hand from docs/model.md, not taken
// from a run.
#include <gtest/gtest.h>

#include "tests/cost/engines.h"
#include "tests/support/hand_case.h"

namespace tilewright::hand_case {
namespace {

using Cost = EngineTest;

INSTANTIATE_TEST_SUITE_P(Engines, Cost, both_engines(), engine_name);

TEST_P(Cost, CyclesAndEnergy) {
  Memory dram = memory("DRAM");
  dram.width_bits = 32;
  dram.read_bandwidth = make_rational(10, 1);
  dram.shared_bandwidth = make_rational(9, 1);
  dram.energy.read_pj = 3;
  dram.energy.update_pj = 5;
  dram.leakage_pj_per_cycle = 0.5;
  Compute unit;
  unit.energy_pj = 2;
  unit.leakage_pj_per_cycle = 0.25;
  const std::vector<NestNode> nest = {keep(0, kAll), time(kK, 2), time(kM, 2), keep(1, kAll),
                                      time(kK, 2)};
  // DRAM reads 8 A, 4 B, 2 Z: 224 bits, is updated with 4 Z: 64 bits.
  Evaluation e = run(make_problem(gemm(2, 1, 4), {dram, memory("BUF")}, unit), nest);
  EXPECT_EQ(e.compute_steps, 8);
  EXPECT_EQ(e.memories[0].cycles, 32);
  EXPECT_EQ(e.cycles, 32);
  EXPECT_EQ(e.bottleneck, NodeId(0));
  EXPECT_EQ(e.memories[0].tensors[0].energy_pj, 4 * 3);
  EXPECT_EQ(e.memories[0].tensors[1].energy_pj, 2 * 3);
  EXPECT_EQ(e.memories[0].tensors[2].energy_pj, 1 * 3 + 2 * 5);
  EXPECT_EQ(e.memories[0].leakage_pj, 16);
  EXPECT_EQ(e.memories[0].energy_pj, 31 + 16);
  EXPECT_EQ(e.compute_energy_pj, 8 * 2 + 8);
  EXPECT_EQ(e.energy_pj, 47 + 24);

  dram.shared_bandwidth.reset();
  e = run(make_problem(gemm(2, 1, 4), {dram, memory("BUF")}, unit), nest);
  EXPECT_EQ(e.cycles, 23);
  dram.read_bandwidth.reset();
  dram.write_bandwidth = make_rational(65, 2);  // 2 cycles
  e = run(make_problem(gemm(2, 1, 4), {dram, memory("BUF")}, unit), nest);
  EXPECT_EQ(e.memories[0].cycles, 2);
  EXPECT_EQ(e.cycles, 8);
  EXPECT_FALSE(e.bottleneck.valid());
}

TEST_P(Cost, FirstInstanceSetsTheTime) {
  // The PEs with three rows read 18 A, 18 B and 9 Z; written: 6 A, 6 B and 18 Z.
  Memory peb = memory("PEB");
  peb.shared_bandwidth = make_rational(16, 1);
  const Problem problem = make_problem(gemm(10, 3, 2), {memory("DRAM"), fanout("PE", 5), peb});
  const Evaluation e = run(problem, {keep(0, kAll), time(kM, 3), space(1, kM, 4), keep(2, kAll),
                                     time(kN, 3), time(kK, 2)});
  // Z: 3 tiles of 3 elements, each touched first once, so 18 updates, 9 of them read before.
  EXPECT_EQ(e.memories[1].tensors[2].peak_reads, 9);
  EXPECT_EQ(e.memories[1].tensors[2].peak_writes, 18);
  EXPECT_EQ(e.memories[1].cycles, 18 + 18 + 9 + 6 + 6 + 18);
  EXPECT_EQ(e.bottleneck, NodeId(2));
}

TEST_P(Cost, FirstInstanceSetsTheTimeEvenIfAnotherMovesMore) {
  // Z[2a + b + c] += A[a,b] * B[c], b = 3 as 2 in space x 2. The first GLB's tiles are 0..3, 1..4,
  // 2..5: each step slides in one new element. The second has b = 2 only: 2 4, 3 5, 4 6, where
  // nothing slides, and 4 comes back: the one read is not the first instance's, which (15) takes.
  const Workload workload = make_workload({{"a", 2}, {"b", 3}, {"c", 3}},
                                          {{plain(0), plain(1)},
                                           {plain(2)},
                                           {{.terms = {{.dim = DimId(0), .coefficient = 2},
                                                       {.dim = DimId(1), .coefficient = 1},
                                                       {.dim = DimId(2), .coefficient = 1}}}}});
  const Problem problem =
      make_problem(workload, {memory("DRAM"), fanout("F", 2), memory("GLB"), memory("BUF")});
  const Evaluation e = run(problem, {keep(0, kAll), space(1, 1, 2), keep(2, kAll), time(2, 3),
                                     keep(3, kAll), time(0, 2), time(1, 2)});
  EXPECT_EQ(row(e, 1, 2), (Row{6, 1, 0, 6 + 6}));
  EXPECT_EQ(e.memories[1].tensors[2].peak_reads, 0);
}

TEST_P(Cost, AccessesAreRoundedUpPerInstance) {
  // 20 fills of A on four PEs, three elements an access: 5 each are 2 accesses. 24 of B: 6 each are
  // 2. The 30 updates of Z at DRAM are 10 accesses, the 31st element of another workload is one
  // more.
  Memory dram = memory("DRAM");
  dram.width_bits = 48;
  dram.energy.update_pj = 10;
  Memory peb = memory("PEB");
  peb.width_bits = 48 + 15;  // not quite four
  peb.energy.fill_pj = 1;
  const std::vector<NestNode> nest = {keep(0, kAll), time(kM, 3), space(1, kM, 4),
                                      keep(2, kAll), time(kN, 3), time(kK, 2)};
  Evaluation e = run(make_problem(gemm(10, 3, 2), {dram, fanout("PE", 4), peb}), nest);
  EXPECT_EQ(e.memories[1].tensors[0].energy_pj, 4 * 2);
  EXPECT_EQ(e.memories[1].tensors[1].energy_pj, 4 * 2);
  EXPECT_EQ(e.memories[0].tensors[2].energy_pj, 10 * 10);
  // Eleven rows: 22 fills, two PEs get 6, two get 5. DRAM: 33 updates.
  e = run(make_problem(gemm(11, 3, 2), {dram, fanout("PE", 4), peb}), nest);
  EXPECT_EQ(e.memories[1].tensors[0].energy_pj, 2 * 2 + 2 * 2);
  EXPECT_EQ(e.memories[0].tensors[2].energy_pj, 11 * 10);
  // k = 3: 33 fills, one PE gets 9, three get 8, with four in an access 3 + 3 * 2.
  peb.width_bits = 64;
  e = run(make_problem(gemm(11, 3, 3), {dram, fanout("PE", 4), peb}),
          {keep(0, kAll), time(kM, 3), space(1, kM, 4), keep(2, kAll), time(kN, 3), time(kK, 3)});
  EXPECT_EQ(e.memories[1].tensors[0].energy_pj, 3 + 3 * 2);
  // An access narrower than an element still moves one.
  peb.width_bits = 8;
  e = run(make_problem(gemm(10, 3, 2), {dram, fanout("PE", 4), peb}), nest);
  EXPECT_EQ(e.memories[1].tensors[0].energy_pj, 20);
}

TEST_P(Cost, LeakageIsOfEverythingThatExists) {
  // Four of eight PEs work, 18 steps.
  Memory peb = memory("PEB");
  peb.leakage_pj_per_cycle = 2;
  Compute unit;
  unit.leakage_pj_per_cycle = 0.5;
  unit.energy_pj = 3;
  const Evaluation e =
      run(make_problem(gemm(10, 3, 2), {memory("DRAM"), fanout("PE", 8), peb}, unit),
          {keep(0, kAll), time(kM, 3), space(1, kM, 4), keep(2, kAll), time(kN, 3), time(kK, 2)});
  EXPECT_EQ(e.compute_instances, 4);
  EXPECT_EQ(e.memories[0].leakage_pj, 0);
  EXPECT_EQ(e.memories[1].leakage_pj, 2 * 18 * 8);
  EXPECT_EQ(e.memories[1].energy_pj, 2 * 18 * 8);
  EXPECT_EQ(e.compute_energy_pj, 60 * 3 + 0.5 * 18 * 8);
  EXPECT_EQ(e.energy_pj, 2 * 18 * 8 + 60 * 3 + 0.5 * 18 * 8);
}

TEST_P(Cost, InstancesThatEverWork) {
  // Five rows on 2 x 3: the last pair is half empty. 3 GLBs, 5 of 6 PEs.
  const Problem problem =
      make_problem(gemm(5, 2, 1),
                   {memory("DRAM"), fanout("F", 4), memory("GLB"), fanout("G", 3), memory("PEB")});
  Evaluation e = run(problem, {keep(0, kAll), space(1, kM, 3), keep(2, kAll), space(3, kM, 2),
                               keep(4, kAll), time(kN, 2)});
  EXPECT_EQ(e.memories[0].instances, 1);
  EXPECT_EQ(e.memories[1].instances, 3);
  EXPECT_EQ(e.memories[2].instances, 5);
  EXPECT_EQ(e.compute_instances, 5);
  EXPECT_EQ(e.compute_steps, 2);
  // A loop in time between them fills the gap: 5 as 1 + 2 x 2, the PE idle at first works later.
  e = run(make_problem(gemm(5, 2, 1), {memory("DRAM"), fanout("F", 4), memory("PEB")}),
          {keep(0, kAll), time(kM, 2), space(1, kM, 3), keep(2, kAll), time(kN, 2)});
  EXPECT_EQ(e.memories[1].instances, 3);
  EXPECT_EQ(e.compute_steps, 4);
}

TEST_P(Cost, ElementsHaveTheirOwnWidthInEachMemory) {
  // Z has 32 bits in DRAM, 16 elsewhere: 4 updates and 2 reads of Z, 8 A, 4 B.
  Memory dram = memory("DRAM");
  dram.bits = {{.tensor = "Z", .bits = 32}};
  dram.write_bandwidth = make_rational(1, 1);
  const std::vector<NestNode> nest = {keep(0, kAll), time(kK, 2), time(kM, 2), keep(1, kAll),
                                      time(kK, 2)};
  Evaluation e = run(make_problem(gemm(2, 1, 4), {dram, memory("BUF")}), nest);
  EXPECT_EQ(e.cycles, 4 * 32);
  dram.write_bandwidth.reset();
  dram.read_bandwidth = make_rational(1, 1);
  e = run(make_problem(gemm(2, 1, 4), {dram, memory("BUF")}), nest);
  EXPECT_EQ(e.cycles, (8 + 4) * 16 + 2 * 32);
}

TEST_P(Cost, TheSlowestMemorySetsThePace) {
  Memory dram = memory("DRAM");
  dram.read_bandwidth = make_rational(32, 1);  // 14 elements: 7 cycles
  Memory buffer = memory("BUF");
  const std::vector<NestNode> nest = {keep(0, kAll), time(kK, 2), time(kM, 2), keep(1, kAll),
                                      time(kK, 2)};
  // The buffer reads 8 A, 8 B, 6 Z and is written 8 A, 4 B, 2 + 8 Z.
  buffer.write_bandwidth = make_rational(16, 1);
  Evaluation e = run(make_problem(gemm(2, 1, 4), {dram, buffer}), nest);
  EXPECT_EQ(e.memories[0].cycles, 7);
  EXPECT_EQ(e.memories[1].cycles, 22);
  EXPECT_EQ(e.cycles, 22);
  EXPECT_EQ(e.bottleneck, NodeId(1));
  // As slow as the compute units: nobody waits.
  buffer.write_bandwidth = make_rational(44, 1);
  e = run(make_problem(gemm(2, 1, 4), {dram, buffer}), nest);
  EXPECT_EQ(e.memories[1].cycles, 8);
  EXPECT_EQ(e.cycles, 8);
  EXPECT_FALSE(e.bottleneck.valid());
  // Of two that are equally slow the outer one is named.
  dram.read_bandwidth = make_rational(14, 1);
  buffer.write_bandwidth = make_rational(22, 1);
  e = run(make_problem(gemm(2, 1, 4), {dram, buffer}), nest);
  EXPECT_EQ(e.memories[0].cycles, 16);
  EXPECT_EQ(e.memories[1].cycles, 16);
  EXPECT_EQ(e.bottleneck, NodeId(0));
}

}  // namespace
}  // namespace tilewright::hand_case
