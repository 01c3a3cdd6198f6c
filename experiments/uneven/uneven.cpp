// SPDX-License-Identifier: Apache-2.0
// What it is worth to keep the tensors of one memory at different points of the nest: the best
// mapping with even and with uneven placement, both proved, on GOMA's products, QuickFlow's kernels
// and ResNet-50 with buffers of 2 to 512 KiB. experiments/uneven/README.md says what is compared.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/csv.h"
#include "experiments/support/gemms.h"
#include "experiments/support/layers.h"
#include "experiments/support/line_chart.h"
#include "experiments/support/program.h"
#include "experiments/support/runs.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapper/map.h"

namespace tilewright {
namespace {

constexpr std::array<const char*, 2> kObjectives = {"energy", "edp"};
constexpr std::array<const char*, 2> kSweptArchs = {"eyeriss", "goma-gemmini"};
constexpr std::array<const char*, 3> kQuickflowArchs = {"quickflow-eyeriss", "quickflow-simba",
                                                        "quickflow-tpu"};
constexpr int kLeastKib = 2;
constexpr int kMostKib = 512;
constexpr double kSame = 1e-9;  // figures nearer than this share are equal

// The best with one placement.
struct Outcome {
  bool found = false;
  bool proved = false;
  double score = std::numeric_limits<double>::infinity();
  double seconds = 0;  // CPU
};

// One problem with both.
struct Compared {
  std::string suite;
  std::string instance;  // begins with the accelerator
  std::string objective;
  double count = 1;  // how often the layer occurs
  int kib = 0;       // of the swept buffer; 0: not swept
  Outcome even;
  Outcome uneven;

  std::string arch() const { return instance.substr(0, instance.find(' ')); }
  bool is_proved() const { return even.proved && uneven.proved; }
  // Every even mapping is an uneven one too, so that the better of both is the best known.
  double best() const { return std::min(even.score, uneven.score); }
  double gain() const { return even.found ? 1 - best() / even.score : 0; }
};

Outcome solve(const Problem& problem, const std::string& placement, const std::string& objective,
              double limit) {
  MapRequest request;
  request.space = "pfm";
  request.placement = placement;
  request.objective = {objective, objective_by_name(objective).value()};
  request.count = false;
  request.threads = 1;
  std::atomic<bool> stop{false};
  const double start = cpu_seconds();
  request.stop = &stop;
  request.progress = [&](const MapProgress&) { stop = stop || cpu_seconds() - start >= limit; };
  const MapResult result = map(problem, request);
  Outcome outcome;
  outcome.seconds = cpu_seconds() - start;
  outcome.proved = result.status == Status::kProved || result.status == Status::kInfeasible;
  if (result.search.best) {
    outcome.found = true;
    outcome.score = result.search.best->score;
  }
  return outcome;
}

class Comparison {
 public:
  explicit Comparison(const RunOptions& options) : options_(options) {}

  void add(const Problem& problem, Compared row) {
    if (!options_.wants(row.suite + " " + row.instance)) return;
    for (const std::string objective : kObjectives) {
      row.objective = objective;
      row.even = solve(problem, "even", objective, options_.seconds());
      row.uneven = solve(problem, "uneven", objective, options_.seconds());
      fmt::print("{:<16} {:<44} {:<6} {:>7}  {:>7.3f} s {:>8.3f} s{}\n", row.suite, row.instance,
                 objective, percent_text(row.gain()), row.even.seconds, row.uneven.seconds,
                 row.is_proved() ? "" : "  open");
      rows_.push_back(row);
    }
  }

  const std::vector<Compared>& rows() const { return rows_; }

