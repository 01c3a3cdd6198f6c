// SPDX-License-Identifier: Apache-2.0
// For the tests of this module: a strided convolution on a small Eyeriss with figures written down
// by hand (rounded from a published run), so that reports are tested without the model.
#pragma once

#include <utility>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/result/evaluated.h"

namespace tilewright::testing {

inline Workload reference_workload() {
  const DimId n(0), m(1), c(2), p(3), q(4), r(5), s(6);
  return Workload(
      "conv", {{"n", 1}, {"m", 32}, {"c", 3}, {"p", 112}, {"q", 112}, {"r", 3}, {"s", 3}},
      {{"Inputs", "input", 8, {{{{n}}}, {{{c}}}, {{{p, 2}, {r, 1}}}, {{{q, 2}, {s, 1}}}}},
       {"Weights", "weight", 8, {{{{m}}}, {{{c}}}, {{{r}}}, {{{s}}}}},
       {"Outputs", "output", 8, {{{{n}}}, {{{m}}}, {{{p}}}, {{{q}}}}}});
}

inline Memory reference_memory(const char* name, double pj) {
  Memory memory;
  memory.name = name;
  memory.energy = {pj, pj, pj, ""};
  return memory;
}

inline Arch reference_arch() {
  Memory dram = reference_memory("DRAM", 64);
  dram.energy.source = "published run";
  Memory glb = reference_memory("shared_glb", 2.5);
  glb.capacity_bits = std::int64_t{128} * 1024 * 8;
  glb.read_bandwidth = Rational{128, 1};
  glb.energy.source = "published run";
  Memory inputs = reference_memory("ifmap_spad", 0.1);
  inputs.capacity_bits = 192;
  Memory weights = reference_memory("weights_spad", 1);
  weights.capacity_bits = 192 * 16;
  weights.read_bandwidth = Rational{16, 1};
  Memory psums = reference_memory("psum_spad", 0.2);
  psums.capacity_bits = 32 * 16;
  psums.write_bandwidth = Rational{16, 1};
  psums.energy.read_pj.reset();
  return Arch("eyeriss_like", "a small Eyeriss", Rational{200'000'000, 1},
              {dram, glb, Fanout{"PE", {{"X", 14}, {"Y", 12}}}, inputs, weights, psums},
              Compute{"mac", 0.208, "", 0, 0});
}

inline Mapping reference_mapping() {
  const NodeId dram(0), glb(1), pe(2), ifmap(3), weights(4), psum(5);
  const DimId m(1), c(2), p(3), q(4), r(5), s(6);
  return Mapping({keep(dram, 0b111), temporal(p, 8), temporal(q, 2), temporal(m, 4),
                  keep(glb, 0b101), temporal(p, 14), temporal(q, 4), spatial(pe, 0, q, 14),
                  spatial(pe, 1, c, 3), spatial(pe, 1, s, 3), keep(ifmap, 0b001),
                  keep(weights, 0b010), temporal(r, 3), keep(psum, 0b100), temporal(m, 8)});
}

inline TensorCounts counts(std::int64_t tile, std::int64_t reads, std::int64_t fills,
                           std::int64_t updates, double pj_per_mac) {
  TensorCounts result;
  result.kept = true;
  result.tile = tile;
  result.reads = reads;
  result.fills = fills;
  result.updates = updates;
  result.peak_reads = reads;
  result.peak_writes = fills + updates;
  result.energy_pj = pj_per_mac * 10'838'016;
  return result;
}

inline MemoryEvaluation memory_evaluation(int node, std::int64_t instances, std::int64_t cycles,
                                          std::vector<TensorCounts> tensors) {
  MemoryEvaluation result{NodeId(node), instances, cycles, 0, 0, std::move(tensors)};
  for (TensorCounts& tensor : result.tensors) {
    result.energy_pj += tensor.energy_pj;
    tensor.peak_reads /= instances;
    tensor.peak_writes /= instances;
  }
  return result;
}

inline Evaluation reference_evaluation() {
  Evaluation result;
  result.computes = 10'838'016;
  result.compute_instances = 126;
  result.compute_steps = 86'016;
  result.cycles = 86'016;
  result.compute_energy_pj = 0.208 * 10'838'016;
  result.memories = {
      memory_evaluation(0, 1, 0,
                        {counts(151'875, 157'296, 0, 0, 0.929), counts(864, 13'824, 0, 0, 0.082),
                         counts(401'408, 0, 0, 401'408, 2.370)}),
      memory_evaluation(
          1, 1, 84'672,
          {counts(9'831, 1'354'752, 157'296, 0, 0.310), {}, counts(6'272, 0, 0, 401'408, 0.065)}),
      memory_evaluation(3, 126, 0, {counts(3, 10'838'016, 1'354'752, 0, 0.115), {}, {}}),
      memory_evaluation(4, 126, 43'008, {{}, counts(24, 10'838'016, 13'824 * 14, 0, 1.006), {}}),
      memory_evaluation(5, 126, 43'008, {{}, {}, counts(8, 9'633'792, 0, 10'838'016, 0.388)})};
  result.energy_pj = result.compute_energy_pj;
  for (const MemoryEvaluation& memory : result.memories) result.energy_pj += memory.energy_pj;
  return result;
}

/// Owns what an Evaluated refers to.
struct Reference {
  Problem problem{reference_workload(), reference_arch()};
  Mapping mapping = reference_mapping();
  Evaluation evaluation = reference_evaluation();

  Evaluated evaluated() const { return {problem, mapping, evaluation, {}}; }
};

}  // namespace tilewright::testing
