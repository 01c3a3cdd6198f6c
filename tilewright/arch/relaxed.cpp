// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/relaxed.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright {
namespace {

// Products and quotients of leakages are rounded; this keeps the result below each of them.
constexpr double kBelow = 1 - 1e-12;

bool is_less(std::int64_t a, std::int64_t b) { return a < b; }
bool is_less(const Rational& a, const Rational& b) {
  return static_cast<__int128>(a.num) * b.den < static_cast<__int128>(b.num) * a.den;
}

// Absent means unlimited.
template <typename Figure>
void allow_more(std::optional<Figure>& figure, const std::optional<Figure>& other) {
  if (!figure) return;
  if (!other || is_less(*figure, *other)) figure = other;
}

// Absent counts as 0.
void charge_less(std::optional<double>& energy, const std::optional<double>& other) {
  if (energy || other) energy = std::min(energy.value_or(0), other.value_or(0));
}

// All that may differ is made equal.
Memory without_figures(Memory memory) {
  memory.capacity_bits.reset();
  for (PerTensor& partition : memory.partitions) partition.value = 0;
  memory.read_bandwidth.reset();
  memory.write_bandwidth.reset();
  memory.shared_bandwidth.reset();
  const bool per_bit = memory.energy.per_bit;
  memory.energy = {};
  memory.energy.per_bit = per_bit;
  memory.leakage_pj_per_cycle = 0;
  memory.area_um2 = 0;
  return memory;
}

Fanout without_figures(Fanout fanout) {
  for (Axis& axis : fanout.axes) axis.size = 1;
  return fanout;
}

void relax(Memory& memory, const Memory& other) {
  allow_more(memory.capacity_bits, other.capacity_bits);
  for (std::size_t i = 0; i < memory.partitions.size(); ++i) {
    memory.partitions[i].value = std::max(memory.partitions[i].value, other.partitions[i].value);
  }
  allow_more(memory.read_bandwidth, other.read_bandwidth);
  allow_more(memory.write_bandwidth, other.write_bandwidth);
  allow_more(memory.shared_bandwidth, other.shared_bandwidth);
  charge_less(memory.energy.read_pj, other.energy.read_pj);
  charge_less(memory.energy.fill_pj, other.energy.fill_pj);
  charge_less(memory.energy.update_pj, other.energy.update_pj);
  memory.area_um2 = std::min(memory.area_um2, other.area_um2);
}

void relax(Fanout& fanout, const Fanout& other) {
  for (std::size_t i = 0; i < fanout.axes.size(); ++i) {
    fanout.axes[i].size = std::max(fanout.axes[i].size, other.axes[i].size);
  }
}

bool is_alike(const ArchNode& a, const ArchNode& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& node) {
        return without_figures(node) == without_figures(std::get<std::decay_t<decltype(node)>>(b));
      },
      a);
}

// What all instances leak together.
double leakage_of(const Arch& arch, NodeId memory) {
  return arch.memory(memory).leakage_pj_per_cycle * static_cast<double>(arch.instances(memory));
}
double leakage_of_compute(const Arch& arch) {
  return arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
}

// Instances of each node, then compute units.
std::vector<double> count_instances(std::span<const ArchNode> nodes) {
  std::vector<double> counts;
  double copies = 1;
  for (const ArchNode& node : nodes) {
    counts.push_back(copies);
    if (const auto* fanout = std::get_if<Fanout>(&node)) {
      for (const Axis& axis : fanout->axes) copies *= static_cast<double>(axis.size);
    }
  }
  counts.push_back(copies);
  return counts;
}

}  // namespace

std::optional<Arch> relax(std::span<const Arch> archs) {
  const Arch& first = archs.front();
  std::vector<ArchNode> nodes(first.nodes().begin(), first.nodes().end());
  Compute compute = first.compute();
  for (const Arch& arch : archs.subspan(1)) {
    if (!std::ranges::equal(arch.nodes(), first.nodes(), is_alike)) return std::nullopt;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::visit(
          [&](auto& node) { relax(node, std::get<std::decay_t<decltype(node)>>(arch.nodes()[i])); },
          nodes[i]);
    }
    charge_less(compute.energy_pj, arch.compute().energy_pj);
    compute.area_um2 = std::min(compute.area_um2, arch.compute().area_um2);
  }
  const std::vector<double> instances = count_instances(nodes);
  if (instances.back() > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto* memory = std::get_if<Memory>(&nodes[i]);
    if (memory == nullptr) continue;
    const NodeId id(static_cast<int>(i));
    double least = leakage_of(first, id);
    for (const Arch& arch : archs) least = std::min(least, leakage_of(arch, id));
    memory->leakage_pj_per_cycle = least / instances[i] * kBelow;
  }
  double least = leakage_of_compute(first);
  for (const Arch& arch : archs) least = std::min(least, leakage_of_compute(arch));
  compute.leakage_pj_per_cycle = least / instances.back() * kBelow;
  return Arch(first.name(), first.note(), std::nullopt, std::move(nodes), std::move(compute));
}

}  // namespace tilewright
