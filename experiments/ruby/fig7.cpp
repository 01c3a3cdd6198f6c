// SPDX-License-Identifier: Apache-2.0
// Figure 7 of the Ruby paper: the best EDP after n mappings of random search, the mean of many
// runs, in the four mapspaces. experiments/ruby/README.md says what was decided and where the
// answer differs from the paper's.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/layers.h"
#include "experiments/support/line_chart.h"
#include "experiments/support/program.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/counting/tilings.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/sampler.h"
#include "tilewright/search/scorer.h"

namespace tilewright {
namespace {

enum Space { kPfm, kRubyS, kRubyT, kRuby, kSpaces };
constexpr std::array<SpaceKind, kSpaces> kKinds = {SpaceKind::kPfm, SpaceKind::kRubyS,
                                                   SpaceKind::kRubyT, SpaceKind::kRuby};
constexpr std::array<const char*, kSpaces> kNames = {"PFM", "Ruby-S", "Ruby-T", "Ruby"};

constexpr std::int64_t kPaperMappings = 10'000;
constexpr double kFirstShown = 100;  // in the charts: before, luck decides

struct Options {
  int runs = 100;
  std::int64_t mappings = kPaperMappings;
  int threads = 0;
  bool fixed_orders = false;
  std::string out;
};

// ---- The cases ----

struct Case {
  std::string id;
  std::string title;
  ConvLayer layer;  // a matrix product as a convolution with p = q = r = s = 1
  std::int64_t pes = 1;
  std::vector<std::string> spread;  // dims that may go over the PEs
};

std::vector<Case> paper_cases() {
  // m x c times c x n: a product of two matrices of 100 x 100.
  const ConvLayer product{.name = "gemm", .n = 100, .m = 100, .c = 100};
  const ConvLayer conv{.name = "conv", .m = 64, .c = 64, .p = 28, .q = 28, .r = 3, .s = 3};
  const std::string matrices = "100 x 100 matrix product";
  const std::string filter = "3 x 3 x 64 filter on 28 x 28 x 64";
  return {{"a", matrices + ", 5 PEs", product, 5, {"n", "m", "c"}},
          {"b", matrices + ", 16 PEs", product, 16, {"n", "m", "c"}},
          {"b1", matrices + ", 16 PEs, only m on them", product, 16, {"m"}},
          {"c", filter + ", 8 PEs", conv, 8, {"m", "c"}},
          {"d", filter + ", 15 PEs", conv, 15, {"m", "c"}}};
}

Problem case_problem(const Case& given) {
  return Problem(layer_workload(given.layer),
                 with_first_axis(library_arch("toy-linear-16"), given.pes));
}

// All three tensors are kept in the scratchpads, in any loop order or in that of the dims.
Rules case_rules(const Case& given, const Problem& problem, SpaceKind kind, bool fixed_orders) {
  const Workload& workload = problem.workload();
  Constraint keep{.kind = Constraint::Kind::kKeep, .node = *problem.arch().find("spad")};
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) keep.tensors |= only(TensorId(t));
  Constraint spread{
      .kind = Constraint::Kind::kAxisDims, .node = *problem.arch().find("PE"), .axis = 0};
  for (const std::string& name : given.spread) spread.dims.push_back(*workload.find_dim(name));
  std::vector<Constraint> constraints = {keep, spread};
  if (fixed_orders) {
    for (const NodeId memory : problem.arch().memories()) {
      Constraint order{.kind = Constraint::Kind::kOrder, .node = memory};
      for (std::size_t d = 0; d < workload.dims().size(); ++d) order.outermost.emplace_back(d);
      constraints.push_back(std::move(order));
    }
  }
  return make_rules(problem, kind, constraints);
}

// ---- One run ----

struct Run {
  std::vector<double> best;  // by checkpoint
  std::uint64_t seen = 0;
  std::vector<NestNode> nest;  // the best one
};

// Draws until as many mappings fit as the last checkpoint says.
Run run_once(Sampler& sampler, Scorer& scorer, std::uint64_t seed,
             const std::vector<std::int64_t>& checkpoints) {
  Random random(Random(seed).next());
  Run run;
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t valid = 0; run.best.size() < checkpoints.size();) {
    ++run.seen;
    if (!scorer.fits(sampler.draw_tiling(random))) continue;
    const auto nest = sampler.draw_orders(random);
    const Scored scored = scorer.score_fitting(nest);
    if (scored.outcome != Outcome::kValid) continue;
    ++valid;
    if (scored.score < best) {
      best = scored.score;
      run.nest.assign(nest.begin(), nest.end());
    }
    if (valid == checkpoints[run.best.size()]) run.best.push_back(best);
  }
  return run;
}

