// SPDX-License-Identifier: Apache-2.0
// Figures 10, 11 and 12 of the Ruby paper with proved optima: ResNet-50 and DeepBench on its
// Eyeriss, ResNet-50 on its two Simbas, PFM against Ruby-S. experiments/ruby/README.md says what is
// compared with what.
#include <fmt/format.h>

#include <algorithm>
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
#include "tilewright/network/network.h"

namespace tilewright {
namespace {

using Rule = std::vector<Constraint> (*)(const Problem&);

// A layer, what it is for, and how often it occurs.
struct Item {
  std::string name;
  std::string domain;
  std::int64_t count = 1;
  Workload workload;
};

// One figure: layers on an accelerator.
struct Figure {
  std::string name;  // "fig10"
  std::string title;
  std::string arch;
  std::string objective;
  Rule rule;
  bool whole;         // the layers make up a network
  std::string paper;  // its headline
};

struct Pair {
  Item item;
  Run pfm;
  Run ruby;

  bool found() const { return pfm.found && ruby.found; }
  bool proved() const { return pfm.proved && ruby.proved; }
  double ratio() const { return ruby.score() / pfm.score(); }
  // Where a search was cut short: the ratio of the true optima lies in this range.
  double least() const { return ruby.bound / pfm.score(); }
  double most() const { return pfm.bound > 0 ? ruby.score() / pfm.bound : 1; }
};

std::string change_text(double ratio) {
  const double change = 100 * (ratio - 1);
  return fmt::format("{:+.1f} %", std::abs(change) < 0.05 ? 0.0 : change);
}

struct Whole {
  double energy_pj = 0;
  double cycles = 0;
  double edp() const { return energy_pj * cycles; }
};

Whole sum(const std::vector<Pair>& pairs, Run Pair::*run) {
  Whole whole;
  for (const Pair& pair : pairs) {
    if (!pair.found()) continue;
    const double count = static_cast<double>(pair.item.count);
    whole.energy_pj += count * (pair.*run).energy_pj();
    whole.cycles += count * (pair.*run).cycles();
  }
  return whole;
}

// What a figure comes to.
struct Headline {
  double score = 1;  // over PFM's: of the whole network, or the mean over the layers
  double cycles = 1;
  double energy = 1;
  double least = 1;  // of the score, of one layer
  int proved = 0;    // optima
  int all = 0;
  int none = 0;  // layers without a mapping
};

Headline headline(const Figure& figure, const std::vector<Pair>& pairs) {
  Headline result;
  double score = 0;
  double cycles = 0;
  double energy = 0;
  int found = 0;
  for (const Pair& pair : pairs) {
    if (!pair.found()) {
      ++result.none;
      continue;
    }
    result.all += 2;
    result.proved += (pair.pfm.proved ? 1 : 0) + (pair.ruby.proved ? 1 : 0);
    ++found;
    score += pair.ratio();
    cycles += pair.ruby.cycles() / pair.pfm.cycles();
    energy += pair.ruby.energy_pj() / pair.pfm.energy_pj();
    result.least = std::min(result.least, pair.ratio());
  }
  if (found == 0) return result;
  result.score = score / found;
  result.cycles = cycles / found;
  result.energy = energy / found;
  if (!figure.whole) return result;
  const Whole pfm = sum(pairs, &Pair::pfm);
  const Whole ruby = sum(pairs, &Pair::ruby);
  result.score = ruby.edp() / pfm.edp();
  result.cycles = ruby.cycles / pfm.cycles;
  result.energy = ruby.energy_pj / pfm.energy_pj;
  return result;
}

// Of mappings that are equally fast any may be taken, so that only an EDP says something of energy.
bool shows_energy(const Figure& figure) { return figure.objective == "edp"; }

std::string headline_text(const Figure& figure, const Headline& h) {
  if (!shows_energy(figure)) {
    return fmt::format("cycles {}, best layer {}", change_text(h.cycles), change_text(h.least));
  }
  return fmt::format("EDP {}, cycles {}, energy {}, best layer {}", change_text(h.score),
                     change_text(h.cycles), change_text(h.energy), change_text(h.least));
}

void print_table(const Figure& figure, const std::vector<Pair>& pairs) {
  Table table({{"layer", Table::Align::kLeft, 0},
               {"times"},
               {figure.objective},
               {"cycles"},
               {"energy"},
               {"PFM util"},
               {"Ruby-S util"},
               {"", Table::Align::kLeft}});
  for (const Pair& pair : pairs) {
    std::vector<std::string> cells = {pair.item.name, fmt::format("{}", pair.item.count)};
    if (!pair.found()) {
      cells.emplace_back("no mapping");
      table.add_row(std::move(cells));
      continue;
    }
    cells.push_back(change_text(pair.ratio()));
    cells.push_back(change_text(pair.ruby.cycles() / pair.pfm.cycles()));
    cells.push_back(change_text(pair.ruby.energy_pj() / pair.pfm.energy_pj()));
    cells.push_back(percent_text(pair.pfm.utilization.total));
    cells.push_back(percent_text(pair.ruby.utilization.total));
    cells.push_back(pair.proved() ? ""
                                  : fmt::format("not proved: {} to {}", change_text(pair.least()),
                                                change_text(pair.most())));
    table.add_row(std::move(cells));
  }
  fmt::print("\n{}: Ruby-S against PFM\n\n{}", figure.title, table.text({.width = 140}));
}

// Means of each domain of DeepBench, as the paper's figure groups them.
std::vector<std::pair<std::string, std::vector<Pair>>> by_domain(const std::vector<Pair>& pairs) {
  std::map<std::string, std::vector<Pair>> groups;
  for (const Pair& pair : pairs) groups[pair.item.domain].push_back(pair);
  return {groups.begin(), groups.end()};
}

BarChart chart_of(const Figure& figure, const std::vector<Pair>& pairs) {
  BarChart chart;
  chart.title = figure.title + ": best of Ruby-S over best of PFM";
  const Headline all = headline(figure, pairs);
  chart.note = fmt::format("{} of {} optima proved. The paper, by random search: {}.", all.proved,
                           all.all, figure.paper);
  chart.label = "Ruby-S / PFM (less is better)";
  chart.series = shows_energy(figure) ? std::vector<std::string>{"EDP", "cycles", "energy"}
                                      : std::vector<std::string>{"cycles"};
  chart.reference = 1;
  const auto add = [&](const std::string& name, const Headline& h) {
    chart.groups.push_back({name, shows_energy(figure)
                                      ? std::vector<double>{h.score, h.cycles, h.energy}
                                      : std::vector<double>{h.cycles}});
  };
  if (figure.whole) {
    for (const Pair& pair : pairs) {
      if (pair.found()) add(pair.item.name, headline(figure, {pair}));
    }
    add("whole network", all);
  } else {
    for (const auto& [domain, some] : by_domain(pairs)) {
      const Headline mean = headline(figure, some);
      if (mean.all > 0) add(fmt::format("{} ({})", domain, mean.all / 2), mean);
    }
    add("mean of all", all);
  }
  return chart;
}

// ---- the layers ----

std::vector<Item> resnet50(bool quick) {
  std::vector<Item> items;
  for (const ConvLayer& layer :
       read_layers(read_repository_file("experiments/data/resnet50.csv"))) {
    if (quick && layer.name != "fc" && layer.name != "conv5_1.conv3_1x1") continue;
    items.push_back({layer.name, "vision", layer.count, layer_workload(layer)});
  }
  return items;
}

// One of each shape: the suite has the same for several devices and passes. A matrix product is a
// convolution of one pixel.
std::vector<Item> deepbench(bool quick) {
  std::vector<Item> items;
  for (const char* name : {"deepbench-conv", "deepbench-gemm"}) {
    for (const Layer& layer : library_network(name).layers) {
      const Workload& workload = layer.workload.value();
      Item item{(workload.dims().size() == 3 ? "gemm-" : "conv-") + layer.name, layer.domain, 1,
                workload};
      if (workload.dims().size() == 3) {
        const auto size = [&](const char* dim) {
          return workload.dim(workload.find_dim(dim).value()).size;
        };
        item.workload =
            layer_workload({.name = layer.name, .n = size("n"), .m = size("m"), .c = size("k")});
      }
      const auto same = [&](const Item& other) {
        return std::ranges::equal(other.workload.dims(), item.workload.dims()) &&
               std::ranges::equal(other.workload.tensors(), item.workload.tensors());
      };
      const bool wanted = !quick || layer.name == "train-009" || layer.name == "train-013";
      if (wanted && !std::ranges::any_of(items, same)) items.push_back(std::move(item));
    }
  }
  return items;
}

std::vector<Figure> figures() {
  return {{"fig10", "ResNet-50 on Eyeriss 14 x 12, row-stationary", "eyeriss", "edp",
           row_stationary, true, "EDP -14 %, cycles -17 %, energy +2 %"},
          {"fig12-15", "ResNet-50 on Simba, 15 PEs of 4 x 4", "simba-ruby-15", "edp", simba_axes,
           true, "EDP -10 %, layers up to -25 %"},
          {"fig12-9", "ResNet-50 on Simba, 9 PEs of 3 x 3", "simba-ruby-9", "edp", simba_axes, true,
           "EDP -45 %"},
          {"fig11", "DeepBench on Eyeriss 14 x 12, row-stationary", "eyeriss", "edp",
           row_stationary, false, "mean EDP -10 %, up to -33 %"},
          {"fig11-latency", "DeepBench on Eyeriss 14 x 12, row-stationary, for latency", "eyeriss",
           "latency", row_stationary, false, "mean latency -14 %"}};
}

std::vector<Pair> run_figure(const Figure& figure, const RunOptions& options, RunLog& log) {
  std::vector<Pair> pairs;
  for (const Item& item : figure.whole ? resnet50(options.quick) : deepbench(options.quick)) {
    const std::string name = figure.name + " " + item.name;
    if (!options.wants(name)) continue;
    const Problem problem(item.workload, library_arch(figure.arch));
    const auto search = [&](SpaceKind space) {
      return log.add(problem, {.instance = name,
                               .space = space,
                               .objective = figure.objective,
                               .constraints = figure.rule(problem)});
    };
    const Run pfm = search(SpaceKind::kPfm);
    const Run ruby = search(SpaceKind::kRubyS);
    pairs.push_back({item, pfm, ruby});
  }
  return pairs;
}

// True if PFM, a part of Ruby-S, has a best that Ruby-S's bound forbids: then a proof is wrong.
bool contradicts(const Pair& pair) {
  return pair.pfm.found && pair.ruby.bound > pair.pfm.score() * (1 + 1e-12);
}

int run(const RunOptions& options, const std::string& out) {
  RunLog log(options);
  Targets targets;
  const OutputFolder folder(out);
  std::string summary;
  int proved = 0;
  int all = 0;
  for (const Figure& figure : figures()) {
    const std::vector<Pair> pairs = run_figure(figure, options, log);
    if (pairs.empty()) continue;
    print_table(figure, pairs);
    const Headline whole = headline(figure, pairs);
    if (!figure.whole) {
      for (const auto& [domain, some] : by_domain(pairs)) {
        fmt::print("{:<18} {:>3} layers: {}\n", domain, some.size(),
                   headline_text(figure, headline(figure, some)));
      }
    }
    fmt::print(
        "\n{}\n  ours:      {}; {} of {} optima proved; {} layers cannot be mapped so\n"
        "  the paper: {}\n\n",
        figure.title, headline_text(figure, whole), whole.proved, whole.all, whole.none,
        figure.paper);
    proved += whole.proved;
    all += whole.all;
    for (const Pair& pair : pairs) {
      if (contradicts(pair)) {
        targets.expect(false, "Ruby-S is no worse than PFM: " + pair.item.name);
      }
    }
    targets.expect(std::ranges::all_of(pairs,
                                       [](const Pair& pair) {
                                         return pair.found() || (pair.proved() && !pair.pfm.found &&
                                                                 !pair.ruby.found);
                                       }),
                   figure.name + ": every layer has a mapping in both spaces, or proved in none");
    summary +=
        fmt::format("{}{} {}", summary.empty() ? "" : ", ", figure.name, change_text(whole.score));
    folder.write(figure.name + ".svg", to_svg(chart_of(figure, pairs)));
  }
  if (options.quick) targets.expect(proved == all && all > 0, "quick: all optima proved");
  const int code = targets.print();
  log.write_csv();
  fmt::print("ruby-fig10-12: {} of {} optima proved; Ruby-S over PFM: {}\n", proved, all, summary);
  return code;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("Figures 10, 11 and 12 of the Ruby paper with proved optima");
  tilewright::RunOptions options;
  options.limit = 30;
  options.add_to(arguments);
  std::string out;
  arguments.option("--out", out, "folder for the charts");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(options, out);
}
