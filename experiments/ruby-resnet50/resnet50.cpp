// SPDX-License-Identifier: Apache-2.0
// Figure 10 of the Ruby paper with proved optima: ResNet-50 on its Eyeriss in all four spaces, and
// layer 2 of AlexNet (its Figure 9). experiments/ruby-resnet50/README.md says what is compared with
// what.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/bar_chart.h"
#include "experiments/support/demands.h"
#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "experiments/support/runs.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr std::array<SpaceKind, 4> kSpaces = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                              SpaceKind::kRuby};
constexpr std::array<const char*, 4> kSpaceNames = {"PFM", "Ruby-S", "Ruby-T", "Ruby"};
constexpr int kLayers = 24;
// Of one core, for all layers in all spaces: as the paper constrains its Eyeriss, and without that.
constexpr double kSecondsRowStationary = 3;
constexpr double kSecondsAny = 15;
// Figure 10, the whole network: Ruby-S over PFM, both by random search, row-stationary.
constexpr const char* kPaperWhole = "EDP -14 %, cycles -17 %, energy +2 %";
// Section IV.B: layer 2 of AlexNet.
constexpr double kPaperPfmUtilization = 0.71;
constexpr double kHalfPercent = 0.005;
constexpr const char* kAlexNet2 = "AlexNet 2 row-stationary";

struct LayerRuns {
  ConvLayer layer;
  std::vector<Run> runs;  // by kSpaces

  bool is_whole() const {
    return std::ranges::all_of(runs, [](const Run& run) { return run.found.has_value(); });
  }
};

// Energy and cycles of all layers, each as often as it occurs.
struct Whole {
  double energy_pj = 0;
  double cycles = 0;
  double edp() const { return energy_pj * cycles; }
};

Whole whole_network(const std::vector<LayerRuns>& layers, std::size_t space) {
  Whole whole;
  for (const LayerRuns& l : layers) {
    if (!l.is_whole()) continue;
    const double count = static_cast<double>(l.layer.count);
    whole.energy_pj += count * l.runs[space].energy_pj();
    whole.cycles += count * l.runs[space].cycles();
  }
  return whole;
}

std::string change_text(double now, double before) {
  const double change = 100 * (now / before - 1);
  return fmt::format("{:+.1f} %", std::abs(change) < 0.05 ? 0.0 : change);
}

void print_gains(const std::string& title, const std::vector<LayerRuns>& layers) {
  std::vector<Table::Column> columns = {{"layer", Table::Align::kLeft, 0}, {"times"}};
  for (std::size_t s = 1; s < kSpaces.size(); ++s) {
    columns.push_back({fmt::format("{} EDP", kSpaceNames[s]), Table::Align::kRight, 4});
    columns.push_back({"cycles"});
    columns.push_back({"energy"});
  }
  Table table(columns);
  for (const LayerRuns& l : layers) {
    std::vector<std::string> cells = {l.layer.name, fmt::format("{}", l.layer.count)};
    if (!l.is_whole()) cells.emplace_back("nothing found in a space");
    for (std::size_t s = 1; s < kSpaces.size() && l.is_whole(); ++s) {
      const char* mark = l.runs[s].proved && l.runs[0].proved ? "" : "* ";
      cells.push_back(mark + change_text(l.runs[s].score(), l.runs[0].score()));
      cells.push_back(change_text(l.runs[s].cycles(), l.runs[0].cycles()));
      cells.push_back(change_text(l.runs[s].energy_pj(), l.runs[0].energy_pj()));
    }
    table.add_row(std::move(cells));
  }
  std::vector<std::string> cells = {"whole network", ""};
  const Whole pfm = whole_network(layers, 0);
  for (std::size_t s = 1; s < kSpaces.size(); ++s) {
    const Whole whole = whole_network(layers, s);
    cells.push_back(change_text(whole.edp(), pfm.edp()));
    cells.push_back(change_text(whole.cycles, pfm.cycles));
    cells.push_back(change_text(whole.energy_pj, pfm.energy_pj));
  }
  table.add_row(std::move(cells));
  fmt::print(
      "\n{}: change against the best of PFM (*: not proved)\n\n{}\nThe paper, Ruby-S by random "
      "search: {}.\n",
      title, table.text({.width = 140}), kPaperWhole);
}

