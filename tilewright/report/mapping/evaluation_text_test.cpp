// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/evaluation_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/reference.h"
#include "tilewright/result/caveats.h"

namespace tilewright {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int widest_line(const std::string& text) {
  int widest = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    widest = std::max(widest, display_width(line));
  return widest;
}

// Takes the colours out.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      result += text[i];
    }
  }
  return result;
}

TEST(VerdictText, IsOneLineUnderTheTitle) {
  const testing::Reference reference;
  EXPECT_EQ(verdict_text(reference.evaluated(), {}),
            "conv on eyeriss_like: 10,838,016 MACs, 168 units\n"
            "59.32 uJ, 5.473 pJ/MAC, 86,016 cycles (430 us), EDP 5.102 J*cycle, util 75.0 %\n");
}

TEST(VerdictText, ShowsTheObjectiveIfAsked) {
  const testing::Reference reference;
  Evaluated evaluated = reference.evaluated();
  evaluated.objective = NamedObjective{"latency", {0, 1, 0}};
  EXPECT_TRUE(contains(verdict_text(evaluated, {}), "latency score 86,016 cycles"));
}

TEST(CyclesText, ShowsTheBottleneckFirstAndTheNextOne) {
  const testing::Reference reference;
  EXPECT_EQ(cycles_text(reference.evaluated(), {}),
            "cycles 86,016: compute-bound (mac)\n"
            "                cycles                              busy  per cycle and instance\n"
            "  mac           86,016  ████████████████████████   100 %  126 of 168 units work\n"
            "  shared_glb    84,672  ███████████████████████▋  98.4 %  read 15.75 of 16 words\n"
            "  weights_spad  43,008  ████████████              50.0 %  read 1.00 of 2 words\n"
            "  psum_spad     43,008  ████████████              50.0 %  write 1.00 of 2 words\n"
            "  DRAM               -                                    no bandwidth given\n"
            "  ifmap_spad         -                                    no bandwidth given\n"
            "  next bottleneck: shared_glb; with mac twice as fast: 84,672 cycles (1.6 %\n"
            "  fewer)\n");
}

TEST(CyclesText, NamesTheMemoryThatIsWaitedFor) {
  testing::Reference reference;
  reference.evaluation.bottleneck = NodeId(1);
  reference.evaluation.cycles = 172'032;
  reference.evaluation.memories[1].cycles = 172'032;
  const std::string text = cycles_text(reference.evaluated(), {});
  EXPECT_TRUE(contains(text, "cycles 172,032: bandwidth-bound (shared_glb)\n"));
  EXPECT_TRUE(contains(
      text, "next bottleneck: mac; with twice the bandwidth of shared_glb: 86,016 cycles"));
}

TEST(EnergyBreakdownText, SharesAreOfTheTotal) {
  const testing::Reference reference;
  const std::string text = energy_breakdown_text(reference.evaluated(), {});
  EXPECT_TRUE(contains(text, "energy 59.32 uJ, 5.473 pJ/MAC"));
  EXPECT_TRUE(
      contains(text,
               "  DRAM          36.64 uJ  61.8 %  ████████████████████    17.0      1.5     "
               "43.3\n"));
  EXPECT_TRUE(contains(text, "  from: published run (DRAM, shared_glb)\n"));
}

TEST(EnergyBreakdownText, ShowsLeakageIfThereIsAny) {
  testing::Reference reference;
  EXPECT_FALSE(contains(energy_breakdown_text(reference.evaluated(), {}), "leak"));
  MemoryEvaluation& glb = reference.evaluation.memories[1];
  glb.leakage_pj = 1e6;
  glb.energy_pj += 1e6;
  reference.evaluation.energy_pj += 1e6;
  EXPECT_TRUE(contains(energy_breakdown_text(reference.evaluated(), {}), "leak"));
}

TEST(EnergyBreakdownText, CopesWithNoEnergyAtAll) {
  testing::Reference reference;
  reference.evaluation.energy_pj = 0;
  reference.evaluation.compute_energy_pj = 0;
  for (MemoryEvaluation& memory : reference.evaluation.memories) {
    memory.energy_pj = 0;
    for (TensorCounts& tensor : memory.tensors) tensor.energy_pj = 0;
  }
  EXPECT_TRUE(contains(energy_breakdown_text(reference.evaluated(), {}), "energy 0 J"));
}