// ---- Many runs ----

struct Curve {
  std::vector<double> mean;   // by checkpoint
  std::vector<double> error;  // standard error of the mean
  double valid_share = 0;     // of the draws
  std::int64_t best_pes = 0;  // that work in the best mapping of all runs
  Natural tilings;            // in the space, loop orders left out

  double end() const { return mean.back(); }
};

Curve summarize(const std::vector<Run>& runs, const Problem& problem,
                const std::vector<std::int64_t>& checkpoints) {
  Curve curve;
  const double count = static_cast<double>(runs.size());
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    double sum = 0;
    double squares = 0;
    for (const Run& run : runs) sum += run.best[i];
    for (const Run& run : runs) squares += std::pow(run.best[i] - sum / count, 2);
    curve.mean.push_back(sum / count);
    curve.error.push_back(runs.size() < 2 ? 0 : std::sqrt(squares / (count - 1) / count));
  }
  double seen = 0;
  const Run* best = &runs.front();
  for (const Run& run : runs) {
    seen += static_cast<double>(run.seen);
    if (run.best.back() < best->best.back()) best = &run;
  }
  curve.valid_share = count * static_cast<double>(checkpoints.back()) / seen;
  curve.best_pes = make_found(problem, {}, best->nest).evaluation.compute_instances;
  return curve;
}

Curve search(const Problem& problem, const Rules& rules, const Options& options,
             const std::vector<std::int64_t>& checkpoints) {
  const Sampler sampler(problem, rules);
  const SearchOptions scoring;
  std::vector<Run> runs(static_cast<std::size_t>(options.runs));
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < options.threads; ++i) {
      threads.emplace_back([&] {
        Sampler own(sampler);
        Scorer scorer(problem, scoring);
        for (std::size_t r = next++; r < runs.size(); r = next++) {
          runs[r] = run_once(own, scorer, r + 1, checkpoints);
        }
      });
    }
  }
  Curve curve = summarize(runs, problem, checkpoints);
  curve.tilings = Tilings(problem.workload(), rules).size();
  return curve;
}

// About forty in a decade, the last one `most`.
std::vector<std::int64_t> make_checkpoints(std::int64_t most) {
  std::vector<std::int64_t> checkpoints;
  for (int i = 0;; ++i) {
    const auto at = static_cast<std::int64_t>(std::llround(std::pow(10.0, i / 40.0)));
    if (at >= most) break;
    if (checkpoints.empty() || at > checkpoints.back()) checkpoints.push_back(at);
  }
  checkpoints.push_back(most);
  return checkpoints;
}

// ---- What is shown ----

struct Result {
  Case given;
  std::array<Curve, kSpaces> curves;
  const std::vector<std::int64_t>* checkpoints = nullptr;

  // The mean of `space` after `evaluated` mappings.
  double at(Space space, std::int64_t evaluated) const {
    const auto found = std::ranges::lower_bound(*checkpoints, evaluated);
    const auto i = static_cast<std::size_t>(found - checkpoints->begin());
    return curves[space].mean[std::min(i, checkpoints->size() - 1)];
  }
};

double joule_cycles(double edp) { return edp * 1e-12; }

std::string ordering(const Result& result) {
  std::array<Space, kSpaces> order = {kPfm, kRubyS, kRubyT, kRuby};
  std::ranges::stable_sort(order, {}, [&](Space s) { return result.curves[s].end(); });
  std::string text = kNames[order[0]];
  for (std::size_t i = 1; i < kSpaces; ++i) {
    const double ratio = result.curves[order[i]].end() / result.curves[order[i - 1]].end();
    text += fmt::format("{}{}", ratio < 1.01 ? " = " : " < ", kNames[order[i]]);
  }
  return text;
}

