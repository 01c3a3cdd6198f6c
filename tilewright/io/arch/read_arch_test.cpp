// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tilewright/io/read_test_support.h"

namespace tilewright {
namespace {

using Codes = std::vector<std::string>;

Codes codes(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_arch(source_text("a.yaml", text), diagnostics)) << text;
  return codes_of(diagnostics);
}

// A memory with `keys`, then a compute unit.
std::string with_memory(const std::string& keys) {
  return "arch: {nodes: [{memory: M, " + keys + "}, {compute: mac}]}";
}

const char* const kExample = R"(
arch:
  name: eyeriss
  note: the Ruby paper's Eyeriss (ISPASS 2022)
  clock: 200 MHz
  nodes:
    - memory: DRAM
      word: 16 bit
      width: 64 bit
      bandwidth: 4 word/cycle
      energy: {read: 512 pJ, write: 512 pJ, source: "paper"}
    - memory: GLB
      capacity: 128 KiB
      buffering: 2
      partition: {input: 64 KiB}
      bits: {output: 24 bit}
      keep: [input, output]
      sliding: true
      read_bandwidth: 25.6 GB/s
      leakage: 0.5 pJ/cycle
      area: 0.2 mm2
    - fanout: PE
      axes: {Y: 12, X: 14}
      multicast: overlap
      reduction: false
    - compute: mac
      energy: 2.2 pJ
)";

TEST(ReadArch, ReadsTheDocumentedExample) {
  const auto a = arch_of(kExample);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->name(), "eyeriss");
  EXPECT_EQ(a->note(), "the Ruby paper's Eyeriss (ISPASS 2022)");
  EXPECT_EQ(a->clock_hz(), (Rational{200'000'000, 1}));
  const Memory& dram = a->memory(NodeId(0));
  EXPECT_EQ(dram.width_bits, 64);
  EXPECT_EQ(dram.shared_bandwidth, (Rational{64, 1}));
  EXPECT_EQ(dram.energy.fill_pj, 512.0);
  EXPECT_EQ(dram.energy.update_pj, 512.0);
  EXPECT_EQ(dram.energy.source, "paper");
  EXPECT_FALSE(dram.capacity_bits);
  EXPECT_TRUE(dram.keep.all);
  const Memory& glb = a->memory(NodeId(1));
  EXPECT_EQ(glb.capacity_bits, 1 << 20);
  EXPECT_EQ(glb.buffering, 2);
  EXPECT_EQ(glb.partitions, (std::vector<PerTensor>{{"input", 1 << 19}}));
  EXPECT_EQ(glb.bits, (std::vector<ElementWidth>{{"output", 24}}));
  EXPECT_EQ(glb.keep, (Selection{false, {"input", "output"}}));
  EXPECT_TRUE(glb.sliding.all);
  EXPECT_EQ(glb.read_bandwidth, (Rational{1024, 1}));
  EXPECT_EQ(glb.leakage_pj_per_cycle, 0.5);
  EXPECT_EQ(glb.area_um2, 200'000.0);
  const Fanout& pe = a->fanout(NodeId(2));
  EXPECT_EQ(pe.axes, (std::vector<Axis>{{"X", 14}, {"Y", 12}}));
  EXPECT_EQ(pe.multicast, Multicast::kOverlap);
  EXPECT_FALSE(pe.reduction);
  EXPECT_EQ(a->compute().energy_pj, 2.2);
  EXPECT_EQ(a->compute_units(), 168);
}

TEST(ReadArch, AbsentMeansTheDefault) {
  const auto a = arch_of("arch: {nodes: [{memory: M}, {compute: mac}]}");
  ASSERT_TRUE(a);
  Memory expected;
  expected.name = "M";
  EXPECT_EQ(a->memory(NodeId(0)), expected);
  EXPECT_EQ(a->compute(), Compute{});
}