BarChart chart_of(const std::string& title, const std::vector<LayerRuns>& layers) {
  BarChart chart;
  chart.title = "ResNet-50 on Eyeriss 14 x 12, " + title + ": best EDP over PFM's";
  chart.note =
      "The best of all mappings, proved; the paper has -14 % for the whole, by random search.";
  chart.label = "EDP / EDP of PFM (less is better)";
  chart.series = {kSpaceNames[1], kSpaceNames[2], kSpaceNames[3]};
  chart.reference = 1;
  for (const LayerRuns& l : layers) {
    if (!l.is_whole()) continue;
    BarGroup group{l.layer.name, {}};
    for (std::size_t s = 1; s < 4; ++s) {
      group.values.push_back(l.runs[s].score() / l.runs[0].score());
    }
    chart.groups.push_back(std::move(group));
  }
  BarGroup whole{"whole network", {}};
  for (std::size_t s = 1; s < 4; ++s) {
    whole.values.push_back(whole_network(layers, s).edp() / whole_network(layers, 0).edp());
  }
  chart.groups.push_back(std::move(whole));
  return chart;
}

// ---- layer 2 of AlexNet ----

// The factors of the loops along an axis, by dim.
std::map<std::string, std::int64_t> factors_on(const Problem& problem, const Run& run,
                                               const std::string& axis) {
  std::map<std::string, std::int64_t> factors;
  const NodeId fanout = problem.arch().fanouts().front();
  const int wanted = axis_by_name(problem.arch().fanout(fanout), axis);
  if (!run.found) return factors;
  for (const NestNode& node : run.found->mapping.nodes()) {
    if (node.kind == NestNode::Kind::kSpatial && node.axis == wanted) {
      factors[problem.workload().dims()[node.dim.pos()].name] = node.factor;
    }
  }
  return factors;
}

std::string factors_text(const std::map<std::string, std::int64_t>& factors) {
  std::string text;
  for (const auto& [dim, factor] : factors) text += fmt::format(" {} {}", dim, factor);
  return text.empty() ? " nothing" : text;
}

void map_alexnet2(RunLog& log, Targets& targets) {
  const ConvLayer layer{.name = "AlexNet 2", .m = 96, .c = 48, .p = 27, .q = 27, .r = 5, .s = 5};
  const Problem problem(layer_workload(layer), library_arch("eyeriss"));
  const auto best = [&](SpaceKind space) {
    return log.add(problem,
                   {.instance = kAlexNet2, .space = space, .constraints = row_stationary(problem)});
  };
  const Run pfm = best(SpaceKind::kPfm);
  const Run ruby_s = best(SpaceKind::kRubyS);
  fmt::print(
      "\nLayer 2 of AlexNet, row-stationary (the paper: PFM 71 %, Ruby-S 85 % of the PEs; EDP "
      "-16 % and energy -10 % against a mapping by hand)\n\n");
  for (const Run* run : {&pfm, &ruby_s}) {
    fmt::print("  {:<6}  X:{}, Y:{}; {} of the PEs work, {} with the ragged passes\n",
               space_name(run->task.space), factors_text(factors_on(problem, *run, "X")),
               factors_text(factors_on(problem, *run, "Y")), percent_text(run->utilization.spatial),
               percent_text(run->utilization.spatial * run->utilization.edge));
  }
  if (pfm.found && ruby_s.found) {
    fmt::print("  Ruby-S against PFM: EDP {}, cycles {}, energy {}\n\n",
               change_text(ruby_s.score(), pfm.score()), change_text(ruby_s.cycles(), pfm.cycles()),
               change_text(ruby_s.energy_pj(), pfm.energy_pj()));
  }
  targets.expect(pfm.proved && ruby_s.proved, "AlexNet 2: both optima proved");
  targets.expect(std::abs(pfm.utilization.spatial - kPaperPfmUtilization) <= kHalfPercent,
                 fmt::format("AlexNet 2: PFM uses {} of the PEs, the paper says 71 %",
                             percent_text(pfm.utilization.spatial)));
  const auto expect_on_x = [&](const Run& run, std::int64_t m, std::int64_t q) {
    const std::map<std::string, std::int64_t> paper = {{"m", m}, {"q", q}};
    const auto found = factors_on(problem, run, "X");
    targets.expect(found == paper,
                   fmt::format("AlexNet 2: {} has{} on X, the paper{}", space_name(run.task.space),
                               factors_text(found), factors_text(paper)));
  };
  expect_on_x(pfm, 4, 3);
  expect_on_x(ruby_s, 2, 7);
}

