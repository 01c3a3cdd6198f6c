// SPDX-License-Identifier: Apache-2.0
// What one more memory costs: a matrix product, a batch of them, a depthwise and an ordinary
// convolution on accelerators of 2 to 7 memories, each proved by one thread, in CPU seconds.
//   bench.depth [--quick] [--seconds S]
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/support/arguments.h"
#include "tilewright/mapper/map.h"
#include "tilewright/workload/operators.h"

namespace {

using namespace tilewright;

constexpr double kWanted = 3;      // times the CPU time, at most
constexpr double kShortest = 0.1;  // seconds: below that, ratios say nothing

struct Level {
  const char* name;
  std::int64_t kib16;  // capacity in sixteenths of a KiB
  double pj;
  bool is_inside;  // the array
};

// In the order in which they are added to a DRAM.
constexpr Level kLevels[] = {{"L3", 64 * 16, 10, false},   {"L2", 4 * 16, 3, true},
                             {"L4", 512 * 16, 25, false},  {"L1", 8, 1, true},
                             {"L5", 4096 * 16, 60, false}, {"L0", 1, 0.3, true}};

Memory make_memory(const Level& level) {
  Memory memory;
  memory.name = level.name;
  memory.capacity_bits = level.kib16 * 64 * 8;
  memory.energy = {level.pj, level.pj, level.pj, ""};
  return memory;
}

Arch make_arch(int memories) {
  std::vector<Level> levels(std::begin(kLevels), std::begin(kLevels) + memories - 1);
  std::ranges::sort(levels, std::greater{}, &Level::kib16);
  Memory dram;
  dram.name = "DRAM";
  dram.energy = {200, 200, 200, ""};
  std::vector<ArchNode> nodes{dram};
  const auto add = [&](bool inside) {
    for (const Level& level : levels) {
      if (level.is_inside == inside) nodes.emplace_back(make_memory(level));
    }
  };
  add(false);
  nodes.emplace_back(Fanout{"PE", {{"X", 16}, {"Y", 16}}});
  add(true);
  Compute compute;
  compute.energy_pj = 0.5;
  return {"deep", "", std::nullopt, std::move(nodes), compute};
}

// Of a proof; nothing if it takes longer than `limit`.
std::optional<double> prove(const Workload& workload, int memories, double limit) {
  std::atomic<bool> stop = false;
  const double start = cpu_seconds();
  MapRequest request;
  request.threads = 1;
  request.count = false;
  request.stop = &stop;
  const std::jthread watch = watch_cpu_time([&](double used) {
    if (used >= limit) stop = true;
  });
  const MapResult result = map(Problem(workload, make_arch(memories)), request);
  if (result.status != Status::kProved) return std::nullopt;
  return cpu_seconds() - start;
}

struct Row {
  const char* name;
  Workload workload;
};

std::vector<Row> make_rows() {
  return {{"GEMM 512 x 512 x 512", gemm(512, 512, 512)},
          {"16 GEMMs 256 x 64 x 256", bmm(16, 256, 64, 256)},
          {"depthwise 96 x 56 x 56, 3 x 3",
           conv({.c = 96, .p = 56, .q = 56, .r = 3, .s = 3, .depthwise = true})},
          {"convolution 128 x 128 x 28 x 28, 3 x 3",
           conv({.m = 128, .c = 128, .p = 28, .q = 28, .r = 3, .s = 3})}};
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 60;
  bool quick = false;
  Arguments arguments("What one more memory costs the optimal search");
  arguments.option("--seconds", seconds, "CPU seconds of one proof, at most");
  arguments.flag("--quick", quick, "up to 4 memories, which take too little time to be judged");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  const int most = quick ? 4 : 7;
  std::printf("%-40s", "CPU seconds; memories:");
  for (int memories = 2; memories <= most; ++memories) std::printf("%8d", memories);
  std::printf("\n");
  double worst = 0;
  int open = 0;
  for (const Row& row : make_rows()) {
    std::printf("%-40s", row.name);
    std::optional<double> before;
    for (int memories = 2; memories <= most; ++memories) {
      const std::optional<double> taken = prove(row.workload, memories, seconds);
      if (taken) {
        std::printf("%8.2f", *taken);
        if (before && *taken > kShortest) {
          worst = std::max(worst, *taken / std::max(*before, kShortest));
        }
      } else {
        std::printf("%8s", "open");
        ++open;
      }
      before = taken;
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  std::printf(
      "depth: with one more memory at most %.1f times the CPU time (from 0.1 s up); %d of %d "
      "not proved in %.0f s\n",
      worst, open, 4 * (most - 1), seconds);
  return (quick || worst <= kWanted) && open == 0 ? 0 : 1;
}
