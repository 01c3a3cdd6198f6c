// SPDX-License-Identifier: Apache-2.0
// Where the time goes: one bar per memory and one for the compute units.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/report/bars.h"
#include "tilewright/report/evaluation_text.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

struct Row {
  std::string name;
  std::int64_t cycles = 0;
  std::string detail;
  bool memory = true;
};

std::string use_text(const BandwidthUse& use, std::int64_t instances) {
  return fmt::format("{} {} of {} {}s/cycle{}", use.what, significant_text(use.used, 4),
                     significant_text(use.limit, 4), use.unit, instances > 1 ? " each" : "");
}

// What limits, most cycles first; the compute units come first among equals.
std::vector<Row> limits(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Arch& arch = evaluated.problem.arch();
  std::vector<Row> rows;
  rows.push_back({arch.compute().name, evaluation.compute_steps,
                  fmt::format("{} of {} work", count_text(evaluation.compute_instances),
                              plural_text(arch.compute_units(), "unit")),
                  false});
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (const auto use = bandwidth_use(evaluated, memory); use && keeps_anything(memory)) {
      rows.push_back({arch.memory(memory.node).name, memory.cycles,
                      use_text(*use, arch.instances(memory.node)), true});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.cycles > b.cycles; });
  return rows;
}

std::string headline(const Evaluated& evaluated, const TextOptions& options) {
  const NodeId bottleneck = evaluated.evaluation.bottleneck;
  const std::string name = node_or_compute_name(evaluated.problem.arch(), bottleneck);
  return fmt::format(
      "{} {}, set by {}\n", paint("cycles", Style::kHeading, options),
      paint(count_text(evaluated.evaluation.cycles), Style::kBold, options),
      paint(bottleneck.valid() ? "the bandwidth of " + name : "the compute units (" + name + ")",
            Style::kBold, options));
}

std::string next_text(const std::vector<Row>& rows, const TextOptions& options) {
  if (rows.size() < 2) return "";
  const Row& first = rows[0];
  const Row& second = rows[1];
  const std::int64_t halved = std::max(second.cycles, ceil_div(first.cycles, 2));
  const double gain = 1 - static_cast<double>(halved) / static_cast<double>(first.cycles);
  const std::string change =
      first.memory ? "twice the bandwidth of " + first.name : first.name + " twice as fast";
  const std::string effect =
      halved == first.cycles
          ? "would change nothing"
          : fmt::format("would leave {} cycles ({} fewer)", count_text(halved), percent_text(gain));
  return wrap_words("  ", fmt::format("next bottleneck: {}; {} {}", second.name, change, effect),
                    options.width);
}

}  // namespace

std::string cycles_text(const Evaluated& evaluated, const TextOptions& options) {
  const std::vector<Row> rows = limits(evaluated);
  const auto columns = [] {
    return std::vector<Table::Column>{{"", Table::Align::kLeft, 2},
                                      {"", Table::Align::kRight, 2},
                                      {"", Table::Align::kLeft, 2},
                                      {"", Table::Align::kRight, 2},
                                      {"", Table::Align::kLeft, 2}};
  };
  const auto fill = [&](Table& table, int cells) {
    for (const Row& row : rows) {
      const double share = static_cast<double>(row.cycles) /
                           static_cast<double>(std::max<std::int64_t>(1, rows.front().cycles));
      const std::string drawn = paint(bar(share, cells, options),
                                      &row == &rows.front() ? Style::kBad : Style::kPlain, options);
      table.add_row({clip(row.name, 16), count_text(row.cycles), pad_right(drawn, cells),
                     percent_text(share), row.detail});
    }
  };
  Table narrow(columns());
  fill(narrow, 0);
  const int cells = std::clamp(options.width - narrow.width(), 6, 24);
  Table table(columns());
  fill(table, cells);
  std::string result = headline(evaluated, options) + table.text(options);
  std::vector<std::string> unlimited;
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    if (keeps_anything(memory) && !bandwidth_use(evaluated, memory)) {
      unlimited.push_back(evaluated.problem.arch().memory(memory.node).name);
    }
  }
  if (!unlimited.empty()) {
    result += wrap_words(
        "  ", fmt::format("{}: no bandwidth given, taken as unlimited", fmt::join(unlimited, ", ")),
        options.width);
  }
  return result + next_text(rows, options);
}

}  // namespace tilewright
