// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/area.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

Memory memory(std::string name, std::optional<std::int64_t> bits, double area = 0) {
  Memory result;
  result.name = std::move(name);
  result.capacity_bits = bits;
  result.area_um2 = area;
  return result;
}

TEST(Area, OfAMemoryIsWhatItsFileSays) {
  EXPECT_EQ(area_um2(memory("M", 1 << 20, 7)), 7);
  EXPECT_EQ(area_um2(memory("M", std::nullopt)), 0);
}

// The areas that the library's eyeriss-v4 has from Accelergy, at 45 nm.
TEST(Area, ModelIsNearPublishedFigures) {
  EXPECT_NEAR(area_um2(memory("shared_glb", 131072 * 8)), 217363, 0.03 * 217363);
  EXPECT_NEAR(area_um2(memory("weights_spad", 192 * 16)), 5816, 0.03 * 5816);
  EXPECT_NEAR(area_um2(memory("psum_spad", 16 * 16)), 123.6, 0.2 * 123.6);
  EXPECT_NEAR(area_um2(memory("ifmap_spad", 12 * 16)), 70.1, 0.2 * 70.1);
}

TEST(Area, OfAnArchCountsInstancesOnTheChip) {
  const Arch arch("a", "", std::nullopt,
                  {memory("DRAM", std::nullopt, 1e9), memory("GLB", 1 << 20, 100),
                   Fanout{"PE", {{"X", 4}, {"Y", 2}}}, memory("spad", 256, 10)},
                  Compute{.area_um2 = 1});
  EXPECT_EQ(area_um2(arch), 100 + 8 * 10 + 8 * 1);
  EXPECT_TRUE(estimated_areas(arch).empty());
}

TEST(Area, ThatIsNotGivenIsNamed) {
  const Arch arch("a", "", std::nullopt,
                  {memory("DRAM", std::nullopt), memory("GLB", 1 << 20), memory("spad", 256, 10)},
                  Compute{.name = "mac"});
  EXPECT_EQ(estimated_areas(arch), (std::vector<std::string>{"GLB", "mac"}));
}

}  // namespace
}  // namespace tilewright
