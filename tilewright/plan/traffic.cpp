// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/traffic.h"

#include <algorithm>
#include <numeric>

#include "tilewright/base/checked.h"
#include "tilewright/evaluation/widths.h"

namespace tilewright {
namespace {

// What passes through one memory: formulas (15) and (17) of docs/model.md for one instance.
class Flow {
 public:
  Flow(const Arch& arch, NodeId node) : node_(node), memory_(arch.memory(node)) {}

  NodeId node() const { return node_; }

  void read(const char* role, std::int64_t elements, std::int64_t bits) {
    add(role, elements, bits, memory_.energy.read_pj, read_bits_);
  }
  void write(const char* role, std::int64_t elements, std::int64_t bits) {
    add(role, elements, bits, memory_.energy.update_pj, written_bits_);
  }

  double energy_pj() const { return energy_pj_; }
  std::int64_t bits() const { return checked_add(read_bits_, written_bits_); }
  std::int64_t cycles() const {
    std::int64_t cycles = 0;
    const auto limit = [&](std::int64_t bits, const std::optional<Rational>& rate) {
      if (rate) cycles = std::max(cycles, ceil_div(bits, *rate));
    };
    limit(read_bits_, memory_.read_bandwidth);
    limit(written_bits_, memory_.write_bandwidth);
    limit(bits(), memory_.shared_bandwidth);
    return cycles;
  }

 private:
  void add(const char* role, std::int64_t elements, std::int64_t bits,
           const std::optional<double>& pj, std::int64_t& sum) {
    const std::int64_t width = bits_in(memory_, role, bits);
    const Charge charge = charge_of(memory_, width);
    energy_pj_ +=
        static_cast<double>(ceil_div(elements, charge.block)) * pj.value_or(0) * charge.factor;
    sum = checked_add(sum, checked_mul(elements, width));
  }

  NodeId node_;
  const Memory& memory_;
  double energy_pj_ = 0;
  std::int64_t read_bits_ = 0;
  std::int64_t written_bits_ = 0;
};

// The outermost memory that may keep what plays `role`. One that names tensors instead of roles
// says nothing here.
NodeId home_of(const Arch& arch, const char* role) {
  for (const NodeId id : arch.memories()) {
    const Selection& keep = arch.memory(id).keep;
    if (keep.all || std::ranges::find(keep.names, role) != keep.names.end()) return id;
  }
  return arch.memories().front();
}

// All instances of everything, by level, as long as it lasts: (18).
std::vector<double> leakage_pj(const Arch& arch, double cycles) {
  std::vector<double> levels;
  for (const NodeId id : arch.memories()) {
    levels.push_back(cycles * arch.memory(id).leakage_pj_per_cycle *
                     static_cast<double>(arch.instances(id)));
  }
  levels.push_back(cycles * arch.compute().leakage_pj_per_cycle *
                   static_cast<double>(arch.compute_units()));
  return levels;
}

/// What passes through the memories of an architecture.
class Flows {
 public:
  explicit Flows(const Arch& arch) : arch_(arch) {}

  Flow& at(NodeId node) {
    const auto found = std::ranges::find(flows_, node, &Flow::node);
    return found == flows_.end() ? flows_.emplace_back(arch_, node) : *found;
  }

  /// What they come to, with the leakage of everything while it lasts.
  PlannedLayer sum() const {
    PlannedLayer planned;
    for (const Flow& flow : flows_) {
      const auto cycles = static_cast<double>(flow.cycles());
      if (!planned.slowest.valid() || cycles > planned.cycles) planned.slowest = flow.node();
      planned.cycles = std::max(planned.cycles, cycles);
      const bool off_chip = arch_.is_off_chip(flow.node());
      if (off_chip) planned.dram_bits += static_cast<double>(flow.bits());
    }
    planned.levels_pj = leakage_pj(arch_, planned.cycles);
    for (const Flow& flow : flows_) {
      const auto place =
          std::ranges::find(arch_.memories(), flow.node()) - arch_.memories().begin();
      planned.levels_pj[static_cast<std::size_t>(place)] += flow.energy_pj();
    }
    planned.energy_pj = std::accumulate(planned.levels_pj.begin(), planned.levels_pj.end(), 0.0);
    return planned;
  }

 private:
  const Arch& arch_;
  std::vector<Flow> flows_;
};

}  // namespace

std::int64_t bits_in(const Memory& memory, const char* role, std::int64_t bits) {
  for (const ElementWidth& item : memory.bits) {
    if (item.tensor == role) return item.bits;
  }
  return bits;
}

std::int64_t off_chip_bits(const Problem& problem, const Evaluation& evaluation) {
  std::int64_t sum = 0;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (!problem.arch().is_off_chip(memory.node)) continue;
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      const MovedBits moved =
          moved_bits(problem.memory(memory.node), TensorId(t), memory.tensors[t]);
      sum = checked_add(sum, checked_add(moved.read, moved.written));
    }
  }
  return sum;
}

PlannedLayer plan_traffic(const Network& network, const Layer& layer, const Arch& arch,
                          NodeId buffer, const std::vector<bool>& resident) {
  Flows flows(arch);
  const auto flow = [&](const EdgeUse& use, const char* role) -> Flow& {
    return flows.at(resident[use.edge] ? buffer : home_of(arch, role));
  };
  if (layer.parameters > 0) {
    flows.at(home_of(arch, "weight")).read("weight", layer.parameters, layer.parameter_bits);
  }
  for (const EdgeUse& use : layer.reads) {
    const Edge& edge = network.edges[use.edge];
    flow(use, "input").read("input", edge.elements, edge.bits);
  }
  for (const EdgeUse& use : layer.writes) {
    const Edge& edge = network.edges[use.edge];
    flow(use, "output").write("output", edge.elements, edge.bits);
  }
  return flows.sum();
}

}  // namespace tilewright