TEST(ReadArch, PartialSumsHaveAWidthOfTheirOwn) {
  const auto bits = [](const std::string& text) {
    return arch_of(with_memory("bits: " + text))->memory(NodeId(0)).bits;
  };
  EXPECT_EQ(bits("{output: {final: 8, partial: 4 B}}"),
            (std::vector<ElementWidth>{{"output", 8, 32}}));
  EXPECT_EQ(bits("{output: {final: 8}}"), (std::vector<ElementWidth>{{"output", 8, std::nullopt}}));
  EXPECT_EQ(codes(with_memory("bits: {output: {partial: 8}}")), Codes{"F0011"});
  EXPECT_EQ(codes(with_memory("bits: {output: {final: 8, partal: 32}}")), Codes{"F0010"});
  EXPECT_EQ(codes(with_memory("bits: {output: {final: 32, partial: 8}}")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("bits: {input: {final: 8, partial: 32}}")), Codes{"F0012"});
}

TEST(ReadArch, EnergiesAreOfAnAccessOrOfABit) {
  const auto energy = [](const std::string& text) {
    return arch_of(with_memory(text))->memory(NodeId(0)).energy;
  };
  EXPECT_FALSE(energy("energy: {read: 2 pJ}").per_bit);
  const ActionEnergy of_bits = energy("energy: {read: 2 pJ/bit, write: 500 fJ/bit}");
  EXPECT_TRUE(of_bits.per_bit);
  EXPECT_EQ(of_bits.read_pj, 2.0);
  EXPECT_EQ(of_bits.update_pj, 0.5);
  const ActionEnergy of_words = energy("word: 16 bit, energy: {read: 32 pJ/word}");
  EXPECT_TRUE(of_words.per_bit);
  EXPECT_EQ(of_words.read_pj, 2.0);
  EXPECT_EQ(codes(with_memory("energy: {read: 2 pJ/word}")), Codes{"F0027"});
  EXPECT_EQ(codes(with_memory("energy: {read: 2 pJ/bit, write: 3 pJ}")), Codes{"F0023"});
  EXPECT_EQ(codes(with_memory("energy: {read: 2 pJ/bti}")), Codes{"F0022"});
}

TEST(ReadArch, SomeKeysHaveTwoForms) {
  const auto a = arch_of(
      "arch: {nodes: [{memory: M, bits: 8, sliding: [input], keep: [], energy: {fill: 1 pJ}},"
      "{compute: mac, energy: {compute: 3 fJ, source: s}}]}");
  ASSERT_TRUE(a);
  const Memory& m = a->memory(NodeId(0));
  EXPECT_EQ(m.bits, (std::vector<ElementWidth>{{"input", 8}, {"output", 8}, {"weight", 8}}));
  EXPECT_EQ(m.sliding, (Selection{false, {"input"}}));
  EXPECT_EQ(m.keep, (Selection{false, {}}));
  EXPECT_EQ(m.energy.fill_pj, 1.0);
  EXPECT_FALSE(m.energy.update_pj);
  EXPECT_EQ(a->compute().energy_pj, 0.003);
  EXPECT_EQ(a->compute().source, "s");
  EXPECT_FALSE(arch_of(with_memory("sliding: false"))->memory(NodeId(0)).sliding.all);
  EXPECT_EQ(arch_of(with_memory("off_chip: false"))->memory(NodeId(0)).off_chip, false);
  EXPECT_EQ(arch_of(with_memory("off_chip: true"))->memory(NodeId(0)).off_chip, true);
}

TEST(ReadArch, OrderOfKeysNeverMatters) {
  EXPECT_EQ(arch_of("arch: {nodes: [{capacity: 4 word, word: 8 bit, memory: M}, {compute: c}]}"),
            arch_of("arch: {nodes: [{memory: M, word: 8 bit, capacity: 4 word}, {compute: c}]}"));
  EXPECT_EQ(arch_of(with_memory("partition: {a: 1 B, b: 2 B}")),
            arch_of(with_memory("partition: {b: 2 B, a: 1 B}")));
}

