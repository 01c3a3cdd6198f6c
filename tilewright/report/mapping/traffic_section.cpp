// SPDX-License-Identifier: Apache-2.0
// The table of counts per memory and tensor.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/evaluation/widths.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/evaluation_text.h"

namespace tilewright {
namespace {

// How wide the table is: what gives way first stands first.
struct Fit {
  std::int64_t exact_below = INT64_MAX;  // larger counts are shortened
  int gap = 2;
  int longest_name = 16;
};

// Percent without its sign.
std::string capacity_text(double fraction) {
  const std::string text = percent_text(fraction);
  return text.substr(0, text.size() - 2);
}

// A line for each partition, if there are any: `  for Inputs  64 KiB, 58.6 % full`
std::vector<std::string> partition_lines(const Evaluated& evaluated, const MemoryEvaluation& memory,
                                         const TextOptions& options) {
  const std::vector<Room> rooms = find_rooms(evaluated, memory);
  std::vector<std::string> lines;
  for (const Room& room : rooms) {
    if (rooms.size() == 1 && !room.tensor.valid()) continue;
    const std::string text = fmt::format("  {}  {}", room_name(evaluated, room), room_text(room));
    lines.push_back(paint(clip(text, options.width, options), Style::kDim, options));
  }
  return lines;
}

// `GLB: 1 instance, 128 KiB, 12.3 % full`
std::string memory_line(const Evaluated& evaluated, const MemoryEvaluation& memory,
                        const TextOptions& options) {
  const Arch& arch = evaluated.problem.arch();
  const Memory& description = arch.memory(memory.node);
  std::vector<std::string> details;
  const std::int64_t there = arch.instances(memory.node);
  if (memory.instances < there) {
    details.push_back(
        fmt::format("{} of {} instances work", count_text(memory.instances), count_text(there)));
  } else if (there > 1) {
    details.push_back(plural_text(there, "instance"));
  }
  if (const auto room = whole_room(evaluated, memory)) details.push_back(room_text(*room));
  const std::string detail = fmt::format("  {}", fmt::join(details, ", "));
  const std::string name = clip(description.name, options.width / 3, options);
  if (details.empty()) return paint(name, Style::kMemory, options);
  return paint(name, Style::kMemory, options) + paint(detail, Style::kDim, options);
}

std::vector<std::string> tensor_cells(const Evaluated& evaluated, const MemoryEvaluation& memory,
                                      TensorId tensor, const Fit& fit, const TextOptions& options) {
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  const Evaluation& evaluation = evaluated.evaluation;
  const std::optional<std::int64_t> room = room_bits(evaluated.problem, memory.node, tensor);
  const std::int64_t bits = element_bits(evaluated.problem.memory(memory.node), tensor, counts);
  const double used = static_cast<double>(checked_mul(counts.tile, bits));
  const double rate = static_cast<double>(checked_add(counts.peak_reads, counts.peak_writes)) /
                      static_cast<double>(std::max<std::int64_t>(1, evaluation.cycles));
  const double per_mac = counts.energy_pj / static_cast<double>(evaluation.computes);
  const auto count = [&](std::int64_t value) {
    return value < fit.exact_below ? count_text(value) : short_count_text(value);
  };
  const auto dash = [&](std::int64_t value) { return value == 0 ? "-" : count(value); };
  return {
      paint_color(clip(evaluated.problem.workload().tensor(tensor).name, fit.longest_name, options),
                  tensor_color(tensor), options),
      count(counts.tile),
      room && *room > 0 ? capacity_text(used / static_cast<double>(*room)) : "-",
      dash(counts.reads),
      dash(counts.fills),
      dash(counts.updates),
      ratio_text(refetch(evaluated, memory, tensor)),
      fixed_text(rate, 2),
      fixed_text(per_mac, 3)};
}

Table build(const Evaluated& evaluated, const Fit& fit, const TextOptions& options) {
  std::vector<Table::Column> columns = {{"", Table::Align::kLeft, 2}};
  for (const char* title :
       {"tile", "% cap", "reads", "fills", "updates", "re-fetch", "w/cycle", "pJ/MAC"}) {
    columns.push_back({title, Table::Align::kRight, fit.gap});
  }
  Table table(std::move(columns));
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    if (!keeps_anything(memory)) continue;
    table.add_line(memory_line(evaluated, memory, options));
    for (std::string& line : partition_lines(evaluated, memory, options)) {
      table.add_line(std::move(line));
    }
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      if (!memory.tensors[t].kept) continue;
      table.add_row(tensor_cells(evaluated, memory, TensorId(t), fit, options));
    }
  }
  return table;
}

std::string fitting_table(const Evaluated& evaluated, const TextOptions& options) {
  constexpr Fit kFits[] = {{INT64_MAX, 2, 16}, {INT64_MAX, 1, 16}, {10'000'000, 1, 16},
                           {1'000'000, 1, 16}, {1'000'000, 1, 8},  {10'000, 1, 8}};
  for (const Fit& fit : kFits) {
    const Table table = build(evaluated, fit, options);
    if (table.width() <= options.width) return table.text(options);
  }
  return build(evaluated, {10'000, 1, 4}, options).text(options);
}

}  // namespace

std::string traffic_text(const Evaluated& evaluated, const TextOptions& options) {
  return paint("traffic", Style::kHeading, options) +
         " in elements, all instances; % cap and words/cycle for one instance\n" +
         fitting_table(evaluated, options);
}

}  // namespace tilewright
