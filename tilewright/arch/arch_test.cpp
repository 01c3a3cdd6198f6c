// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/arch.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

Memory memory(std::string name) {
  Memory m;
  m.name = std::move(name);
  return m;
}

TEST(Arch, CountsInstancesFromTheOutsideIn) {
  const Arch arch(
      "a", "", std::nullopt,
      {memory("DRAM"), Fanout{"PE", {{"X", 3}, {"Y", 2}}}, memory("RF"), Fanout{"L", {{"X", 4}}}},
      Compute{});
  EXPECT_EQ(arch.instances(NodeId(0)), 1);
  EXPECT_EQ(arch.instances(NodeId(2)), 6);
  EXPECT_EQ(arch.compute_units(), 24);
  EXPECT_EQ(arch.memories().size(), 2U);
  EXPECT_EQ(arch.find("RF"), NodeId(2));
  EXPECT_EQ(arch.find("mac"), std::nullopt);
}

TEST(Arch, KnowsWhichMemoriesAreOffChip) {
  const auto keeping = [](std::string name, std::vector<std::string> names) {
    Memory m = memory(std::move(name));
    m.keep = {false, std::move(names)};
    return m;
  };
  const auto off_chip = [](std::vector<ArchNode> nodes) {
    const Arch arch("a", "", std::nullopt, std::move(nodes), Compute{});
    std::string names;
    for (const NodeId id : arch.off_chip_memories()) names += arch.memory(id).name + " ";
    return names;
  };
  // The outermost one, whatever it holds; a second one only beside it.
  Memory dram = memory("DRAM");
  EXPECT_EQ(off_chip({dram, memory("unlimited")}), "DRAM ");
  EXPECT_EQ(off_chip({dram, keeping("weights", {"weight"})}), "DRAM ");
  dram.keep = {false, {"input", "output"}};
  EXPECT_EQ(off_chip({dram, keeping("weights", {"weight"})}), "DRAM weights ");
  EXPECT_EQ(off_chip({dram, keeping("both", {"weight", "input"})}), "DRAM ");
  EXPECT_EQ(off_chip({dram, keeping("none", {})}), "DRAM ");
  EXPECT_EQ(off_chip({dram, memory("all")}), "DRAM ");
  // One with room of its own size is on the chip unless it says otherwise.
  Memory weights = keeping("weights", {"weight"});
  weights.capacity_bits = 64;
  EXPECT_EQ(off_chip({dram, weights}), "DRAM ");
  weights.off_chip = true;
  EXPECT_EQ(off_chip({dram, weights}), "DRAM weights ");
  weights.capacity_bits.reset();
  weights.partitions = {{"weight", 64}};
  weights.off_chip.reset();
  EXPECT_EQ(off_chip({dram, weights}), "DRAM ");
  dram.off_chip = false;
  EXPECT_EQ(off_chip({dram, weights}), "");
}

TEST(Arch, SaysWhatIsWrong) {
  const auto first = [](std::vector<ArchNode> nodes) {
    const auto faults = find_arch_faults(nodes, Compute{});
    return faults.empty() ? std::string() : faults.front();
  };
  EXPECT_EQ(first({memory("DRAM")}), "");
  EXPECT_EQ(first({}), "the outermost node is not a memory, so the tensors have no home");
  EXPECT_EQ(first({memory("a"), memory("a")}), "two nodes are called `a`");
  EXPECT_EQ(first({memory("a"), Fanout{"f", {{"X", 0}}}}), "fan-out `f`: axis `X` has size 0");
  EXPECT_EQ(first({memory("a"), Fanout{"f", {{"X", 1 << 20}, {"Y", 1 << 20}}}}),
            "there are more than 2^31 compute units");
  Memory bad = memory("a");
  bad.leakage_pj_per_cycle = -1;
  EXPECT_EQ(first({bad}), "`a`: leakage is not a number from 0 up");
}

}  // namespace
}  // namespace tilewright
