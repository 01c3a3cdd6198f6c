// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/tile_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

using testing::reference_arch;
using testing::reference_mapping;
using testing::reference_workload;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TileTable, HasEveryDimAtEveryLevel) {
  const Problem problem(reference_workload(), reference_arch());
  const std::string text = tiles_csv(problem, reference_mapping());
  EXPECT_TRUE(text.starts_with("level,dim,tile,factor,spatial\nDRAM,n,1,1,1\nDRAM,m,32,4,1\n"))
      << text;
  for (const char* line : {"\nDRAM,p,112,8,1\n", "\nDRAM,q,112,2,1\n", "\nshared_glb,q,56,4,14\n",
                           "\nshared_glb,s,3,1,3\n", "\nweights_spad,r,3,3,1\n",
                           "\npsum_spad,m,8,8,1\n", "\npsum_spad,q,1,1,1\n"}) {
    EXPECT_TRUE(contains(text, line)) << line << text;
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 5 * 7);
}

TEST(TileTable, ATileIsNeverLargerThanItsDim) {
  const Problem problem(reference_workload(), reference_arch());
  const NodeId dram(0);
  const DimId p(3);
  const Mapping ragged({keep(dram, 0b111), temporal(p, 9), temporal(p, 13)});
  const auto json = tiles_json(problem, ragged);
  ASSERT_EQ(json.size(), 7U);
  const nlohmann::ordered_json expected = {
      {"level", "DRAM"}, {"dim", "p"}, {"tile", 112}, {"factor", 117}, {"spatial", 1}};
  EXPECT_EQ(json[3], expected);
}

}  // namespace
}  // namespace tilewright
