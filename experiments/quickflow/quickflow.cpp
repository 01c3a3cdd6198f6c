// SPDX-License-Identifier: Apache-2.0
// QuickFlow's twenty convolutions on its three accelerators at their real depth: the best mapping
// proved, with perfect factors and with remainders in space, and how near local search comes.
// experiments/quickflow/README.md says what is compared with what.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "experiments/support/runs.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr std::array<const char*, 3> kArchs = {"quickflow-eyeriss", "quickflow-simba",
                                               "quickflow-tpu"};
constexpr int kPerfectProved = 60;
constexpr int kRubySProved = 58;
constexpr double kLocalNear = 58.0 / 60;  // of the kernels, as the mean of the seeds
constexpr double kNear = 0.01;
constexpr std::uint64_t kSeeds = 5;  // of local search with perfect factors; one for a part
constexpr double kLocalSeconds = 3;
constexpr double kPaperSeconds = 3.8;  // a kernel, 8 threads, nothing proved

struct Solved {
  std::string arch;
  Run perfect;
  Run ruby_s;
  std::vector<Run> local;  // by seed
  std::vector<Run> local_ruby_s;
};

using Runs = std::vector<Run> Solved::*;

// Whether `local` is within 1 % of the best there is. The bound is the best itself if it is proved.
bool is_near(const Run& local, const Run& best) {
  return local.found && local.score() <= (1 + kNear) * best.bound;
}

// A kernel whose perfect optimum is quickly proved.
bool is_quick(const ConvLayer& layer, const std::string& arch) {
  return arch == "quickflow-eyeriss" && layer.name == "XI";
}

// Those of one accelerator; all of them if `arch` is empty.
auto on(std::string_view arch) {
  return std::views::filter(
      [arch](const Solved& solved) { return arch.empty() || solved.arch == arch; });
}

std::vector<Run> pick(const std::vector<Solved>& all, Run Solved::*run, const std::string& arch) {
  std::vector<Run> runs;
  for (const Solved& solved : all | on(arch)) runs.push_back(solved.*run);
  return runs;
}

std::vector<Run> pick_local(const std::vector<Solved>& all, Runs runs, const std::string& arch) {
  std::vector<Run> picked;
  for (const Solved& solved : all | on(arch)) {
    picked.insert(picked.end(), (solved.*runs).begin(), (solved.*runs).end());
  }
  return picked;
}

// Kernels, as the mean of the seeds.
double count_near(const std::vector<Solved>& all, Runs local, Run Solved::*best,
                  const std::string& arch = "") {
  double near = 0;
  for (const Solved& solved : all | on(arch)) {
    const std::vector<Run>& seeds = solved.*local;
    const auto found =
        std::ranges::count_if(seeds, [&](const Run& run) { return is_near(run, solved.*best); });
    near += static_cast<double>(found) / static_cast<double>(seeds.size());
  }
  return near;
}

// The best of the seeds.
double best_score(const std::vector<Run>& seeds) {
  return std::ranges::min(seeds, {}, &Run::score).score();
}

void print_proofs(const std::vector<Solved>& all) {
  Table table({{"space", Table::Align::kLeft, 0},
               {"accelerator", Table::Align::kLeft},
               {"proved"},
               {"of"},
               {"geomean CPU"},
               {"most CPU"},
               {"worst gap"},
               {"local within 1 %", Table::Align::kRight, 4},
               {"geomean CPU"},
               {"most CPU"}});
  const auto add = [&](const char* name, const std::string& arch, Run Solved::*best, Runs local) {
    const Summary proofs = summarize(pick(all, best, arch));
    const Summary locals = summarize(pick_local(all, local, arch));
    if (proofs.count == 0) return;
    table.add_row({name, arch.empty() ? "all" : arch, fmt::format("{}", proofs.proved),
                   fmt::format("{}", proofs.count), fmt::format("{:.4f} s", proofs.geomean_seconds),
                   fmt::format("{:.3f} s", proofs.most_seconds), percent_text(proofs.worst_gap),
                   fmt::format("{:.1f}", count_near(all, local, best, arch)),
                   fmt::format("{:.4f} s", locals.geomean_seconds),
                   fmt::format("{:.3f} s", locals.most_seconds)});
  };
  for (const std::string arch : {kArchs[0], kArchs[1], kArchs[2], ""}) {
    add("perfect", arch, &Solved::perfect, &Solved::local);
  }
  for (const std::string arch : {kArchs[0], kArchs[1], kArchs[2], ""}) {
    add("Ruby-S", arch, &Solved::ruby_s, &Solved::local_ruby_s);
  }
  fmt::print("\nProofs, and local search beside them\n\n{}\n", table.text({.width = 140}));
}

