// SPDX-License-Identifier: Apache-2.0
#include "tilewright/files/files.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(Files, TextsBecomeValues) {
  const Workload workload = workload_from_yaml("workload: {gemm: {m: 4, n: 6, k: 8}}\n");
  EXPECT_EQ(workload.computes(), 4 * 6 * 8);
  const Arch arch = library_arch("eyeriss");
  const Problem problem(workload, arch);
  const auto constraints =
      constraints_from_yaml("constraints:\n  - {at: DRAM, factors: [m <= 2]}\n", problem);
  ASSERT_EQ(constraints.size(), 1U);
  EXPECT_EQ(constraints[0].value, 2);
  EXPECT_FALSE(library_network("alexnet").layers.empty());
}

TEST(Files, WhatIsWrongIsSaidAtOnceWithItsLines) {
  try {
    workload_from_yaml("workload: {gemm: {m: 4, n: 6, q: 8, k: x}}\n", "mine.yaml");
    FAIL() << "it has two faults";
  } catch (const FileError& error) {
    EXPECT_GE(error.findings().size(), 2U);
    EXPECT_NE(std::string(error.what()).find("mine.yaml:1"), std::string::npos) << error.what();
  }
}

TEST(Files, AMisspelledNameHasANearestOne) {
  try {
    library_arch("eyeris");
    FAIL() << "there is none of that name";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean `eyeriss`?"), std::string::npos);
  }
  EXPECT_THROW(library_network("no such network"), FileError);
}

}  // namespace
}  // namespace tilewright
