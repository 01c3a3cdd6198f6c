// SPDX-License-Identifier: Apache-2.0
// A small problem in files, for the tests of `tilewright map`.
#pragma once

#include <nlohmann/json.hpp>

#include "cli_test_support.h"
#include "tilewright/cli/console.h"

namespace tilewright::testing {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

inline constexpr const char* kArch =
    "arch:\n"
    "  name: tiny\n"
    "  clock: 100 MHz\n"
    "  nodes:\n"
    "    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}, bandwidth: 4 B/cycle}\n"
    "    - memory: buf\n"
    "      capacity: 40 B\n"
    "      energy: {read: 2 pJ, write: 2 pJ}\n"
    "    - {fanout: PE, axes: {X: 4}}\n"
    "    - {compute: mac, energy: 1 pJ}\n";

class Map : public FolderTest {
 protected:
  Map() {
    write("arch.yaml", kArch);
    write("work.yaml", "workload: {name: small, gemm: {m: 7, n: 6, k: 4}, bits: 8}\n");
  }

  // Runs `map` on the two files with more arguments.
  Result map(const Words& more) const {
    Words args = {"map", path("arch.yaml"), path("work.yaml")};
    args.insert(args.end(), more.begin(), more.end());
    return run_cli(args);
  }
  Json map_json(Words more) const {
    more.emplace_back("--json");
    const Result result = map(more);
    EXPECT_EQ(result.code, kOk) << result.err;
    return Json::parse(result.out);
  }
};

}  // namespace tilewright::testing
