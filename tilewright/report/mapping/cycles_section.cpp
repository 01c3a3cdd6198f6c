// SPDX-License-Identifier: Apache-2.0
// Where the time goes: one bar per memory and one for the compute units.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/bars.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/evaluation_text.h"

namespace tilewright {
namespace {

struct Row {
  std::string name;
  std::int64_t cycles = 0;
  std::string detail;
  bool memory = true;
  bool unlimited = false;
};

std::string use_text(const BandwidthUse& use) {
  return fmt::format("{} {} of {} {}s", use.what, fixed_text(use.used, 2),
                     fmt::format("{:.4g}", use.limit), use.unit);
}

// What limits, most cycles first; the compute units come first among equals.
std::vector<Row> limits(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Arch& arch = evaluated.problem.arch();
  std::vector<Row> rows;
  rows.push_back({arch.compute().name, evaluation.compute_steps,
                  fmt::format("{} of {} work", count_text(evaluation.compute_instances),
                              plural_text(arch.compute_units(), "unit")),
                  false, false});
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (!keeps_anything(memory)) continue;
    const std::optional<BandwidthUse> use = bandwidth_use(evaluated, memory);
    rows.push_back({arch.memory(memory.node).name, use ? memory.cycles : -1,
                    use ? use_text(*use) : "no bandwidth given", true, !use});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.cycles > b.cycles; });
  return rows;
}

std::string headline(const Evaluated& evaluated, const TextOptions& options) {
  const NodeId bottleneck = evaluated.evaluation.bottleneck;
  const std::string name = node_or_compute_name(evaluated.problem.arch(), bottleneck);
  return fmt::format(
      "{} {}: {}\n", paint("cycles", Style::kHeading, options),
      paint(count_text(evaluated.evaluation.cycles), Style::kBold, options),
      paint(bottleneck.valid() ? "bandwidth-bound (" + name + ")" : "compute-bound (" + name + ")",
            Style::kBold, options));
}

std::string next_text(const std::vector<Row>& rows, const TextOptions& options) {
  if (rows.size() < 2 || rows[1].unlimited) return "";
  const Row& first = rows[0];
  const Row& second = rows[1];
  const std::int64_t halved = std::max(second.cycles, ceil_div(first.cycles, 2));
  const double gain = 1 - static_cast<double>(halved) / static_cast<double>(first.cycles);
  const std::string change =
      first.memory ? "twice the bandwidth of " + first.name : first.name + " twice as fast";
  const std::string effect =
      halved == first.cycles
          ? "no gain"
          : fmt::format("{} cycles ({} fewer)", count_text(halved), percent_text(gain));
  return wrap_words("  ",
                    fmt::format("next bottleneck: {}; with {}: {}", second.name, change, effect),
                    options.width);
}

Table build(const std::vector<Row>& rows, int longest_name, int cells, const TextOptions& options) {
  Table table({{"", Table::Align::kLeft, 2},
               {"cycles"},
               {"", Table::Align::kLeft},
               {"busy"},
               {"per cycle and instance", Table::Align::kLeft}});
  const double most = static_cast<double>(std::max<std::int64_t>(1, rows.front().cycles));
  for (const Row& row : rows) {
    if (row.unlimited) {
      table.add_row({clip(row.name, longest_name, options), "-", "", "", row.detail});
      continue;
    }
    const double share = static_cast<double>(row.cycles) / most;
    const Style style = &row == &rows.front() ? Style::kBad : Style::kPlain;
    table.add_row({clip(row.name, longest_name, options), count_text(row.cycles),
                   pad_right(paint(bar(share, cells, options), style, options), cells),
                   percent_text(share), row.detail});
  }
  return table;
}

}  // namespace

std::string cycles_text(const Evaluated& evaluated, const TextOptions& options) {
  const std::vector<Row> rows = limits(evaluated);
  int longest_name = 24;
  while (longest_name > 4 && options.width - build(rows, longest_name, 0, options).width() < 10) {
    --longest_name;
  }
  const int room = options.width - build(rows, longest_name, 0, options).width();
  return headline(evaluated, options) +
         build(rows, longest_name, std::clamp(room, 0, 24), options).text(options) +
         next_text(rows, options);
}

}  // namespace tilewright
