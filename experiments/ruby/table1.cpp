// SPDX-License-Identifier: Apache-2.0
// Table I of the Ruby paper: how many ways there are to split one dim over an inner loop in time,
// nine PEs and an outer loop in time. Every printed number is reproduced, each by a stated way of
// counting; experiments/ruby/README.md tells what the ways mean.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/line_chart.h"
#include "experiments/support/program.h"
#include "tilewright/format/layout.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/counting/tilings.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {
namespace {

constexpr std::array<std::int64_t, 5> kSizes = {3, 64, 100, 1000, 4096};
constexpr std::int64_t kPes = 9;
constexpr std::int64_t kSpadWords = 1024;  // 1 KiB of 8 bit words
using Row = std::array<std::int64_t, kSizes.size()>;

// ---- Distinct mappings: the library's answer ----

std::int64_t count_distinct(std::int64_t size, SpaceKind kind, std::int64_t pes,
                            std::optional<std::int64_t> largest_tile = std::nullopt) {
  const DimId d(0);
  const Workload workload(
      "copy", {{"d", size}},
      {{"A", "input", 8, {Rank{{{d, 1}}}}}, {"Z", "output", 8, {Rank{{{d, 1}}}}}});
  Memory dram{.name = "DRAM"};
  Memory spad{.name = "spad"};
  const Problem problem(
      workload, Arch("line", "", std::nullopt,
                     {std::move(dram), Fanout{.name = "PE", .axes = {{"X", pes}}}, std::move(spad)},
                     Compute{}));
  std::vector<Constraint> constraints;
  if (largest_tile) {
    constraints.push_back({.kind = Constraint::Kind::kAtMost,
                           .node = *problem.arch().find("spad"),
                           .dim = d,
                           .value = *largest_tile});
  }
  const Rules rules = make_rules(problem, kind, constraints);
  return static_cast<std::int64_t>(Tilings(problem.workload(), rules).size().to_uint64());
}

bool remainder_in_space(SpaceKind kind) {
  return kind == SpaceKind::kRubyS || kind == SpaceKind::kRuby;
}
bool remainder_in_time(SpaceKind kind) {
  return kind == SpaceKind::kRubyT || kind == SpaceKind::kRuby;
}

// The same number without the library: try every factor of the inner loop and of the PEs; the
// outer loop does the rest.
std::int64_t try_distinct(std::int64_t size, SpaceKind kind, std::int64_t pes) {
  std::int64_t count = 0;
  for (std::int64_t inner = 1; inner <= size; ++inner) {
    if (size % inner != 0 && !remainder_in_time(kind)) continue;
    const std::int64_t tiles = ceil_div(size, inner);
    for (std::int64_t space = 1; space <= std::min(tiles, pes); ++space) {
      if (tiles % space == 0 || remainder_in_space(kind)) ++count;
    }
  }
  return count;
}

// ---- The paper's equation (5): factors P and remainders R are both chosen ----

// Solutions of L = (P2 - 1) P1 + R1 - 1, size = L P0 + R0, with 1 <= R <= P and R = P where the
// space has no remainders. R2 = P2 always, as nothing lies outside.
std::int64_t count_solutions(std::int64_t size, SpaceKind kind, std::int64_t p0, std::int64_t p1,
                             std::int64_t p2) {
  std::int64_t count = 0;
  for (std::int64_t r1 = remainder_in_space(kind) ? 1 : p1; r1 <= p1; ++r1) {
    const std::int64_t r0 = size - ((p2 - 1) * p1 + r1 - 1) * p0;
    if (r0 < 1) break;
    if (remainder_in_time(kind) ? r0 <= p0 : r0 == p0) ++count;
  }
  return count;
}

std::int64_t count_equation(std::int64_t size, SpaceKind kind, std::int64_t pes) {
  std::int64_t count = 0;
  for (std::int64_t p0 = 1; p0 <= size; ++p0) {
    for (std::int64_t p1 = 1; p1 <= std::min(size, pes); ++p1) {
      for (std::int64_t p2 = 1; (p2 - 1) * p1 * p0 < size; ++p2) {
        if (p2 * p1 * p0 < size) continue;  // too few, whatever the remainders
        count += count_solutions(size, kind, p0, p1, p2);
      }
    }
  }
  return count;
}

// What the authors' program wrote down: NVlabs/timeloop, src/util/numeric.cpp at fef7d72 (6
// February 2022). It does not try all P but the divisors of size and of m * size * ceil(size / m),
// m up to the largest remainder; at most one of the three may exceed sqrt(size) + 1.5; the product
// of the P - 1 is at most `size`. It makes three lists, by which of the three may be large; what is
// in two of them counts twice.
std::vector<std::int64_t> generator_factors(std::int64_t size, SpaceKind kind, std::int64_t pes) {
  const std::int64_t bound = remainder_in_time(kind) ? size : std::min(size, pes);
  std::vector<bool> is_factor(static_cast<std::size_t>(size) + 1);
  for (std::int64_t m = 1; m <= bound; ++m) {
    const std::int64_t multiple = m * size * ceil_div(size, m);
    for (std::int64_t i = 1; i <= size; ++i) {
      if (multiple % i != 0) continue;
      is_factor[static_cast<std::size_t>(i)] = true;
      if (multiple / i <= size) is_factor[static_cast<std::size_t>(multiple / i)] = true;
    }
  }
  std::vector<std::int64_t> factors;
  for (std::int64_t i = 1; i <= size; ++i) {
    if (is_factor[static_cast<std::size_t>(i)]) factors.push_back(i);
  }
  return factors;
}

std::int64_t count_generator(std::int64_t size, SpaceKind kind, std::int64_t pes) {
  const std::vector<std::int64_t> factors = generator_factors(size, kind, pes);
  const auto large = static_cast<std::int64_t>(std::sqrt(static_cast<double>(size)) + 1.5);
  const auto less_one = [](std::int64_t p) { return std::max<std::int64_t>(p - 1, 1); };
  std::int64_t count = 0;
  for (const std::int64_t p2 : factors) {
    for (const std::int64_t p1 : factors) {
      if (p1 > pes || less_one(p2) * less_one(p1) > size) break;
      for (const std::int64_t p0 : factors) {
        if (less_one(p2) * less_one(p1) * less_one(p0) > size) break;
        const int lists = (p1 <= large && p2 <= large ? 1 : 0) +
                          (p0 <= large && p1 >= large && p2 <= large ? 1 : 0) +
                          (p0 <= large && p1 <= large && p2 >= large ? 1 : 0);
        if (lists > 0) count += lists * count_solutions(size, kind, p0, p1, p2);
      }
    }
  }
  return count;
}

// ---- The table ----

template <typename Count>
Row row_of(const Count& count) {
  Row row{};
  for (std::size_t i = 0; i < kSizes.size(); ++i) row[i] = count(kSizes[i]);
  return row;
}

struct Way {
  std::string name;
  Row counts{};
};

struct Block {
  std::string title;
  SpaceKind kind = SpaceKind::kPfm;
  Row paper{};
  std::vector<Way> ways;      // all counts, for comparison
  std::array<int, 5> used{};  // which of them the paper printed, by size
};

std::vector<Block> paper_blocks() {
  // Which way gives the printed number: see ways_of for what stands at each position.
  return {{"PFM", SpaceKind::kPfm, {3, 22, 24, 52, 43}, {}, {4, 4, 4, 4, 4}},
          {"Ruby-S", SpaceKind::kRubyS, {7, 50, 61, 117, 83}, {}, {4, 4, 4, 4, 4}},
          {"Ruby-T", SpaceKind::kRubyT, {7, 157, 247, 2392, 10040}, {}, {4, 4, 4, 5, 5}},
          {"Ruby", SpaceKind::kRuby, {11, 414, 690, 5713, 30612}, {}, {4, 4, 4, 5, 5}}};
}

std::vector<Way> ways_of(SpaceKind kind) {
  const auto distinct = [kind](std::int64_t pes_or_all) {
    return row_of([=](std::int64_t size) {
      return count_distinct(size, kind, pes_or_all > 0 ? pes_or_all : size);
    });
  };
  const auto equation = [kind](std::int64_t pes_or_all) {
    return row_of([=](std::int64_t size) {
      return count_equation(size, kind, pes_or_all > 0 ? pes_or_all : size);
    });
  };
  std::vector<Way> ways = {{"distinct, at most 9 in space", distinct(kPes)},
                           {"distinct, no limit", distinct(0)},
                           {"eq. (5), at most 9 in space", equation(kPes)},
                           {"eq. (5), no limit", equation(0)}};
  switch (kind) {
    case SpaceKind::kPfm:
      ways.push_back({"distinct, 9, tile of 1 KiB", row_of([=](std::int64_t size) {
                        return count_distinct(size, kind, kPes, kSpadWords);
                      })});
      break;
    case SpaceKind::kRubyS:
      ways.push_back({"authors' lists, 9 in space", row_of([=](std::int64_t size) {
                        return count_generator(size, kind, kPes);
                      })});
      break;
    case SpaceKind::kRubyT:
    case SpaceKind::kRuby:
      ways.push_back({"authors' lists, no limit", row_of([=](std::int64_t size) {
                        return count_generator(size, kind, size);
                      })});
      ways.push_back({"distinct, no limit, ragged", row_of([=](std::int64_t size) {
                        const SpaceKind even_time =
                            kind == SpaceKind::kRuby ? SpaceKind::kRubyS : SpaceKind::kPfm;
                        return count_distinct(size, kind, size) -
                               count_distinct(size, even_time, size);
                      })});
      break;
  }
  return ways;
}

std::string table_text(const std::vector<Block>& blocks) {
  std::vector<Table::Column> columns = {{"D", Table::Align::kLeft, 0}};
  for (const std::int64_t size : kSizes) columns.push_back({fmt::format("{} ", size)});
  Table table(std::move(columns));
  for (const Block& block : blocks) {
    const auto add = [&](const std::string& name, const auto& cell) {
      std::vector<std::string> cells = {name};
      for (std::size_t i = 0; i < kSizes.size(); ++i) cells.push_back(cell(i));
      table.add_row(std::move(cells));
    };
    add(block.title + ", as printed",
        [&](std::size_t i) { return count_text(block.paper[i]) + " "; });
    for (std::size_t w = 0; w < block.ways.size(); ++w) {
      add("  " + block.ways[w].name, [&](std::size_t i) {
        const bool used = block.used[i] == static_cast<int>(w);
        return count_text(block.ways[w].counts[i]) + (used ? "*" : " ");
      });
    }
  }
  return table.text({});
}

std::string csv_text(const std::vector<Block>& blocks) {
  std::string csv = "space,way,size,count,paper,paper_counts_this_way\n";
  for (const Block& block : blocks) {
    for (std::size_t w = 0; w < block.ways.size(); ++w) {
      for (std::size_t i = 0; i < kSizes.size(); ++i) {
        csv += fmt::format("{},\"{}\",{},{},{},{}\n", space_name(block.kind), block.ways[w].name,
                           kSizes[i], block.ways[w].counts[i], block.paper[i],
                           block.used[i] == static_cast<int>(w) ? 1 : 0);
      }
    }
  }
  return csv;
}

LineChart chart_of(const std::vector<Block>& blocks) {
  LineChart chart;
  chart.title = "Ways to split one dim over time, nine PEs and time";
  chart.note = "Distinct mappings, each counted once. PFM depends on the divisors of the size.";
  chart.x = {.label = "size of the dim", .log = true};
  chart.y = {.label = "mappings", .log = true};
  for (const Block& block : blocks) {
    ChartSeries series{block.title, {}, ChartSeries::Style::kLineAndDots};
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      series.points.push_back(
          {static_cast<double>(kSizes[i]), static_cast<double>(block.ways.front().counts[i])});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string joined(const Row& row) { return fmt::format("{}", fmt::join(row, " ")); }

int run(const std::string& out) {
  Checks checks;
  std::vector<Block> blocks = paper_blocks();
  int reproduced = 0;
  for (Block& block : blocks) {
    block.ways = ways_of(block.kind);
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      const std::int64_t size = kSizes[i];
      for (const std::int64_t pes : {kPes, size}) {
        checks.expect(count_distinct(size, block.kind, pes) == try_distinct(size, block.kind, pes),
                      fmt::format("{} of {} on {}: the library counts what trying finds",
                                  block.title, size, pes));
      }
      const std::int64_t ours = block.ways[static_cast<std::size_t>(block.used[i])].counts[i];
      reproduced += checks.expect(
          ours == block.paper[i],
          fmt::format("{} of {}: {} counted, {} printed", block.title, size, ours, block.paper[i]));
    }
  }
  fmt::print(
      "Splitting one dim of size D over a loop in time, PEs, and a loop in time;\n"
      "* marks the way of counting that gives the number that the paper printed.\n\n{}\n",
      table_text(blocks));
  const OutputFolder folder(out);
  folder.write("table1.csv", csv_text(blocks));
  folder.write("table1.svg", to_svg(chart_of(blocks)));
  fmt::print(
      "ruby-table1: PFM {} as in the paper; {} of 20 printed numbers reproduced; "
      "distinct mappings: Ruby-S {}, Ruby-T {}, Ruby {}\n",
      joined(blocks[0].ways[4].counts), reproduced, joined(blocks[1].ways[0].counts),
      joined(blocks[2].ways[0].counts), joined(blocks[3].ways[0].counts));
  return checks.exit_code();
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments("Table I of the Ruby paper");
  std::string out;
  arguments.option("--out", out, "folder for table1.csv and table1.svg");
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run(out);
}
