// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/arch.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tilewright {
namespace {

constexpr std::int64_t kMaxUnits = std::int64_t{1} << 31;

void check_figure(const std::string& node, const char* what, double value,
                  std::vector<std::string>& faults) {
  if (!(value >= 0) || !std::isfinite(value)) {
    faults.push_back("`" + node + "`: " + what + " is not a number from 0 up");
  }
}

void find_memory_faults(const Memory& memory, std::vector<std::string>& faults) {
  const auto positive = [&](const char* what, std::int64_t value) {
    if (value < 1) faults.push_back("`" + memory.name + "`: " + what + " is less than 1");
  };
  if (memory.capacity_bits && *memory.capacity_bits < 0) {
    faults.push_back("`" + memory.name + "`: capacity is negative");
  }
  for (const PerTensor& part : memory.partitions) {
    if (part.value < 0) faults.push_back("`" + memory.name + "`: a partition is negative");
  }
  for (const ElementWidth& width : memory.bits) {
    if (width.bits < 1 || width.bits > 4096) {
      faults.push_back("`" + memory.name + "`: elements have 1 to 4096 bits, not " +
                       std::to_string(width.bits));
    }
    if (width.partial_bits && (*width.partial_bits < width.bits || *width.partial_bits > 4096)) {
      faults.push_back("`" + memory.name + "`: partial sums have " + std::to_string(width.bits) +
                       " (a finished element) to 4096 bits, not " +
                       std::to_string(*width.partial_bits));
    }
  }
  positive("buffering", memory.buffering);
  if (memory.width_bits) positive("width", *memory.width_bits);
  for (const auto* rate :
       {&memory.read_bandwidth, &memory.write_bandwidth, &memory.shared_bandwidth}) {
    if (*rate && ((*rate)->num < 1 || (*rate)->den < 1)) {
      faults.push_back("`" + memory.name + "`: a bandwidth is not positive");
    }
  }
  check_figure(memory.name, "read energy", memory.energy.read_pj.value_or(0), faults);
  check_figure(memory.name, "fill energy", memory.energy.fill_pj.value_or(0), faults);
  check_figure(memory.name, "update energy", memory.energy.update_pj.value_or(0), faults);
  check_figure(memory.name, "leakage", memory.leakage_pj_per_cycle, faults);
  check_figure(memory.name, "area", memory.area_um2, faults);
}

void find_fanout_faults(const Fanout& fanout, __int128& units, std::vector<std::string>& faults) {
  if (fanout.axes.size() > Arch::kMaxAxes) {
    faults.push_back("fan-out `" + fanout.name + "` has " + std::to_string(fanout.axes.size()) +
                     " axes; at most " + std::to_string(Arch::kMaxAxes) + " are possible");
  }
  for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
    const Axis& axis = fanout.axes[a];
    if (axis.size < 1) {
      faults.push_back("fan-out `" + fanout.name + "`: axis `" + axis.name + "` has size " +
                       std::to_string(axis.size));
      continue;
    }
    for (std::size_t b = 0; b < a; ++b) {
      if (fanout.axes[b].name == axis.name) {
        faults.push_back("fan-out `" + fanout.name + "` has two axes called `" + axis.name + "`");
      }
    }
    if (units <= kMaxUnits) units *= axis.size;
  }
}

// By their names: a role and a tensor that plays it are two.
bool share_a_tensor(const Selection& a, const Selection& b) {
  if (a.all || b.all) return true;
  return std::ranges::find_first_of(a.names, b.names) != a.names.end();
}

}  // namespace

Charge charge_of(const Memory& memory, std::int64_t bits) {
  if (memory.energy.per_bit) return {1, static_cast<double>(bits)};
  return {memory.width_bits ? std::max<std::int64_t>(1, *memory.width_bits / bits) : 1, 1};
}

const std::string& node_name(const ArchNode& node) {
  return std::visit([](const auto& n) -> const std::string& { return n.name; }, node);
}

std::vector<std::string> find_arch_faults(std::span<const ArchNode> nodes, const Compute& compute) {
  std::vector<std::string> faults;
  if (nodes.empty() || !std::holds_alternative<Memory>(nodes.front())) {
    faults.push_back("the outermost node is not a memory, so the tensors have no home");
  }
  if (nodes.size() > Arch::kMaxNodes) {
    faults.push_back("an architecture has at most " + std::to_string(Arch::kMaxNodes) +
                     " memories and fan-outs, this one " + std::to_string(nodes.size()));
    return faults;
  }
  __int128 units = 1;
  std::vector<std::string> names{compute.name};
  for (const ArchNode& node : nodes) {
    names.push_back(node_name(node));
    if (const auto* memory = std::get_if<Memory>(&node)) find_memory_faults(*memory, faults);
    if (const auto* fanout = std::get_if<Fanout>(&node)) find_fanout_faults(*fanout, units, faults);
  }
  if (units > kMaxUnits) faults.push_back("there are more than 2^31 compute units");
  std::ranges::sort(names);
  if (names.front().empty()) faults.push_back("a node has no name");
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i] == names[i - 1]) faults.push_back("two nodes are called `" + names[i] + "`");
  }
  check_figure(compute.name, "energy", compute.energy_pj.value_or(0), faults);
  check_figure(compute.name, "leakage", compute.leakage_pj_per_cycle, faults);
  check_figure(compute.name, "area", compute.area_um2, faults);
  return faults;
}

Arch::Arch(std::string name, std::string note, std::optional<Rational> clock_hz,
           std::vector<ArchNode> outermost_first, Compute compute)
    : name_(std::move(name)),
      note_(std::move(note)),
      clock_hz_(clock_hz),
      nodes_(std::move(outermost_first)),
      compute_(std::move(compute)) {
  const std::vector<std::string> faults = find_arch_faults(nodes_, compute_);
  TW_CHECK(faults.empty(), faults.front());
  std::int64_t copies = 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    instances_.push_back(copies);
    if (const auto* fanout = std::get_if<Fanout>(&nodes_[i])) {
      fanouts_.push_back(NodeId(i));
      for (const Axis& axis : fanout->axes) copies *= axis.size;
    } else {
      memories_.push_back(NodeId(i));
    }
  }
  instances_.push_back(copies);
}

bool Arch::is_off_chip(NodeId id) const {
  const Memory& inner = memory(id);
  if (inner.off_chip) return *inner.off_chip;
  if (id == memories_.front()) return true;
  if (inner.capacity_bits || !inner.partitions.empty()) return false;
  if (inner.keep.all || inner.keep.names.empty()) return false;
  return std::ranges::none_of(memories_, [&](NodeId other) {
    return other < id && share_a_tensor(memory(other).keep, inner.keep);
  });
}

std::vector<NodeId> Arch::off_chip_memories() const {
  std::vector<NodeId> result;
  std::ranges::copy_if(memories_, std::back_inserter(result),
                       [&](NodeId id) { return is_off_chip(id); });
  return result;
}

std::optional<NodeId> Arch::find(std::string_view name) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (node_name(nodes_[i]) == name) return NodeId(i);
  }
  return std::nullopt;
}

}  // namespace tilewright
