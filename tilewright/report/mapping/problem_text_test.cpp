// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/problem_text.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

TEST(WorkloadText, ShowsEinsumSizesAndShapes) {
  EXPECT_EQ(workload_text(testing::reference_workload(), {}),
            "workload conv: 10,838,016 MACs\n"
            "  Outputs[n,m,p,q] += Inputs[n,c,2*p+r,2*q+s] * Weights[m,c,r,s]\n"
            "  n 1, m 32, c 3, p 112, q 112, r 3, s 3\n"
            "  tensor   role    element  shape\n"
            "  Inputs   input     8 bit  1 x 3 x 225 x 225\n"
            "  Weights  weight    8 bit  32 x 3 x 3 x 3\n"
            "  Outputs  output    8 bit  1 x 32 x 112 x 112\n");
}

TEST(ArchText, ShowsNodesFromTheOutermostIn) {
  EXPECT_EQ(arch_text(testing::reference_arch(), {}),
            "arch eyeriss_like: 168 units at 200 MHz\n"
            "  a small Eyeriss\n"
            "  node          copies  capacity  bit/cycle  read pJ  write pJ  keeps\n"
            "  DRAM               1         -          -       64        64  all\n"
            "  shared_glb         1   128 KiB      r 128      2.5       2.5  all\n"
            "  PE: X 14 x Y 12, multicast equal, reduction\n"
            "  ifmap_spad       168      24 B          -      0.1       0.1  all\n"
            "  weights_spad     168     384 B       r 16        1         1  all\n"
            "  psum_spad        168      64 B       w 16        -       0.2  all\n"
            "  mac: 168 units, 0.208 pJ per MAC\n"
            "  from: published run (DRAM, shared_glb)\n");
}

}  // namespace
}  // namespace tilewright