TEST(UtilizationText, SaysWhatIsIdle) {
  const testing::Reference reference;
  EXPECT_EQ(utilization_text(reference.evaluated(), {}),
            "utilization 75.0 % = spatial 75.0 % x edge 100 % x temporal 100 %\n"
            "  spatial    75.0 %  PE.X 14 of 14 (q 14), PE.Y 9 of 12 (c 3 * s 3)\n"
            "                     3 of 12 idle on PE.Y\n"
            "  edge        100 %  every pass is full\n"
            "  temporal    100 %  units never wait for a memory\n");
}

TEST(UtilizationText, SaysWhatIsWaitedFor) {
  testing::Reference reference;
  reference.evaluation.bottleneck = NodeId(1);
  reference.evaluation.cycles = 2 * 86'016;
  EXPECT_TRUE(contains(utilization_text(reference.evaluated(), {}),
                       "  temporal   50.0 %  units wait for shared_glb in 86,016 of 172,032 "
                       "cycles\n"));
}

TEST(TrafficText, HasARowPerKeptTensor) {
  const testing::Reference reference;
  const std::string text = traffic_text(reference.evaluated(), {});
  EXPECT_TRUE(contains(
      text, "  Weights     864     -     13,824         -          -    16.0x    0.16  0.082\n"));
  EXPECT_TRUE(contains(text, "shared_glb  128 KiB, 12.3 % full\n"));
  EXPECT_TRUE(contains(text, "psum_spad  126 of 168 instances work, 64 B, 12.5 % full\n"));
}

TEST(TrafficText, ShortensCountsThatDoNotFit) {
  testing::Reference reference;
  for (MemoryEvaluation& memory : reference.evaluation.memories) {
    for (TensorCounts& tensor : memory.tensors) {
      tensor.reads *= 123'456'789;
      tensor.fills *= 123'456'789;
      tensor.updates *= 123'456'789;
    }
  }
  const std::string text = traffic_text(reference.evaluated(), {});
  EXPECT_LE(widest_line(text), 80);
  EXPECT_TRUE(contains(text, "1.707T"));  // 13,824 * 123,456,789
}

TEST(FindCaveats, NamesMissingEnergiesAndBandwidths) {
  const testing::Reference reference;
  const std::vector<std::string> found = find_caveats(reference.evaluated());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "no energy is given for psum_spad read: counted as 0 pJ");
  EXPECT_EQ(
      found[1],
      "accesses of DRAM, shared_glb, ifmap_spad, weights_spad, psum_spad are priced per element, "
      "whatever its bits: no `width` is given");
  EXPECT_EQ(found[2], "no bandwidth is given for DRAM, ifmap_spad: taken as unlimited");
}

TEST(FindCaveats, NamesConventions) {
  const testing::Reference reference;
  const Problem problem = reference.problem.with(Conventions{true, true});
  const Evaluated evaluated{problem, reference.mapping, reference.evaluation};
  EXPECT_EQ(find_caveats(evaluated).size(), 5U);
}

TEST(EvaluationText, FitsInEightyColumns) {
  const testing::Reference reference;
  for (const bool color : {false, true}) {
    for (const bool ascii : {false, true}) {
      const std::string text = evaluation_text(reference.evaluated(), {80, color, ascii});
      EXPECT_LE(widest_line(text), 80);
    }
  }
}

TEST(EvaluationText, ColoursChangeNothingElse) {
  const testing::Reference reference;
  const std::string text = evaluation_text(reference.evaluated(), {80, false, true});
  EXPECT_EQ(plain(evaluation_text(reference.evaluated(), {80, true, true})), text);
}

TEST(EvaluationText, IsAsciiIfAsked) {
  const testing::Reference reference;
  const std::string text = evaluation_text(reference.evaluated(), {80, false, true});
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
}

}  // namespace
}  // namespace tilewright