void print_resisting(const std::vector<Solved>& all) {
  Table table({{"not proved", Table::Align::kLeft, 0},
               {"space", Table::Align::kLeft},
               {"gap"},
               {"local over the bound"}});
  int rows = 0;
  const auto add = [&](const Run& best, const std::vector<Run>& local) {
    if (best.proved) return;
    ++rows;
    table.add_row({best.task.instance, std::string(space_name(best.task.space)),
                   percent_text(best.gap()),
                   best.bound > 0 ? ratio_text(best_score(local) / best.bound) : ""});
  };
  for (const Solved& solved : all) add(solved.perfect, solved.local);
  for (const Solved& solved : all) add(solved.ruby_s, solved.local_ruby_s);
  if (rows > 0) fmt::print("{}\n", table.text({.width = 140}));
}

// What remainders in space are worth, where both optima are proved.
void print_gain(const std::vector<Solved>& all) {
  std::vector<double> gains;
  for (const Solved& solved : all) {
    if (solved.perfect.proved && solved.ruby_s.proved && solved.perfect.found) {
      gains.push_back(solved.ruby_s.score() / solved.perfect.score());
    }
  }
  if (gains.empty()) return;
  fmt::print(
      "Ruby-S over perfect, EDP, where both are proved ({}): geometric mean {:.3f}, best "
      "{:.3f}.\n\n",
      gains.size(), geomean(gains), std::ranges::min(gains));
}

int judge(const std::vector<Solved>& all, const RunOptions& options) {
  const Summary perfect = summarize(pick(all, &Solved::perfect, ""));
  const Summary ruby_s = summarize(pick(all, &Solved::ruby_s, ""));
  const Summary local = summarize(pick_local(all, &Solved::local, ""));
  const double near = count_near(all, &Solved::local, &Solved::perfect);
  Targets targets;
  targets.count("perfect: proved", perfect.proved, perfect.count, kPerfectProved, options);
  if (!options.quick) {
    targets.count("Ruby-S: proved", ruby_s.proved, ruby_s.count, kRubySProved, options);
  }
  targets.at_least("local, perfect: share within 1 % of the best", near / perfect.count,
                   kLocalNear);
  if (!options.quick) {
    targets.at_most("local, perfect: geometric mean in s", local.geomean_seconds, kLocalSeconds);
  }
  int wrong = 0;
  for (const Solved& s : all) {
    wrong += best_score(s.local) < s.perfect.bound * (1 - 1e-9) ? 1 : 0;
    wrong += best_score(s.local_ruby_s) < s.ruby_s.bound * (1 - 1e-9) ? 1 : 0;
    wrong += s.ruby_s.bound > s.perfect.score() * (1 + 1e-9) ? 1 : 0;
  }
  targets.expect(wrong == 0, fmt::format("no search beats a bound: {} do", wrong));
  const int code = targets.print();
  fmt::print(
      "quickflow: perfect {} of {} proved, {:.4f} s geometric mean, at most {:.2f} s; Ruby-S {} of "
      "{}; local within 1 % in {:.1f}, {:.4f} s geometric mean; QuickFlow {} s, nothing proved\n",
      perfect.proved, perfect.count, perfect.geomean_seconds, perfect.most_seconds, ruby_s.proved,
      ruby_s.count, near, local.geomean_seconds, kPaperSeconds);
  return code;
}

int run(const RunOptions& options) {
  RunLog log(options);
  std::vector<Solved> all;
  const std::uint64_t seeds = options.is_partial() ? 1 : kSeeds;
  for (const std::string arch : kArchs) {
    for (const ConvLayer& layer :
         read_layers(read_repository_file("experiments/data/quickflow.csv"))) {
      const std::string name = fmt::format("{} {}", arch, layer.name);
      // A blank after the name tells `II` from `III`.
      if (!options.wants(name + " ") || (options.quick && !is_quick(layer, arch))) continue;
      const Problem problem(layer_workload(layer), library_arch(arch));
      Solved solved;
      solved.arch = arch;
      solved.perfect = log.add(problem, {.instance = name});
      solved.ruby_s = log.add(problem, {.instance = name, .space = SpaceKind::kRubyS});
      Task local{.instance = name, .mapper = Mapper::kLocal};
      for (local.seed = 1; local.seed <= seeds; ++local.seed) {
        solved.local.push_back(log.add(problem, local));
      }
      solved.local_ruby_s.push_back(log.add(
          problem, {.instance = name, .space = SpaceKind::kRubyS, .mapper = Mapper::kLocal}));
      all.push_back(std::move(solved));
    }
  }
  print_proofs(all);
  print_resisting(all);
  print_gain(all);
  log.write_csv();
  return judge(all, options);
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("QuickFlow's twenty kernels on its three accelerators");
  tilewright::RunOptions options;
  options.add_to(arguments);
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(options);
}
