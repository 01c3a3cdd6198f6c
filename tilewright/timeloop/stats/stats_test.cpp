// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/stats/stats.h"

#include <gtest/gtest.h>

#include <string>

namespace tilewright::timeloop {
namespace {

constexpr std::string_view kReport = R"(Buffer and Arithmetic Levels
----------------------------
Level 0
-------
=== mac ===

    SPECS
    -----
    Word bits             : 16

    STATS
    -----
    Utilized instances      : 4
    Computes (total)        : 2000
    Cycles                  : 500

Level 1
-------
=== buffer ===

    SPECS
    -----
        Size                            : 64
        Leakage energy (total)          : 7.50 pJ

    MAPPING
    -------
    Loop nest:
      for M in [0:8)

    STATS
    -----
    Cycles               : 600
    Bandwidth throttling : 0.83
    Weights:
        Partition size                           : 9
        Utilized capacity                        : 8
        Utilized instances (max)                 : 2
        Scalar reads (per-instance)              : 1000
        Scalar fills (per-instance)              : 40
        Scalar updates (per-instance)            : 0
        Energy (per-instance)                    : 130.25 pJ
        Energy (total)                           : 260.50 pJ

Networks
--------
Network 0
---------
=== wire ===
    Weights:
        Fanout                                   : 2

Operational Intensity Stats
---------------------------
=== buffer ===
    Total scalar accesses                   : 2080

Summary Stats
-------------
Utilization: 100.00%
Cycles: 600
Energy: 0.00 uJ

Computes = 2000
fJ/Compute
    mac                                           = 30.00
    Total                                         = 160.25
)";

TEST(Stats, ReadsAReport) {
  const auto stats = read_stats(kReport);
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->levels.size(), 2U);
  EXPECT_EQ(stats->levels[0].name, "mac");
  EXPECT_TRUE(stats->levels[0].tensors.empty());
  const LevelStats& buffer = stats->levels[1];
  EXPECT_EQ(buffer.name, "buffer");
  EXPECT_EQ(buffer.cycles, 600);
  ASSERT_EQ(buffer.tensors.size(), 1U);
  const TensorStats& weights = buffer.tensors.front();
  EXPECT_EQ(weights.name, "Weights");
  EXPECT_EQ(weights.tile, 8);
  EXPECT_EQ(weights.instances, 2);
  EXPECT_EQ(weights.reads, 1000);
  EXPECT_EQ(weights.fills, 40);
  EXPECT_EQ(weights.updates, 0);
  EXPECT_EQ(weights.energy_pj, 260.5);
  EXPECT_EQ(stats->computes, 2000);
  EXPECT_EQ(stats->cycles, 600);
  ASSERT_TRUE(stats->energy_pj);
  EXPECT_NEAR(*stats->energy_pj, 320.5, 1e-9);       // 2,000 times 160.25 fJ
  EXPECT_NEAR(stats->energy_digit_pj, 0.02, 1e-12);  // 2,000 times 0.01 fJ
}

TEST(Stats, RefusesWhatIsNoReportOrWasCutOff) {
  EXPECT_FALSE(read_stats(""));
  EXPECT_FALSE(read_stats("mapping: []\n"));
  EXPECT_FALSE(read_stats("Summary Stats\nCycles: 600\n"));  // no level
  EXPECT_FALSE(read_stats(kReport.substr(0, kReport.find("Summary"))));
}

TEST(Stats, LeavesOutWhatIsNoNumber) {
  std::string text(kReport);
  text.replace(text.find(": 1000"), 6, ": many");
  text.replace(text.find("Cycles: 600"), 11, "Cycles: 6e9x");
  const auto stats = read_stats(text);
  ASSERT_TRUE(stats);
  EXPECT_FALSE(stats->levels[1].tensors.front().reads);
  EXPECT_FALSE(stats->cycles);
}

}  // namespace
}  // namespace tilewright::timeloop