std::string tilings_text(const Natural& tilings) {
  if (tilings < Natural(100'000'000)) {
    return count_text(static_cast<std::int64_t>(tilings.to_uint64()));
  }
  return fmt::format("10^{:.1f}", std::log10(tilings.to_double()));
}

std::string table_text(const Result& result) {
  std::vector<Table::Column> columns = {{"", Table::Align::kLeft, 2}};
  std::vector<std::int64_t> shown;
  for (std::int64_t n = 10; n < result.checkpoints->back(); n *= 10) shown.push_back(n);
  shown.push_back(result.checkpoints->back());
  for (const std::int64_t n : shown) columns.push_back({"n = " + count_text(n)});
  columns.insert(columns.end(), {{"+-"}, {"tilings"}, {"that fit"}, {"PEs"}});
  Table table(std::move(columns));
  for (const Space s : {kPfm, kRubyS, kRubyT, kRuby}) {
    const Curve& curve = result.curves[s];
    std::vector<std::string> cells = {kNames[s]};
    for (const std::int64_t n : shown) {
      cells.push_back(significant_text(joule_cycles(result.at(s, n)), 4));
    }
    cells.push_back(fmt::format("{:.1f} %", 100 * curve.error.back() / curve.end()));
    cells.push_back(tilings_text(curve.tilings));
    cells.push_back(percent_text(curve.valid_share));
    cells.push_back(fmt::format("{} of {}", curve.best_pes, result.given.pes));
    table.add_row(std::move(cells));
  }
  return table.text({});
}

std::string csv_text(const std::vector<Result>& results) {
  std::string csv = "case,space,evaluated,mean_best_edp_pj_cycles,standard_error\n";
  for (const Result& result : results) {
    for (const Space s : {kPfm, kRubyS, kRubyT, kRuby}) {
      for (std::size_t i = 0; i < result.checkpoints->size(); ++i) {
        csv += fmt::format("{},{},{},{:.6g},{:.3g}\n", result.given.id, space_name(kKinds[s]),
                           (*result.checkpoints)[i], result.curves[s].mean[i],
                           result.curves[s].error[i]);
      }
    }
  }
  return csv;
}

