// SPDX-License-Identifier: Apache-2.0
// Figure 8 of the Ruby paper: one tensor of D elements over 16 PEs, the best EDP of PFM, of padding
// and of Ruby-S, proved by looking at every mapping. experiments/ruby/README.md says what was
// decided.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/line_chart.h"
#include "experiments/support/program.h"
#include "tilewright/files/files.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/padding.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

constexpr std::int64_t kLargest = 256;

struct Best {
  double edp = 0;
  std::int64_t pes = 0;
  std::int64_t cycles = 0;
  double energy_pj = 0;
};

struct Point {
  std::int64_t size = 0;
  Best pfm, padded, ruby_s;
};

// The tensor is read, and written back as it is: one input, one output, nothing reused.
Problem one_tensor(const Arch& arch, std::int64_t size) {
  const Rank rank{{{DimId(0), 1}}};
  return Problem(
      Workload("tensor", {{"d", size}}, {{"A", "input", 16, {rank}}, {"Z", "output", 16, {rank}}}),
      arch);
}

Best find_best(const Problem& problem, SpaceKind kind) {
  SearchOptions options;
  options.threads = 1;
  const Mapspace space(problem, make_rules(problem, kind, {}));
  const SearchResult result = search_exhaustive(space, options);
  const Evaluation& found = result.best.value().evaluation;
  return {result.best->score, found.compute_instances, found.cycles, found.energy_pj};
}

Point evaluate_size(const Arch& arch, std::int64_t size) {
  const Problem problem = one_tensor(arch, size);
  Point point{size, find_best(problem, SpaceKind::kPfm), {}, find_best(problem, SpaceKind::kRubyS)};
  point.padded = point.pfm;
  for (const Problem& padded : padded_problems(problem)) {
    const Best best = find_best(padded, SpaceKind::kPfm);
    if (best.edp < point.padded.edp) point.padded = best;
  }
  return point;
}

std::string table_text(const std::vector<Point>& points) {
  Table table({{"D"},
               {"PFM", Table::Align::kRight, 4},
               {"PEs"},
               {"padding", Table::Align::kRight, 4},
               {"PEs"},
               {"Ruby-S", Table::Align::kRight, 4},
               {"PEs"},
               {"cycles"}});
  for (const std::int64_t size : {16, 17, 31, 64, 97, 100, 113, 127, 128, 131, 200, 241, 256}) {
    const Point& p = points[static_cast<std::size_t>(size - 1)];
    table.add_row({fmt::format("{}", size), fmt::format("{:.3f}", p.pfm.edp / p.ruby_s.edp),
                   fmt::format("{}", p.pfm.pes), fmt::format("{:.3f}", p.padded.edp / p.ruby_s.edp),
                   fmt::format("{}", p.padded.pes), "1", fmt::format("{}", p.ruby_s.pes),
                   fmt::format("{}", p.ruby_s.cycles)});
  }
  return table.text({});
}

std::string csv_text(const std::vector<Point>& points) {
  std::string csv =
      "size,pfm_edp_pj_cycles,pfm_pes,padding_edp_pj_cycles,padding_pes,"
      "ruby_s_edp_pj_cycles,ruby_s_pes\n";
  for (const Point& p : points) {
    csv += fmt::format("{},{:.6g},{},{:.6g},{},{:.6g},{}\n", p.size, p.pfm.edp, p.pfm.pes,
                       p.padded.edp, p.padded.pes, p.ruby_s.edp, p.ruby_s.pes);
  }
  return csv;
}

LineChart chart_of(const std::vector<Point>& points) {
  LineChart chart;
  chart.title = "One tensor over 16 PEs: best EDP relative to Ruby-S";
  chart.note =
      "The best of all mappings of each space. PFM is bad at primes, padding where much is padded.";
  chart.x = {.label = "elements of the tensor", .least = 0.0};
  chart.y = {.label = "EDP / EDP of Ruby-S (less is better)", .log = true};
  chart.series = {{"PFM", {}, ChartSeries::Style::kDots}, {"padding", {}}, {"Ruby-S", {}}};
  for (const Point& p : points) {
    const double size = static_cast<double>(p.size);
    chart.series[0].points.push_back({size, p.pfm.edp / p.ruby_s.edp});
    chart.series[1].points.push_back({size, p.padded.edp / p.ruby_s.edp});
    chart.series[2].points.push_back({size, 1});
  }
  return chart;
}

int run(const std::string& out) {
  const Arch arch = library_arch("toy-linear-16");
  std::vector<Point> points;
  for (std::int64_t size = 1; size <= kLargest; ++size) points.push_back(evaluate_size(arch, size));

  Checks checks;
  double largest = 0;
  for (const Point& p : points) {
    // Ruby-S has every mapping of PFM, and padding only adds work to one of its own.
    checks.expect(
        p.ruby_s.edp <= p.pfm.edp * (1 + 1e-12) && p.ruby_s.edp <= p.padded.edp * (1 + 1e-12),
        fmt::format("D = {}: Ruby-S is at least as good", p.size));
    largest = std::max(largest, p.padded.edp / p.ruby_s.edp);
  }
  const Point& prime = points[127 - 1];
  const Point& padded = points[113 - 1];
  const double overhead = padded.padded.edp / padded.ruby_s.edp - 1;
  checks.expect(prime.pfm.pes == 1, "D = 127: PFM uses one PE");
  checks.expect(prime.padded.pes == 16 && prime.ruby_s.pes == 16,
                "D = 127: padding and Ruby-S use 16 PEs");
  checks.expect(
      overhead >= 0.10 && overhead <= 0.35,
      fmt::format("D = 113: padding costs 10 to 35 % more EDP, not {}", percent_text(overhead)));

  fmt::print("Best EDP relative to Ruby-S, and PEs that work, by number of elements D:\n\n{}\n",
             table_text(points));
  fmt::print("D = 113: padding moves {} words, {} more, in the same {} cycles (Ruby-S: {}).\n", 128,
             percent_text(128.0 / 113 - 1), padded.padded.cycles, padded.ruby_s.cycles);
  const OutputFolder folder(out);
  folder.write("fig8.csv", csv_text(points));
  folder.write("fig8.svg", to_svg(chart_of(points)));
  fmt::print(
      "ruby-fig8: D = 127: PFM uses {} PE, EDP {} that of Ruby-S; D = 113: padding costs {} "
      "(paper: 20 %); at most {} for D up to {}\n",
      prime.pfm.pes, ratio_text(prime.pfm.edp / prime.ruby_s.edp), percent_text(overhead),
      ratio_text(largest), kLargest);
  return checks.exit_code();
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("Figure 8 of the Ruby paper");
  std::string out;
  arguments.option("--out", out, "folder for fig8.csv and fig8.svg");
  bool quick = false;  // as fig7 has it
  arguments.flag("--quick", quick, "the same: it takes a second");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(out);
}
