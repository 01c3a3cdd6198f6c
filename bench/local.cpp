// SPDX-License-Identifier: Apache-2.0
// How near local search comes to the best mapping: problems drawn from the library (any
// accelerator, any layer, PFM, Ruby-S and Ruby), each solved with a proof, then searched locally
// from several seeds, by energy-delay product and with one thread. Whoever tunes the local search
// draws by another seed than the one that is judged.
//   bench.local [--quick] [--problems N] [--draw SEED] [--seeds N]
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/support/arguments.h"
#include "bench/support/library_problems.h"
#include "tilewright/mapper/map.h"

namespace {

using namespace tilewright;

constexpr double kSeconds = 10;      // of CPU time; what is not proved by then is left out
constexpr double kNear = 0.01;       // above the optimum, as the mean of the seeds
constexpr double kWorst = 0.10;      // above the optimum, whatever the seed
constexpr double kMostNear = 0.966;  // of the problems: 58 of 60
constexpr double kSame = 1e-9;       // scores are rounded

struct Excess {
  double mean = 0;
  double worst = 0;
};

// Nothing if it is not proved in time, or there is no mapping.
std::optional<double> optimum(const LibraryProblem& drawn) {
  std::atomic<bool> stop = false;
  MapRequest request;
  request.space = drawn.space;
  request.threads = 1;
  request.count = false;
  request.stop = &stop;
  const std::jthread watch = watch_cpu_time([&](double used) {
    if (used >= kSeconds) stop = true;
  });
  const MapResult result = map(drawn.problem(), request);
  if (result.status != Status::kProved) return std::nullopt;
  return result.search.best->score;
}

// Nothing if a seed finds no mapping, or one that is better than the optimum.
std::optional<Excess> excess(const LibraryProblem& drawn, double best, int seeds) {
  MapRequest request;
  request.space = drawn.space;
  request.mapper = Mapper::kLocal;
  request.threads = 1;
  request.count = false;
  Excess result;
  for (int seed = 1; seed <= seeds; ++seed) {
    request.seed = static_cast<std::uint64_t>(seed);
    const MapResult found = map(drawn.problem(), request);
    if (!found.search.best || found.search.best->score < best * (1 - kSame)) return std::nullopt;
    const double above = found.search.best->score / best - 1;
    result.mean += above / seeds;
    result.worst = std::max(result.worst, above);
  }
  return result;
}

int judge(const std::vector<LibraryProblem>& problems, int seeds, bool quick) {
  int proved = 0;
  int wrong = 0;
  int near = 0;
  int far = 0;
  double worst = 0;
  double seconds = 0;
  for (const LibraryProblem& drawn : problems) {
    const std::optional<double> best = optimum(drawn);
    if (!best) continue;
    ++proved;
    const double start = cpu_seconds();
    const std::optional<Excess> above = excess(drawn, *best, seeds);
    seconds += (cpu_seconds() - start) / seeds;
    if (!above) {
      ++wrong;
      std::printf("  %s: no mapping, or one that is better than the optimum\n", drawn.name.c_str());
      continue;
    }
    near += above->mean <= kNear ? 1 : 0;
    far += above->worst > kWorst ? 1 : 0;
    worst = std::max(worst, above->worst);
    if (above->worst <= kWorst) continue;
    std::printf("  %-64s %5.1f %% above the optimum, %5.1f %% on average\n", drawn.name.c_str(),
                100 * above->worst, 100 * above->mean);
    std::fflush(stdout);
  }
  const double share = proved > 0 ? static_cast<double>(near) / proved : 0;
  std::printf(
      "local: %d problems of %zu proved in %.0f CPU seconds; local search within 1 %% as the mean "
      "of %d seeds in %.1f %%, more than 10 %% above with some seed in %d, at most %.1f %%; %.2f s "
      "on average; %d wrong\n",
      proved, problems.size(), kSeconds, seeds, 100 * share, far, 100 * worst,
      proved > 0 ? seconds / proved : 0, wrong);
  if (proved == 0 || wrong > 0) return 1;
  return quick || (far == 0 && share >= kMostNear) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t problems = 500;
  std::uint64_t draw = 3;
  int seeds = 5;
  bool quick = false;
  Arguments arguments("How near local search comes to the best mapping");
  arguments.option("--problems", problems, "how many are drawn");
  arguments.option("--draw", draw, "seed of the draw");
  arguments.option("--seeds", seeds, "of local search, for each problem", 1);
  arguments.flag("--quick", quick, "8 problems, 2 seeds; how near it comes is not judged");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  if (quick) {
    problems = 8;
    seeds = 2;
  }
  const LibraryLayers layers;
  return judge(layers.draw(draw, problems), seeds, quick);
}
