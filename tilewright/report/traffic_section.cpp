// SPDX-License-Identifier: Apache-2.0
// The table of counts per memory and tensor.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/report/evaluation_text.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

using CountText = std::string (*)(std::int64_t);

// `GLB: 1 instance, 128 KiB, 12.3 % full`
std::string memory_line(const Evaluated& evaluated, const MemoryEvaluation& memory,
                        const TextOptions& options) {
  const Arch& arch = evaluated.problem.arch();
  const Memory& description = arch.memory(memory.node);
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  std::string detail;
  const std::int64_t there = arch.instances(memory.node);
  if (there > 1) {
    detail += memory.instances == there
                  ? fmt::format("  x {}", count_text(there))
                  : fmt::format("  {} of {} work", count_text(memory.instances), count_text(there));
  }
  if (description.capacity_bits) {
    std::int64_t bits = 0;
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      if (memory.tensors[t].kept && !resolved.partition_bits[t]) {
        bits = checked_add(bits, checked_mul(memory.tensors[t].tile, resolved.bits[t]));
      }
    }
    const std::int64_t room = *description.capacity_bits / description.buffering;
    detail +=
        fmt::format("  {} {}", bits_text(*description.capacity_bits),
                    description.buffering > 1 ? fmt::format("/ {} ", description.buffering) : "");
    detail += room == 0
                  ? "full"
                  : percent_text(static_cast<double>(bits) / static_cast<double>(room)) + " full";
  }
  const std::string name = clip(description.name, options.width / 3);
  return paint(name, Style::kMemory, options) + paint(detail, Style::kDim, options);
}

std::vector<std::string> tensor_cells(const Evaluated& evaluated, const MemoryEvaluation& memory,
                                      TensorId tensor, CountText count,
                                      const TextOptions& options) {
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  const Evaluation& evaluation = evaluated.evaluation;
  const std::optional<std::int64_t> room = room_bits(evaluated.problem, memory.node, tensor);
  const std::int64_t bits = evaluated.problem.memory(memory.node).bits[tensor.pos()];
  const double used = static_cast<double>(checked_mul(counts.tile, bits));
  const double rate = static_cast<double>(checked_add(counts.peak_reads, counts.peak_writes)) /
                      static_cast<double>(std::max<std::int64_t>(1, evaluation.cycles));
  const double per_mac = counts.energy_pj / static_cast<double>(evaluation.computes);
  const auto dash = [&](std::int64_t value) { return value == 0 ? "-" : count(value); };
  return {paint_color(clip(evaluated.problem.workload().tensor(tensor).name, 12),
                      tensor_color(tensor), options),
          count(counts.tile),
          room && *room > 0 ? percent_text(used / static_cast<double>(*room)) : "-",
          dash(counts.reads),
          dash(counts.fills),
          dash(counts.updates),
          ratio_text(refetch(evaluated, memory, tensor)),
          significant_text(rate, 3),
          significant_text(per_mac, 3)};
}

Table build(const Evaluated& evaluated, CountText count, const TextOptions& options) {
  Table table({{"tensor", Table::Align::kLeft, 2},
               {"tile"},
               {"of room"},
               {"reads"},
               {"fills"},
               {"updates"},
               {"re-fetch"},
               {"word/cyc"},
               {"pJ/MAC"}});
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    if (!keeps_anything(memory)) continue;
    table.add_line(memory_line(evaluated, memory, options));
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      if (!memory.tensors[t].kept) continue;
      table.add_row(tensor_cells(evaluated, memory, TensorId(t), count, options));
    }
  }
  return table;
}

}  // namespace

std::string traffic_text(const Evaluated& evaluated, const TextOptions& options) {
  const Table exact = build(evaluated, count_text, options);
  if (exact.width() <= options.width) return exact.text(options);
  return build(evaluated, short_count_text, options).text(options);
}

}  // namespace tilewright
