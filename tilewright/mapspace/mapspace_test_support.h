// SPDX-License-Identifier: Apache-2.0
// Small problems for the tests of this module.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/mapping/problem.h"

namespace tilewright::testing {

struct SmallArch {
  std::vector<std::int64_t> axes = {2, 3};  ///< none: no fan-out
  std::vector<std::string> dram_keeps = {"A", "B", "Z"};
  std::optional<std::int64_t> glb_bits;
  std::optional<std::int64_t> reg_bits;
};

/// DRAM, GLB, a fan-out PE with the axes X, Y, ..., reg, mac.
inline Arch small_arch(const SmallArch& given = {}) {
  std::vector<ArchNode> nodes;
  nodes.push_back(Memory{.name = "DRAM", .keep = {false, given.dram_keeps}});
  nodes.push_back(Memory{.name = "GLB", .capacity_bits = given.glb_bits});
  if (!given.axes.empty()) {
    Fanout fanout{.name = "PE"};
    for (std::size_t i = 0; i < given.axes.size(); ++i) {
      fanout.axes.push_back({std::string(1, static_cast<char>('X' + i)), given.axes[i]});
    }
    nodes.push_back(fanout);
  }
  nodes.push_back(Memory{.name = "reg", .capacity_bits = given.reg_bits});
  return Arch("small", "", std::nullopt, std::move(nodes), Compute{});
}

/// Z[m,n] += A[m,k] * B[k,n] with the sizes of m, n, k.
inline Workload gemm(const std::array<std::int64_t, 3>& sizes) {
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  return Workload("gemm", {{"m", sizes[0]}, {"n", sizes[1]}, {"k", sizes[2]}},
                  {{.name = "A", .ranks = {rank(0), rank(2)}},
                   {.name = "B", .ranks = {rank(2), rank(1)}},
                   {.name = "Z", .ranks = {rank(0), rank(1)}}});
}

inline Problem gemm_problem(const std::array<std::int64_t, 3>& sizes, const SmallArch& arch = {}) {
  return Problem(gemm(sizes), small_arch(arch));
}

}  // namespace tilewright::testing
