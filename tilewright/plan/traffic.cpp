// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/traffic.h"

#include <algorithm>
#include <numeric>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// What passes through one memory: formulas (15) and (17) of docs/model.md for one instance.
class Flow {
 public:
  explicit Flow(const Memory& memory) : memory_(memory) {}

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

  const Memory& memory_;
  double energy_pj_ = 0;
  std::int64_t read_bits_ = 0;
  std::int64_t written_bits_ = 0;
};

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

}  // namespace

std::int64_t bits_in(const Memory& memory, const char* role, std::int64_t bits) {
  for (const ElementWidth& item : memory.bits) {
    if (item.tensor == role) return item.bits;
  }
  return bits;
}

PlannedLayer plan_traffic(const Network& network, const Layer& layer, const Arch& arch,
                          NodeId buffer, const std::vector<bool>& resident) {
  Flow outside(arch.memory(arch.memories().front()));
  Flow inside(arch.memory(buffer.valid() ? buffer : arch.memories().front()));
  const auto flow = [&](const EdgeUse& use) -> Flow& {
    return resident[use.edge] ? inside : outside;
  };
  if (layer.parameters > 0) outside.read("weight", layer.parameters, layer.parameter_bits);
  for (const EdgeUse& use : layer.reads) {
    flow(use).read("input", network.edges[use.edge].elements, network.edges[use.edge].bits);
  }
  for (const EdgeUse& use : layer.writes) {
    flow(use).write("output", network.edges[use.edge].elements, network.edges[use.edge].bits);
  }
  PlannedLayer planned;
  planned.cycles = static_cast<double>(std::max(outside.cycles(), inside.cycles()));
  planned.levels_pj = leakage_pj(arch, planned.cycles);
  planned.levels_pj.front() += outside.energy_pj();
  if (buffer.valid()) {
    const auto place = std::ranges::find(arch.memories(), buffer) - arch.memories().begin();
    planned.levels_pj[static_cast<std::size_t>(place)] += inside.energy_pj();
  }
  planned.energy_pj = std::accumulate(planned.levels_pj.begin(), planned.levels_pj.end(), 0.0);
  planned.dram_bits = static_cast<double>(outside.bits());
  return planned;
}

}  // namespace tilewright
