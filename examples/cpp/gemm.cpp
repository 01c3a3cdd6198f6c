// SPDX-License-Identifier: Apache-2.0
// The best mapping of a matrix product on an accelerator that is built in code.
#include <tilewright/tilewright.h>

#include <iostream>

int main() {
  using namespace tilewright;
  const Arch arch("small", "", std::nullopt,
                  {Memory{.name = "DRAM", .energy = {200, 200, 200}},
                   Memory{.name = "GLB", .capacity_bits = 8 * 65536, .energy = {6, 6, 6}},
                   Fanout{.name = "PE", .axes = {{"X", 16}, {"Y", 16}}}},
                  Compute{.energy_pj = 1});
  std::cout << map({gemm(512, 768, 3072), arch});
}
