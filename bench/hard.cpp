// SPDX-License-Identifier: Apache-2.0
// What is left open: problems drawn from the library (any accelerator, any layer, the spaces PFM,
// Ruby-S and Ruby), each searched for the lowest energy-delay product by one thread in a process of
// its own, for 10 seconds of CPU time at most. Two draws: whoever tunes the search looks at the
// first only.
//   bench.hard [--quick] [--problems N] [--seed S] [--second S]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/support/arguments.h"
#include "bench/support/library_problems.h"
#include "tilewright/mapper/map.h"

namespace {

using namespace tilewright;

constexpr double kSeconds = 10;
constexpr double kSoon = 1;       // seconds after which a bound should be useful
constexpr double kUseful = 0.10;  // gap

struct Targets {
  double proved = 0.99;  // of the problems
  double gap = 0.05;     // of each, at most
  double useful = 0.98;  // of the problems: kUseful after kSoon
  double mib = 1024;     // of each, at most
};
constexpr Targets kQuickly{.proved = 0.8, .gap = 0.4, .useful = 0.7};  // of a few problems

// What a child tells its parent: plain numbers.
struct Told {
  bool proved = false;  // the best, or that there is none
  double gap = 1;       // at the end
  double soon = 1;      // after a second
};

struct Outcome {
  Told told;
  double seconds = 0;  // of CPU
  double mib = 0;
};

double gap_of(std::optional<double> best, std::optional<double> bound) {
  if (!best || !bound) return 1;
  return *best > 0 ? std::max(0.0, 1 - *bound / *best) : 0;
}

Told search(const LibraryProblem& drawn) {
  std::atomic<bool> stop = false;
  std::atomic<double> gap = 1;
  std::atomic<double> soon = -1;
  MapRequest request;
  request.space = drawn.space;
  request.threads = 1;
  request.count = false;
  request.stop = &stop;
  request.progress = [&](const MapProgress& progress) {
    gap = std::min(gap.load(), gap_of(progress.search.best, progress.search.bound));
  };
  const std::jthread watch = watch_cpu_time([&](double used) {
    if (used >= kSoon && soon < 0) soon = gap.load();
    if (used >= kSeconds) stop = true;
  });
  const MapResult result = map(drawn.problem(), request);
  Told told;
  told.proved = result.status == Status::kProved || result.status == Status::kInfeasible;
  if (told.proved) {
    told.gap = 0;
  } else if (result.search.best) {
    told.gap = gap_of(result.search.best->score, result.search.bound);
  }
  told.soon = soon < 0 ? told.gap : soon.load();
  return told;
}

// In a process of its own, so that its memory can be told from that of others.
Outcome search_apart(const LibraryProblem& drawn) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    const Told told = search(drawn);
    const bool sent = write(ends[1], &told, sizeof told) == sizeof told;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome;
  const bool got = read(ends[0], &outcome.told, sizeof outcome.told) == sizeof outcome.told;
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  if (!got || status != 0) throw std::runtime_error("it crashed: " + drawn.name);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  outcome.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  outcome.mib = static_cast<double>(used.ru_maxrss) / 1024;
  return outcome;
}

// One draw: prints what stays open; false if a target is missed.
bool go_through(const LibraryLayers& layers, std::uint64_t seed, std::uint64_t count,
                const Targets& wanted, std::string& figure) {
  const std::vector<LibraryProblem> drawn = layers.draw(seed, count);
  std::vector<Outcome> outcomes;
  std::map<std::string, Outcome> known;  // some are drawn twice
  for (const LibraryProblem& one : drawn) {
    const auto [found, is_new] = known.try_emplace(one.name);
    if (is_new) found->second = search_apart(one);
    const Outcome& outcome = outcomes.emplace_back(found->second);
    if (is_new && (!outcome.told.proved || outcome.told.soon > kUseful || outcome.mib > 512)) {
      std::printf("  %-64s %s, gap %5.2f %%, after 1 s %6.2f %%; %5.2f s, %4.0f MiB\n",
                  one.name.c_str(), outcome.told.proved ? "proved" : "open  ",
                  100 * outcome.told.gap, 100 * outcome.told.soon, outcome.seconds, outcome.mib);
      std::fflush(stdout);
    }
  }
  const auto total = static_cast<double>(count);
  const auto share = [&](const auto& holds) {
    return static_cast<double>(std::ranges::count_if(outcomes, holds)) / total;
  };
  const double proved = share([](const Outcome& o) { return o.told.proved; });
  const double useful = share([](const Outcome& o) { return o.told.soon < kUseful; });
  double gap = 0;
  double mib = 0;
  double seconds = 0;
  for (const Outcome& o : outcomes) {
    gap = std::max(gap, o.told.gap);
    mib = std::max(mib, o.mib);
    seconds += o.seconds;
  }
  char text[240];
  std::snprintf(
      text, sizeof text,
      "seed %llu: %.1f %% of %.0f problems proved in %.0f CPU seconds each, worst gap "
      "%.2f %%, gap after 1 s below 10 %% for %.1f %%, at most %.0f MiB, %.2f s on average",
      static_cast<unsigned long long>(seed), 100 * proved, total, kSeconds, 100 * gap, 100 * useful,
      mib, seconds / total);
  std::printf("%s\n", text);
  figure += (figure.empty() ? "" : "; ") + std::string(text);
  return proved >= wanted.proved && gap < wanted.gap && useful >= wanted.useful && mib < wanted.mib;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t problems = 500;
  std::uint64_t seed = 1;
  std::uint64_t second = 2;
  bool quick = false;
  Arguments arguments("Problems of the library that resist the optimal search");
  arguments.option("--problems", problems, "how many are drawn by each seed");
  arguments.option("--seed", seed, "of the first draw");
  arguments.option("--second", second, "of the second draw; 0: none");
  arguments.flag("--quick", quick, "10 of each draw");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  if (quick) problems = 10;
  const LibraryLayers layers;
  std::string figure;
  const Targets wanted = quick ? kQuickly : Targets{};
  bool holds = go_through(layers, seed, problems, wanted, figure);
  if (second > 0) holds = go_through(layers, second, problems, wanted, figure) && holds;
  std::printf("hard: %s\n", figure.c_str());
  return holds ? 0 : 1;
}