TEST(ReadArch, TheShapeIsChecked) {
  EXPECT_EQ(codes("arch: {nodes: []}"), Codes{"A0001"});
  EXPECT_EQ(codes("arch: {nodes: 1}"), Codes{"A0001"});
  EXPECT_EQ(codes("arch: {name: x}"), Codes{"F0011"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}]}"), Codes{"A0003"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {fanout: F, axes: {X: 2}}]}"), Codes{"A0003"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {compute: c}, {memory: N}]}"), Codes{"A0004"});
  EXPECT_EQ(codes("arch: {nodes: [{fanout: F, axes: {X: 2}}, {compute: c}]}"), Codes{"A0007"});
  EXPECT_EQ(codes("arch: {nodes: [{compute: c}]}"), Codes{"A0007"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {memory: M}, {compute: M}]}"),
            (Codes{"A0006", "A0006"}));
  EXPECT_EQ(codes("arch: {nodes: [{memry: M}, {compute: c}]}"), Codes{"A0002"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {compte: c}]}"), Codes{"A0002"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, x, {compute: c}]}"), Codes{"A0002"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {}, {compute: c}]}"), Codes{"A0002"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M}, {axes: {X: 2}}, {compute: c}]}"), Codes{"A0002"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: M, fanout: F}, {compute: c}]}"), Codes{"F0010"});
}

TEST(ReadArch, NamesAreWords) {
  EXPECT_EQ(codes("arch: {nodes: [{memory: 'a b'}, {compute: c}]}"), Codes{"F0014"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: for}, {compute: c}]}"), Codes{"F0014"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: 3}, {compute: c}]}"), Codes{"F0014"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: }, {compute: c}]}"), Codes{"F0012"});
  EXPECT_EQ(codes("arch: {nodes: [{memory: [x]}, {compute: c}]}"), Codes{"F0012"});
}

TEST(ReadArch, FiguresAreChecked) {
  EXPECT_EQ(codes(with_memory("capacity: 128")), Codes{"F0021"});
  EXPECT_EQ(codes(with_memory("capacity: 128 KB")), Codes{"F0022"});
  EXPECT_EQ(codes(with_memory("capacity: -1 KiB")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("capacity: [1]")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("capacity: ")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("capacity: 4 word")), Codes{"F0027"});
  EXPECT_EQ(codes(with_memory("word: 0 bit")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("word: x, capacity: 4 word")), Codes{"F0020"});
  EXPECT_EQ(codes(with_memory("width: 0 bit")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("buffering: 0")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("bandwidth: 1 GB/s")), Codes{"F0026"});
  EXPECT_EQ(codes(with_memory("energy: 2 pJ")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("energy: {write: 2 pJ, fill: 3 pJ}")), Codes{"F0015"});
  EXPECT_EQ(codes(with_memory("energy: {red: 2 pJ}")), Codes{"F0010"});
  EXPECT_EQ(codes(with_memory("keep: input")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("keep: [input, input]")), Codes{"F0009"});
  EXPECT_EQ(codes(with_memory("keep: [[input]]")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("sliding: maybe")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("off_chip: maybe")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("partition: 3 B")), Codes{"F0012"});
  EXPECT_EQ(codes(with_memory("bits: {input: 0}")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("bits: 9999")), Codes{"F0024"});
  EXPECT_EQ(codes(with_memory("leakage: 2 pJ")), Codes{"F0023"});
  EXPECT_EQ(codes(with_memory("area: 2 mm")), Codes{"F0022"});
}

TEST(ReadArch, AWrongClockIsReportedOnce) {
  EXPECT_EQ(codes("arch: {clock: fast, nodes: [{memory: M, bandwidth: 1 GB/s}, {compute: c}]}"),
            Codes{"F0020"});
}

TEST(ReadArch, FanoutsAreChecked) {
  const auto fanout = [](const std::string& keys) {
    return codes("arch: {nodes: [{memory: M}, {fanout: F, " + keys + "}, {compute: c}]}");
  };
  EXPECT_EQ(fanout(""), Codes{"F0011"});
  EXPECT_EQ(fanout("axes: {X: 0}"), Codes{"F0024"});
  EXPECT_EQ(fanout("axes: 4"), Codes{"F0012"});
  EXPECT_EQ(fanout("axes: {A: 1, B: 1, C: 1, D: 1, E: 1}"), Codes{"A0008"});
  EXPECT_EQ(fanout("axes: {'x y': 1}"), Codes{"F0014"});
  EXPECT_EQ(fanout("axes: {X: 2}, multicast: equl"), Codes{"F0012"});
  EXPECT_EQ(fanout("axes: {X: 2}, reduction: 1"), Codes{"F0012"});
  EXPECT_EQ(fanout("axes: {X: 2147483648, Y: 2}"), Codes{"A0005"});
}

}  // namespace
}  // namespace tilewright
