// SPDX-License-Identifier: Apache-2.0
// A sweep over buffer sizes on all cores: each problem takes one thread, so that the cores do not
// wait for each other. The answers do not depend on the number of threads.
#include <tilewright/tilewright.h>

#include <atomic>
#include <iostream>
#include <thread>
#include <vector>

using namespace tilewright;

Arch with_buffer(std::int64_t kib) {
  return Arch("swept", "", std::nullopt,
              {Memory{.name = "DRAM", .energy = {200, 200, 200}},
               Memory{.name = "GLB", .capacity_bits = 8 * 1024 * kib, .energy = {6, 6, 6}},
               Fanout{.name = "PE", .axes = {{"X", 14}, {"Y", 12}}}},
              Compute{.energy_pj = 1});
}

int main() {
  const std::vector<std::int64_t> sizes = {4, 8, 16, 32, 64, 128, 256, 512};
  std::vector<MapResult> results(sizes.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < sizes.size(); i = next++) {
      results[i] = map({gemm(256, 256, 256), with_buffer(sizes[i])}, {.threads = 1});
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::cout << sizes[i] << " KiB: " << results[i].shown().evaluation.energy_pj << " pJ\n";
  }
}
