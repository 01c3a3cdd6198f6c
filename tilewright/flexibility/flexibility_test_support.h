// SPDX-License-Identifier: Apache-2.0
// The accelerator of the flexibility paper (its Table 2), and layers of its MnasNet.
#pragma once

#include <string>

#include "tilewright/flexibility/flexibility.h"
#include "tilewright/workload/operators.h"

namespace tilewright::testing {

/// 1,024 PEs, a buffer of 100 KB, 16 x 64.
inline Arch paper_arch(std::int64_t rows = 16, std::int64_t columns = 64) {
  Memory dram;
  dram.name = "DRAM";
  dram.shared_bandwidth = make_rational(1024, 1);
  Memory buffer;
  buffer.name = "GLB";
  buffer.capacity_bits = 100 * 1024 * 8;
  return {"paper",
          "",
          std::nullopt,
          {dram, buffer, Fanout{"PE", {{"X", rows}, {"Y", columns}}}},
          Compute{}};
}

inline Flexibility paper_flexibility() {
  Flexibility result;
  result.dims = {"c", "m", "p", "q", "r", "s"};
  result.gemm = {{"m", "p"}, {"n", "m"}, {"k", "c"}};
  result.buffer = "GLB";
  result.array = "PE";
  for (const auto& [dim, size] : {std::pair{"p", 3}, {"q", 3}, {"r", 3}, {"s", 3}}) {
    result.loops.push_back({"GLB", dim, size});
  }
  result.partition = {{"input", 1}, {"weight", 1}, {"output", 1}};
  result.orders = {{"p", "q", "m", "c", "r", "s"},
                   {"m", "c", "r", "s", "p", "q"},
                   {"c", "p", "q", "m", "r", "s"}};
  result.parallelisms = {{"c", "m"}, {"p", "q"}};
  result.block = {16, 16};
  return result;
}

/// By output channels, input channels, and the sizes of output and filter.
inline Workload paper_conv(std::int64_t m, std::int64_t c, std::int64_t p, std::int64_t r) {
  return conv({.m = m, .c = c, .p = p, .q = p, .r = r, .s = r});
}

}  // namespace tilewright::testing
