// SPDX-License-Identifier: Apache-2.0
// The optimal search with one and with two threads: the same mapping, and how much sooner.
// Goes through layers on accelerators of the library. Those that one thread proves in 1 to
// `--seconds` are timed; all that it proves in less must have the same answer as well.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/search/search.h"

namespace {

using namespace tilewright;

constexpr double kWanted = 1.6;      // times sooner with two threads
constexpr double kLongEnough = 1;    // seconds with one
constexpr std::size_t kEnough = 16;  // instances timed
constexpr int kRounds = 2;           // neighbours on the machine make it slower, never faster

struct Time {
  double wall = std::numeric_limits<double>::infinity();
  double cpu = std::numeric_limits<double>::infinity();
};

struct Run {
  SearchResult result;
  Time time;
};

struct Instance {
  const char* arch;
  SpaceKind kind;
  const char* objective;
};

constexpr Instance kInstances[] = {
    {"eyeriss", SpaceKind::kRubyS, "edp"},
    {"quickflow-eyeriss", SpaceKind::kPfm, "edp"},
    {"simba", SpaceKind::kPfm, "edp"},
    {"eyeriss", SpaceKind::kRuby, "edp"},
    {"quickflow-tpu", SpaceKind::kPfm, "energy"},
    {"goma-eyeriss", SpaceKind::kRuby, "edp"},
    {"gemmini", SpaceKind::kRubyS, "energy"},
    {"quickflow-simba", SpaceKind::kRubyS, "edp"},
};

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Run search(const Problem& problem, const Instance& instance, int threads, double limit) {
  SearchOptions options;
  options.threads = threads;
  options.max_seconds = limit;
  options.objective = *objective_by_name(instance.objective);
  const Rules rules = make_rules(problem, instance.kind, {});
  const double wall = seconds(CLOCK_MONOTONIC);
  const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  SearchResult result = search_optimal(problem, rules, options);
  return {std::move(result),
          {seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu}};
}

/// Everything that must not depend on the number of threads.
std::string text_of(const Problem& problem, const SearchResult& result) {
  if (!result.best) return "nothing fits";
  char score[40];
  std::snprintf(score, sizeof score, "%.17g\n", result.best->score);
  return score + write_nest(problem, result.best->mapping);
}

class Bench {
 public:
  Bench(bool quick, double limit) : quick_(quick), limit_(limit) {}

  bool enough() const { return (quick_ ? compared_ : ratios_.size()) >= kEnough; }

  void try_out(const ConvLayer& layer, const Instance& instance) {
    const Problem problem(layer_workload(layer), library_arch(instance.arch));
    const Run one = search(problem, instance, 1, limit_);
    if (one.result.ending != Ending::kExhausted) {
      ++not_proved_;
      return;
    }
    const bool timed = !quick_ && one.time.cpu >= kLongEnough;
    Time times[2] = {one.time, {}};
    for (int round = 0; round < (timed ? kRounds : 1); ++round) {
      for (const int threads : {2, 1}) {
        if (threads == 1 && !timed) continue;
        const Run next = search(problem, instance, threads, 0);
        if (text_of(problem, next.result) != text_of(problem, one.result)) {
          ++differ_;
          std::printf("ANOTHER mapping: ");
        }
        Time& best = times[threads - 1];
        best = {std::min(best.wall, next.time.wall), std::min(best.cpu, next.time.cpu)};
      }
    }
    ++compared_;
    if (timed) ratios_.push_back(times[0].wall / times[1].wall);
    std::printf("%-18s %-7s %-7s %-24s %8.3f s %8.3f s   %.2f   CPU time %.2f\n", instance.arch,
                std::string(space_name(instance.kind)).c_str(), instance.objective,
                layer.name.c_str(), times[0].wall, times[1].wall, times[0].wall / times[1].wall,
                times[1].cpu / times[0].cpu);
    std::fflush(stdout);
  }

  int finish() const {
    double logs = 0;
    for (const double ratio : ratios_) logs += std::log(ratio);
    const double mean = ratios_.empty() ? 0 : std::exp(logs / static_cast<double>(ratios_.size()));
    const double least = ratios_.empty() ? 0 : *std::ranges::min_element(ratios_);
    std::printf("not proved within %.0f s: %d\n", limit_, not_proved_);
    std::printf("threads: %zu instances, %d differ", compared_, differ_);
    if (!quick_) {
      std::printf(
          "; two threads are %.2f times as fast as one on %zu above %.0f s (least %.2f, wanted "
          "%.1f)",
          mean, ratios_.size(), kLongEnough, least, kWanted);
    }
    std::printf("\n");
    const bool fast = quick_ || (!ratios_.empty() && mean >= kWanted);
    return differ_ == 0 && compared_ > 0 && fast ? 0 : 1;
  }

 private:
  bool quick_;
  double limit_;
  std::vector<double> ratios_;
  std::size_t compared_ = 0;
  int differ_ = 0;
  int not_proved_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  double limit = 60;
  Arguments arguments("The optimal search with one and with two threads");
  arguments.flag("--quick", quick, "A few layers, up to a second; times do not decide");
  arguments.option("--seconds", limit, "For one layer with one thread");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  Bench bench(quick, quick ? 1 : limit);
  std::vector<ConvLayer> layers =
      read_layers(read_repository_file("experiments/data/quickflow.csv"));
  for (const ConvLayer& layer :
       read_layers(read_repository_file("experiments/data/resnet50.csv"))) {
    layers.push_back(layer);
  }
  // One layer in `stride` at a time, so that the first ones tried are of all kinds.
  const std::size_t stride = 7;
  for (std::size_t start = 0; start < stride; ++start) {
    for (std::size_t i = start; i < layers.size(); i += stride) {
      for (const Instance& instance : kInstances) {
        if (!bench.enough()) bench.try_out(layers[i], instance);
      }
    }
  }
  return bench.finish();
}
