// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr double kShortest = 1e-6;  // std::clock() counts microseconds

constexpr double kQuickLimit = 10;

std::string verdict(const Run& run) {
  if (!run.found) return run.proved ? "none fits" : "nothing";
  if (run.proved) return "proved";
  if (run.task.mapper != Mapper::kOptimal) return "";
  return fmt::format("gap {}", percent_text(run.gap()));
}

void print_row(const Run& run) {
  fmt::print("{:<44} {:<6} {:<7} {:<8} {:<11} {:>10.4f} s {:>12} {:>13}\n", run.task.instance,
             space_name(run.task.space), run.task.objective, mapper_name(run.task.mapper),
             verdict(run), run.seconds, run.nodes,
             run.found ? fmt::format("{:.6e}", run.score()) : "");
  std::fflush(stdout);
}

}  // namespace

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void RunOptions::add_to(Arguments& arguments) {
  arguments.flag("--quick", quick, "a few instances, at most 10 s each; nothing is timed");
  arguments.option("--limit", limit, "CPU seconds for each search", kShortest);
  arguments.option("--only", only, "only instances whose name contains this");
  arguments.option("--csv", csv, "file for all searches");
}

double RunOptions::seconds() const { return quick ? std::min(limit, kQuickLimit) : limit; }

bool RunOptions::wants(std::string_view instance) const {
  return instance.find(only) != std::string_view::npos;
}

double Run::score() const { return found ? found->score : std::numeric_limits<double>::infinity(); }

double Run::gap() const {
  if (proved) return 0;
  if (!found || bound <= 0) return 1;
  return std::clamp(1 - bound / found->score, 0.0, 1.0);
}

double Run::energy_pj() const { return found.value().evaluation.energy_pj; }

double Run::cycles() const { return static_cast<double>(found.value().evaluation.cycles); }

Run run_search(const Problem& problem, const Task& task, double limit) {
  std::atomic<bool> stop{false};
  const double start = cpu_seconds();
  SearchOptions options;
  options.objective = objective_by_name(task.objective).value();
  options.threads = 1;
  options.seed = task.seed;
  options.barren = 2'000'000;
  options.stop = &stop;
  // CPU time, because others may be using the machine.
  options.progress = [&](const Progress&) { stop = stop || cpu_seconds() - start >= limit; };
  const Rules rules = make_rules(problem, task.space, task.constraints);
  SearchResult result = search(problem, rules, task.mapper, options);

  Run run;
  run.task = task;
  run.seconds = std::max(cpu_seconds() - start, kShortest);
  run.proved = result.ending == Ending::kExhausted;
  run.nodes = task.mapper == Mapper::kOptimal ? result.nodes : result.seen;
  run.bound = result.bound.value_or(0);
  run.found = std::move(result.best);
  if (run.found) {
    run.utilization = utilization(run.found->evaluation, problem.arch().compute_units());
    if (run.proved) run.bound = run.found->score;
  }
  return run;
}

Run RunLog::add(const Problem& problem, Task task) {
  if (runs_.empty()) {
    fmt::print("{:<44} {:<6} {:<7} {:<8} {:<11} {:>12} {:>12} {:>13}\n", "instance", "space",
               "best in", "mapper", "", "CPU", "nodes", "score");
  }
  Run run = run_search(problem, task, options_.seconds());
  print_row(run);
  runs_.push_back(run);
  return run;
}

void RunLog::write_csv() const {
  if (options_.csv.empty()) return;
  std::ofstream file(options_.csv, std::ios::binary);
  file << "instance,space,objective,mapper,seed,proved,cpu_s,nodes,score,bound,energy_pj,cycles,"
          "utilization\n";
  for (const Run& run : runs_) {
    file << fmt::format("{},{},{},{},{},{},{:.6f},{},", run.task.instance,
                        space_name(run.task.space), run.task.objective,
                        mapper_name(run.task.mapper), run.task.seed, run.proved ? 1 : 0,
                        run.seconds, run.nodes);
    file << (run.found
                 ? fmt::format("{:.17g},{:.17g},{:.17g},{},{:.6f}\n", run.score(), run.bound,
                               run.energy_pj(), run.found->evaluation.cycles, run.utilization.total)
                 : std::string(",,,,\n"));
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + options_.csv);
  fmt::print("wrote {}\n", options_.csv);
}

Summary summarize(std::span<const Run> runs) {
  Summary summary{static_cast<int>(runs.size())};
  std::vector<double> seconds;
  for (const Run& run : runs) {
    seconds.push_back(run.seconds);
    summary.proved += run.proved ? 1 : 0;
    summary.most_seconds = std::max(summary.most_seconds, run.seconds);
    summary.worst_gap = std::max(summary.worst_gap, run.gap());
  }
  summary.geomean_seconds = geomean(seconds);
  return summary;
}

double geomean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    TW_CHECK(value > 0, "a geometric mean is of positive numbers");
    sum += std::log(value);
  }
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void Targets::at_least(std::string_view what, double measured, double wanted) {
  expect(measured >= wanted, fmt::format("{}: {:.4g}, at least {:g}", what, measured, wanted));
}

void Targets::at_most(std::string_view what, double measured, double wanted) {
  expect(measured <= wanted, fmt::format("{}: {:.4g}, at most {:g}", what, measured, wanted));
}

void Targets::count(std::string_view what, int measured, int all, int wanted,
                    const RunOptions& options) {
  if (options.is_partial() && all == 0) return;
  const int least = options.is_partial() ? all : wanted;
  expect(measured >= least && all > 0,
         fmt::format("{}: {} of {}, at least {}", what, measured, all, least));
}

void Targets::expect(bool holds, std::string_view what) {
  targets_.push_back({std::string(what), holds});
}

int Targets::print() const {
  fmt::print("targets\n");
  for (const Target& target : targets_) {
    fmt::print("  {:<6}  {}\n", target.held ? "held" : "MISSED", target.text);
  }
  return std::ranges::all_of(targets_, &Target::held) ? 0 : 1;
}

}  // namespace tilewright