 private:
  const RunOptions& options_;
  std::vector<Compared> rows_;
};

void add_goma(const RunOptions& options, Comparison& all) {
  const std::map<std::string, std::vector<std::string>> templates = {
      {"edge", {"goma-eyeriss", "goma-gemmini"}}, {"center", {"goma-a100", "goma-tpu"}}};
  std::set<std::pair<std::string, Gemm>> known;
  for (const CsvRow& row : read_csv(read_repository_file("experiments/data/goma.csv"),
                                    "class,model,tokens,gemm,m,n,k,count")) {
    const Gemm gemm{.m = row.whole(4), .n = row.whole(5), .k = row.whole(6)};
    for (const std::string& arch : templates.at(row.text(0))) {
      if (!known.emplace(arch, gemm).second) continue;
      if (options.quick && known.size() > 2) return;
      const Problem problem(gemm_workload("gemm", gemm), library_arch(arch));
      all.add(problem, {.suite = "goma",
                        .instance = fmt::format("{} {}x{}x{}", arch, gemm.m, gemm.n, gemm.k)});
    }
  }
}

void add_quickflow(Comparison& all) {
  for (const std::string arch : kQuickflowArchs) {
    for (const ConvLayer& layer :
         read_layers(read_repository_file("experiments/data/quickflow.csv"))) {
      const Problem problem(layer_workload(layer), library_arch(arch));
      all.add(problem, {.suite = "quickflow", .instance = fmt::format("{} {}", arch, layer.name)});
    }
  }
}

void add_resnet50(const RunOptions& options, Comparison& all) {
  const auto layers = read_layers(read_repository_file("experiments/data/resnet50.csv"));
  for (const std::string name : kSweptArchs) {
    for (int kib = kLeastKib; kib <= kMostKib; kib *= 2) {
      if (options.quick && kib > kLeastKib) continue;
      const Arch arch = with_figures(library_arch(name), {fmt::format("GLB.capacity={} KiB", kib)});
      for (const ConvLayer& layer : layers) {
        if (options.quick && layer.name != "conv2_1.conv1_1x1") continue;
        all.add(Problem(layer_workload(layer), arch),
                {.suite = "resnet50",
                 .instance = fmt::format("{} {} KiB {}", name, kib, layer.name),
                 .count = static_cast<double>(layer.count),
                 .kib = kib});
      }
    }
  }
}

// Rows of one group, summed up.
struct Total {
  int count = 0;
  int proved = 0;
  int better = 0;
  std::vector<double> ratios;
  const Compared* most = nullptr;
  double even_seconds = 0;
  double uneven_seconds = 0;

