// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/problem_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

// From the smallest to the largest index that the rank takes.
std::int64_t rank_extent(const Workload& workload, const Rank& rank) {
  std::int64_t extent = 1;
  for (const Term& term : rank.terms) {
    extent = checked_add(extent,
                         checked_mul(std::abs(term.coefficient), workload.dim(term.dim).size - 1));
  }
  return extent;
}

std::string bandwidth_text(const Memory& memory) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const std::optional<Rational>& rate) {
    if (rate) parts.push_back(what + rational_text(*rate));
  };
  add("", memory.shared_bandwidth);
  add("r ", memory.read_bandwidth);
  add("w ", memory.write_bandwidth);
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, " "));
}

std::string pj_text(const std::optional<double>& energy, bool per_bit) {
  return energy ? fmt::format("{:.4g}{}", *energy, per_bit ? "/bit" : "") : "-";
}

// `8 bit`, or `8 bit, 32 partial` if sums are wider until they are finished.
std::string element_text(const Tensor& tensor) {
  const std::string bits = fmt::format("{} bit", tensor.bits);
  return tensor.partial_bits ? fmt::format("{}, {} partial", bits, *tensor.partial_bits) : bits;
}

std::string keep_text(const Selection& keep) {
  if (keep.all) return "all";
  if (keep.names.empty()) return "nothing";
  return fmt::format("{}", fmt::join(keep.names, " "));
}

// Fills and updates together where they cost the same.
std::string write_text(const ActionEnergy& energy) {
  const std::string fill = pj_text(energy.fill_pj, energy.per_bit);
  if (energy.fill_pj == energy.update_pj) return fill;
  return fill + (energy.per_bit ? " " : "/") + pj_text(energy.update_pj, energy.per_bit);
}

std::vector<std::string> memory_cells(const Arch& arch, NodeId id, const TextOptions& options) {
  const Memory& memory = arch.memory(id);
  return {clip(memory.name, 16, options),
          count_text(arch.instances(id)),
          memory.capacity_bits ? bits_text(*memory.capacity_bits) : "-",
          bandwidth_text(memory),
          pj_text(memory.energy.read_pj, memory.energy.per_bit),
          write_text(memory.energy),
          clip(keep_text(memory.keep), 18, options)};
}

// Each source and the nodes whose energies come from it.
std::vector<std::pair<std::string, std::string>> energy_sources(const Arch& arch) {
  std::vector<std::pair<std::string, std::string>> sources;
  const auto add = [&](const std::string& source, const std::string& node) {
    if (source.empty()) return;
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const auto& entry) { return entry.first == source; });
    if (found == sources.end()) {
      sources.emplace_back(source, node);
    } else {
      found->second += ", " + node;
    }
  };
  for (const NodeId id : arch.memories()) add(arch.memory(id).energy.source, arch.memory(id).name);
  add(arch.compute().source, arch.compute().name);
  return sources;
}

std::string fanout_line(const Fanout& fanout, const TextOptions& options) {
  std::vector<std::string> axes;
  for (const Axis& axis : fanout.axes) axes.push_back(fmt::format("{} {}", axis.name, axis.size));
  const char* multicast = fanout.multicast == Multicast::kNone      ? "none"
                          : fanout.multicast == Multicast::kOverlap ? "overlap"
                                                                    : "equal";
  const std::string text =
      fmt::format("  {}: {}, multicast {}, {}", fanout.name, fmt::join(axes, " x "), multicast,
                  fanout.reduction ? "reduction" : "no reduction");
  return paint(clip(text, options.width, options), Style::kBold, options);
}

}  // namespace

std::string workload_text(const Workload& workload, const TextOptions& options) {
  std::string result =
      fmt::format("{} {}: {}\n", paint("workload", Style::kHeading, options),
                  clip(workload.name(), 40, options), plural_text(workload.computes(), "MAC"));
  result += wrap_words("  ", to_einsum(workload), options.width);
  std::vector<std::string> dims;
  for (const Dim& dim : workload.dims()) {
    dims.push_back(fmt::format("{} {}", dim.name, count_text(dim.size)));
  }
  for (const std::string& line : wrap_items(dims, ", ", options.width - 2)) {
    result += "  " + line + "\n";
  }
  Table table({{"tensor", Table::Align::kLeft, 2},
               {"role", Table::Align::kLeft},
               {"element"},
               {"shape", Table::Align::kLeft}});
  for (const Tensor& tensor : workload.tensors()) {
    std::vector<std::string> shape;
    for (const Rank& rank : tensor.ranks) shape.push_back(count_text(rank_extent(workload, rank)));
    table.add_row({clip(tensor.name, 20, options), clip(tensor.role, 12, options),
                   element_text(tensor),
                   clip(fmt::format("{}", fmt::join(shape, " x ")), options.width - 50, options)});
  }
  return result + table.text(options);
}

namespace {

// The sum over all instances of all nodes whose area is given, and how many are not.
std::string area_line(const Arch& arch) {
  double area_um2 = arch.compute().area_um2 * static_cast<double>(arch.compute_units());
  int missing = arch.compute().area_um2 == 0 ? 1 : 0;
  for (const NodeId id : arch.memories()) {
    const double each = arch.memory(id).area_um2;
    area_um2 += each * static_cast<double>(arch.instances(id));
    missing += each == 0 ? 1 : 0;
  }
  if (area_um2 == 0) return "";
  std::string line = fmt::format("  area {:.4g} mm2, all instances", area_um2 / 1e6);
  if (missing > 0) line += "; not given for " + plural_text(missing, "node");
  return line + "\n";
}

}  // namespace

std::string arch_text(const Arch& arch, const TextOptions& options) {
  std::string head =
      fmt::format("{} {}: {}", paint("arch", Style::kHeading, options),
                  clip(arch.name(), 40, options), plural_text(arch.compute_units(), "unit"));
  if (arch.clock_hz()) head += " at " + si_text(to_double(*arch.clock_hz()), "Hz", 3);
  std::string result = head + "\n";
  if (!arch.note().empty()) result += wrap_words("  ", arch.note(), options.width);
  Table table({{"node", Table::Align::kLeft, 2},
               {"copies"},
               {"capacity"},
               {"bit/cycle"},
               {"read pJ"},
               {"write pJ"},
               {"keeps", Table::Align::kLeft}});
  for (std::size_t i = 0; i < arch.nodes().size(); ++i) {
    const NodeId id(i);
    if (arch.is_memory(id)) {
      table.add_row(memory_cells(arch, id, options));
    } else {
      table.add_line(fanout_line(arch.fanout(id), options));
    }
  }
  result += table.text(options);
  const Compute& compute = arch.compute();
  result += fmt::format("  {}: {}, {} pJ per MAC\n", paint(compute.name, Style::kBold, options),
                        plural_text(arch.compute_units(), "unit"),
                        compute.energy_pj ? fmt::format("{:.4g}", *compute.energy_pj) : "no");
  return result + area_line(arch) + energy_sources_text(arch, options);
}

std::string energy_sources_text(const Arch& arch, const TextOptions& options) {
  std::string result;
  for (const auto& [source, nodes] : energy_sources(arch)) {
    result += wrap_words("  from: ", source + " (" + nodes + ")", options.width);
  }
  return result;
}

}  // namespace tilewright