LineChart chart_of(const Result& result, const Options& options) {
  LineChart chart;
  chart.title = fmt::format("({}) {}", result.given.id, result.given.title);
  chart.note = fmt::format("Best so far, mean of {} runs of random search.", options.runs);
  chart.x = {.label = "mappings evaluated", .log = true, .least = kFirstShown};
  chart.y = {.label = "energy-delay product, J cycles", .log = true};
  for (const Space s : {kPfm, kRubyS, kRubyT, kRuby}) {
    ChartSeries series{kNames[s], {}};
    for (std::size_t i = 0; i < result.checkpoints->size(); ++i) {
      const auto n = static_cast<double>((*result.checkpoints)[i]);
      if (n >= kFirstShown) series.points.push_back({n, joule_cycles(result.curves[s].mean[i])});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// ---- The paper's findings ----

struct Finding {
  std::string text;
  bool holds = false;
};

// What the paper's text says about each case, and, where we differ, what we find instead.
std::vector<Finding> findings(const Result& result) {
  const auto end = [&](Space s) { return result.curves[s].end(); };
  const auto at = [&](Space s, std::int64_t n) { return result.at(s, n); };
  const auto ahead = [&](std::int64_t n) {
    return std::max(at(kPfm, n), at(kRubyS, n)) < std::min(at(kRubyT, n), at(kRuby, n));
  };
  if (result.given.id == "a") {
    const auto few = [&](Space s) { return result.curves[s].tilings < Natural(10'000); };
    return {{"PFM and Ruby-S have fewer than 10,000 tilings, Ruby-T and Ruby more",
             few(kPfm) && few(kRubyS) && !few(kRubyT) && !few(kRuby)},
            {"PFM and Ruby-S are ahead at n = 1,000", ahead(1000)},
            {"PFM and Ruby-S end within 1 %", std::abs(end(kRubyS) / end(kPfm) - 1) < 0.01},
            {"Ruby has caught up with PFM at the end", end(kRuby) < 1.01 * end(kPfm)}};
  }
  if (result.given.id == "b") {
    return {{"Ruby and Ruby-T beat Ruby-S and PFM",
             std::max(end(kRuby), end(kRubyT)) < std::min(end(kRubyS), end(kPfm))},
            {"unlike in the paper, PFM and Ruby-S end within 2 %",
             std::abs(end(kRubyS) / end(kPfm) - 1) < 0.02},
            {"... because PFM fills the PEs too, 4 x 4 of two dims",
             result.curves[kPfm].best_pes == result.given.pes}};
  }
  if (result.given.id == "b1") {
    return {{"with one dim on the PEs, PFM fills 10 of 16", result.curves[kPfm].best_pes == 10},
            {"... and Ruby-S beats it by 20 % or more", end(kRubyS) < 0.8 * end(kPfm)}};
  }
  if (result.given.id == "c") {
    return {{"PFM and Ruby-S are ahead at n = 1,000", ahead(1000)},
            {"Ruby-S ends within 2 % of PFM", std::abs(end(kRubyS) / end(kPfm) - 1) < 0.02},
            {"Ruby and Ruby-T end behind PFM", std::min(end(kRuby), end(kRubyT)) > end(kPfm)}};
  }
  return {{"Ruby-S is the best at the end",
           end(kRubyS) < std::min({end(kPfm), end(kRubyT), end(kRuby)})},
          {"Ruby-S beats PFM by 20 % or more", end(kRubyS) < 0.8 * end(kPfm)}};
}

int run(const Options& options) {
  Checks checks;
  const std::vector<std::int64_t> checkpoints = make_checkpoints(options.mappings);
  const OutputFolder folder(options.out);
  std::vector<Result> results;
  fmt::print("Best EDP in J cycles after n mappings that fit, mean of {} runs\n", options.runs);
  for (const Case& given : paper_cases()) {
    const Problem problem = case_problem(given);
    Result result{given, {}, &checkpoints};
    for (const Space s : {kPfm, kRubyS, kRubyT, kRuby}) {
      const Rules rules = case_rules(given, problem, kKinds[s], options.fixed_orders);
      result.curves[s] = search(problem, rules, options, checkpoints);
    }
    fmt::print("\n({}) {}: {}\n{}", given.id, given.title, ordering(result), table_text(result));
    for (const Finding& finding : findings(result)) {
      fmt::print("  {} {}\n", finding.holds ? "yes:" : "NO: ", finding.text);
      // They are about 10,000 mappings in free orders.
      if (options.mappings == kPaperMappings && !options.fixed_orders) {
        checks.expect(finding.holds, fmt::format("({}) {}", given.id, finding.text));
      }
    }
    folder.write(fmt::format("fig7{}.svg", given.id), to_svg(chart_of(result, options)));
    results.push_back(std::move(result));
  }
  folder.write("fig7.csv", csv_text(results));
  std::string last = "ruby-fig7:";
  for (const Result& result : results) {
    last +=
        fmt::format("{} ({}) {}", last.back() == ':' ? "" : ";", result.given.id, ordering(result));
  }
  fmt::print("{}\n", last);
  return checks.exit_code();
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Options options;
  bool quick = false;
  tilewright::Arguments arguments("Figure 7 of the Ruby paper");
  arguments.option("--out", options.out, "folder for fig7.csv and fig7a.svg to fig7d.svg");
  arguments.option("--runs", options.runs, "random searches a curve", 1);
  arguments.option("--mappings", options.mappings, "mappings that fit, in each", 1000, 100'000'000);
  arguments.option("--threads", options.threads, "0: as many as the machine has");
  arguments.flag("--fixed-orders", options.fixed_orders, "loops in the order of the dims");
  arguments.flag("--quick", quick, "10 runs");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  if (quick) options.runs = std::min(options.runs, 10);
  if (options.threads <= 0) {
    options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  return tilewright::run(options);
}