  void add(const Compared& row) {
    ++count;
    even_seconds += row.even.seconds;
    uneven_seconds += row.uneven.seconds;
    if (!row.is_proved()) return;
    ++proved;
    if (!row.even.found) return;
    if (row.gain() > kSame) ++better;
    ratios.push_back(1 - row.gain());
    if (most == nullptr || row.gain() > most->gain()) most = &row;
  }
};

// "goma goma-tpu", "resnet50 eyeriss 4 KiB".
std::string group_of(const Compared& row) {
  return row.kib > 0 ? fmt::format("{} {} {:>3} KiB", row.suite, row.arch(), row.kib)
                     : fmt::format("{} {}", row.suite, row.arch());
}

std::vector<std::pair<std::string, Total>> totals(const std::vector<Compared>& rows) {
  std::vector<std::pair<std::string, Total>> found;
  for (const Compared& row : rows) {
    const std::string group = fmt::format("{}, {}", group_of(row), row.objective);
    auto place = std::ranges::find(found, group, &std::pair<std::string, Total>::first);
    if (place == found.end()) place = found.insert(found.end(), {group, {}});
    place->second.add(row);
  }
  return found;
}

void print_totals(const std::vector<Compared>& rows) {
  Table table({{"group", Table::Align::kLeft, 0},
               {"problems"},
               {"both proved"},
               {"uneven better"},
               {"mean gain"},
               {"largest"},
               {"CPU even"},
               {"CPU uneven"}});
  for (const auto& [group, total] : totals(rows)) {
    table.add_row({group, fmt::format("{}", total.count), fmt::format("{}", total.proved),
                   fmt::format("{}", total.better),
                   total.ratios.empty() ? "" : percent_text(1 - geomean(total.ratios)),
                   total.most == nullptr ? "" : percent_text(total.most->gain()),
                   fmt::format("{:.2f} s", total.even_seconds),
                   fmt::format("{:.2f} s", total.uneven_seconds)});
  }
  fmt::print("\nWhat uneven placement adds, perfect factors\n\n{}\n", table.text({.width = 120}));
}

// How much of the network's energy, or of the mean EDP of its layers, is saved at each size.
LineChart chart_of(const std::vector<Compared>& rows) {
  std::map<std::tuple<std::string, std::string, int>, std::pair<double, double>> sums;
  for (const Compared& row : rows) {
    if (row.kib == 0 || !row.even.found) continue;
    auto& [even, best] = sums[{row.arch(), row.objective, row.kib}];
    even += row.count * row.even.score;
    best += row.count * row.best();
  }
  std::map<std::pair<std::string, std::string>, ChartSeries> series;
  for (const auto& [key, sum] : sums) {
    const auto& [arch, objective, kib] = key;
    ChartSeries& line = series[{arch, objective}];
    line.name = fmt::format("{}, {}", arch, objective);
    line.style = ChartSeries::Style::kLineAndDots;
    line.points.push_back({static_cast<double>(kib), 100 * (1 - sum.second / sum.first)});
  }
  LineChart chart;
  chart.title = "What uneven placement saves on ResNet-50";
  chart.note =
      "Sum over the layers, each as often as it occurs; the best mapping of every layer with\n"
      "perfect factors, with even and with uneven placement.";
  chart.x = {.label = "buffer, KiB", .log = true};
  chart.y = {.label = "saved, %", .least = 0};
  for (auto& [key, line] : series) chart.series.push_back(std::move(line));
  return chart;
}

std::string csv_of(const std::vector<Compared>& rows) {
  std::string text =
      "suite,instance,objective,count,even,even_proved,even_s,uneven,uneven_proved,uneven_s\n";
  for (const Compared& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{:.6f},{},{},{:.6f}\n", row.suite, row.instance,
                        row.objective, row.count, row.even.score, row.even.proved ? 1 : 0,
                        row.even.seconds, row.uneven.score, row.uneven.proved ? 1 : 0,
                        row.uneven.seconds);
  }
  return text;
}

int judge(const std::vector<Compared>& rows, const RunOptions& options) {
  Total all;
  int wrong = 0;
  for (const Compared& row : rows) {
    all.add(row);
    if (row.uneven.proved && row.uneven.score > row.even.score * (1 + kSame)) ++wrong;
  }
  Targets targets;
  targets.expect(wrong == 0, fmt::format("uneven placement is never worse: {} are", wrong));
  if (!options.is_partial()) {
    targets.at_least("share of problems with both optima proved",
                     static_cast<double>(all.proved) / all.count, 0.9);
  }
  const int code = targets.print();
  fmt::print(
      "uneven-worth: {} problems, {} with both optima proved; uneven placement is better on {}, by "
      "{} on average over all, at most {}; {:.1f} times the CPU time\n",
      all.count, all.proved, all.better,
      all.ratios.empty() ? "0 %" : percent_text(1 - geomean(all.ratios)),
      all.most == nullptr ? "0 %" : percent_text(all.most->gain()),
      all.uneven_seconds / std::max(all.even_seconds, 1e-6));
  return code;
}

int run(const RunOptions& options, const std::string& out) {
  Comparison all(options);
  add_goma(options, all);
  if (!options.quick) add_quickflow(all);
  add_resnet50(options, all);
  print_totals(all.rows());
  const OutputFolder folder(out);
  const LineChart chart = chart_of(all.rows());
  if (!chart.series.empty()) folder.write("resnet50.svg", to_svg(chart));
  if (!options.csv.empty()) {
    std::ofstream file(options.csv, std::ios::binary);
    file << csv_of(all.rows());
    if (!file) throw std::runtime_error("cannot write " + options.csv);
  }
  return judge(all.rows(), options);
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("What uneven placement is worth");
  tilewright::RunOptions options;
  options.limit = 20;
  options.add_to(arguments);
  std::string out;
  arguments.option("--out", out, "folder for resnet50.svg");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(options, out);
}
