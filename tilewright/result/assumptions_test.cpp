// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/assumptions.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

Memory keeping(std::string name, std::vector<std::string> names) {
  Memory memory;
  memory.name = std::move(name);
  memory.keep = {false, std::move(names)};
  return memory;
}

Arch arch_of(std::vector<ArchNode> nodes) {
  return {"a", "", std::nullopt, std::move(nodes), Compute{}};
}

TEST(Assumptions, SaysWhatIsAssumed) {
  Memory dram;
  dram.name = "DRAM";
  EXPECT_EQ(assumptions_words(arch_of({dram})), "assuming unlimited DRAM bandwidth");
  dram.read_bandwidth = make_rational(1, 1);
  EXPECT_EQ(assumptions_words(arch_of({dram})), "assuming unlimited DRAM write bandwidth");
  dram.write_bandwidth = dram.read_bandwidth;
  EXPECT_EQ(assumptions_words(arch_of({dram})), "");
  dram.read_bandwidth.reset();
  EXPECT_EQ(assumptions_words(arch_of({dram})), "assuming unlimited DRAM read bandwidth");
  dram.shared_bandwidth = dram.write_bandwidth;
  EXPECT_EQ(assumptions_words(arch_of({dram})), "");
}

TEST(Assumptions, NamesAllMemoriesThatAreOffChip) {
  const Memory dram = keeping("DRAM", {"input", "output"});
  Memory weights = keeping("WDRAM", {"weight"});
  const Arch two = arch_of({dram, weights});
  EXPECT_EQ(off_chip_title(two), "off-chip");
  EXPECT_EQ(off_chip_names(two), "DRAM and WDRAM");
  EXPECT_EQ(assumptions_words(two), "assuming unlimited DRAM and WDRAM bandwidth");
  // Weights are never written.
  weights.read_bandwidth = make_rational(1, 1);
  EXPECT_EQ(assumptions_words(arch_of({dram, weights})), "assuming unlimited DRAM bandwidth");
  weights.off_chip = false;
  EXPECT_EQ(off_chip_title(arch_of({dram, weights})), "DRAM");
  Memory inside = dram;
  inside.off_chip = false;
  EXPECT_EQ(off_chip_names(arch_of({inside, weights})), "no memory");
  EXPECT_EQ(off_chip_title(arch_of({inside, weights})), "off-chip");
  EXPECT_EQ(assumptions_words(arch_of({inside, weights})), "");
}

}  // namespace
}  // namespace tilewright