// ---- all of it ----

std::vector<LayerRuns> map_layers(const RunOptions& options, bool constrained, RunLog& log) {
  std::vector<LayerRuns> all;
  for (const ConvLayer& layer :
       read_layers(read_repository_file("experiments/data/resnet50.csv"))) {
    const std::string name = layer.name + (constrained ? " row-stationary" : "");
    if (!options.wants(name)) continue;
    if (options.quick && layer.name != "fc" && layer.name != "conv5_1.conv3_1x1") continue;
    const Problem problem(layer_workload(layer), library_arch("eyeriss"));
    LayerRuns runs{layer, {}};
    for (const SpaceKind space : kSpaces) {
      runs.runs.push_back(log.add(
          problem,
          {.instance = name,
           .space = space,
           .constraints = constrained ? row_stationary(problem) : std::vector<Constraint>{}}));
    }
    all.push_back(std::move(runs));
  }
  return all;
}

struct Total {
  int proved = 0;
  int count = 0;
  double seconds = 0;
};

Total judge(const std::string& title, const std::vector<LayerRuns>& layers,
            const RunOptions& options, Targets& targets) {
  Total all;
  if (layers.empty()) return all;
  print_gains(title, layers);
  fmt::print("\n");
  for (std::size_t s = 0; s < kSpaces.size(); ++s) {
    std::vector<Run> runs;
    double seconds = 0;
    for (const LayerRuns& l : layers) {
      runs.push_back(l.runs[s]);
      seconds += l.runs[s].seconds;
    }
    const Summary sum = summarize(runs);
    fmt::print(
        "{:<6}  {} of {} proved in {:.3f} s together, {:.4f} s geometric mean, at most {:.3f} s\n",
        kSpaceNames[s], sum.proved, sum.count, seconds, sum.geomean_seconds, sum.most_seconds);
    targets.count(fmt::format("{}, {}: layers proved", title, kSpaceNames[s]), sum.proved,
                  sum.count, kLayers, options);
    all.proved += sum.proved;
    all.count += sum.count;
    all.seconds += seconds;
  }
  return all;
}

std::string whole_text(const std::vector<LayerRuns>& layers) {
  std::string text;
  for (std::size_t s = 1; s < kSpaces.size() && !layers.empty(); ++s) {
    text +=
        fmt::format("{}{} {}", s > 1 ? ", " : "", kSpaceNames[s],
                    change_text(whole_network(layers, s).edp(), whole_network(layers, 0).edp()));
  }
  return text;
}

int run(const RunOptions& options, const std::string& out) {
  RunLog log(options);
  Targets targets;
  const std::vector<LayerRuns> rows = map_layers(options, true, log);
  const std::vector<LayerRuns> free = map_layers(options, false, log);
  if (options.wants(kAlexNet2)) map_alexnet2(log, targets);
  const Total paper = judge("Row-stationary", rows, options, targets);
  if (!options.quick && !rows.empty()) {
    targets.at_most("Row-stationary: all spaces together in s", paper.seconds,
                    kSecondsRowStationary);
  }
  const Total any = judge("Any mapping", free, options, targets);
  if (!options.quick && !free.empty()) {
    targets.at_most("Any mapping: all spaces together in s", any.seconds, kSecondsAny);
  }
  fmt::print("\n");
  const int code = targets.print();
  log.write_csv();
  const OutputFolder folder(out);
  if (!rows.empty()) folder.write("row-stationary.svg", to_svg(chart_of("row-stationary", rows)));
  if (!free.empty()) folder.write("any.svg", to_svg(chart_of("any mapping", free)));
  fmt::print(
      "ruby-resnet50: row-stationary {} of {} optima proved in {:.2f} s, any mapping {} of {} in "
      "{:.2f} s; EDP of the whole against PFM: {}; {} (the paper: row-stationary Ruby-S -14 %)\n",
      paper.proved, paper.count, paper.seconds, any.proved, any.count, any.seconds,
      whole_text(rows), whole_text(free));
  return code;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments(
      "ResNet-50 on the Ruby paper's Eyeriss: proved optima of four spaces");
  tilewright::RunOptions options;
  options.add_to(arguments);
  std::string out;
  arguments.option("--out", out, "folder for row-stationary.svg and any.svg");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(options, out);
}
