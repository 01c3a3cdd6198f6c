// SPDX-License-Identifier: Apache-2.0
// Cycles and energy of the whole: formulas (15) to (19) of docs/model.md.
#include <algorithm>
#include <bit>

#include "tilewright/base/checked.h"
#include "tilewright/model/evaluator.h"

namespace tilewright {
namespace {

// max(least, ceil(bits / rate)), `least` where nothing limits it. Whole rates, the usual ones,
// spare a division of 128 bits, or any where `least` is enough.
std::int64_t cycles_for(std::int64_t least, std::int64_t bits, const Rational& rate) {
  if (rate.num == 0) return least;
  if (rate.den != 1) return std::max(least, ceil_div(bits, rate));
  std::int64_t enough = 0;
  if (!__builtin_mul_overflow(least, rate.num, &enough) && bits <= enough) return least;
  return std::max(least, ceil_div(bits, rate.num));
}

}  // namespace

void Evaluator::finish() {
  std::int64_t steps = 1;
  for (int d = 0; d < dims_; ++d) steps *= steps_[static_cast<std::size_t>(d)];
  result_.compute_steps = steps;
  result_.cycles = steps;
  result_.bottleneck = NodeId();
  for (int m = 0; m < memories_; ++m) {
    if (options_.detail || memory_[static_cast<std::size_t>(m)].limited) find_pace(m);
  }
  const double cycles = static_cast<double>(result_.cycles);
  double energy = 0;
  for (int m = 0; m < memories_; ++m) {
    MemoryEvaluation& memory = result_.memories[static_cast<std::size_t>(m)];
    memory.leakage_pj = memory_[static_cast<std::size_t>(m)].leakage_pj * cycles;  // (18)
    memory.energy_pj = memory.leakage_pj;
    for (const TensorCounts& counts : memory.tensors) memory.energy_pj += counts.energy_pj;
    energy += memory.energy_pj;
  }
  result_.compute_energy_pj = compute_pj_ + compute_leakage_pj_ * cycles;
  result_.energy_pj = energy + result_.compute_energy_pj;  // (19)
}

// Bits that a memory moves; elements(counts) are those of one tensor.
template <typename Elements>
Evaluator::Traffic Evaluator::add_traffic(int memory, const Elements& elements) {
  const std::size_t m = static_cast<std::size_t>(memory);
  Traffic sum;
  for (TensorSet left = kept_[m]; left != 0; left &= left - 1) {
    const std::size_t t = static_cast<std::size_t>(std::countr_zero(left));
    TensorCounts& counts = result_.memories[m].tensors[t];
    const Traffic moved = elements(counts);
    const std::int64_t bits = width_of(m, t, counts).bits;
    sum.reads = checked_add(sum.reads, checked_mul(moved.reads, bits));
    sum.writes = checked_add(sum.writes, checked_mul(moved.writes, bits));
    sum.writes -= counts.finished_updates * (bits - memory_[m].width[t].bits);
  }
  return sum;
}

// True if `copies` instances that move so many bits together need more cycles than are counted.
inline bool Evaluator::exceeds_pace(int memory, const Traffic& traffic, std::int64_t copies) const {
  const MemoryInfo& info = memory_[static_cast<std::size_t>(memory)];
  std::int64_t cycles = 0;
  const bool wide = __builtin_mul_overflow(result_.cycles, copies, &cycles);
  const auto exceeds = [&](const Rational& rate, std::int64_t bits) {
    if (rate.num == 0) return false;
    std::int64_t capacity = 0;
    if (!wide && rate.den == 1 && !__builtin_mul_overflow(cycles, rate.num, &capacity)) [[likely]] {
      return bits > capacity;
    }
    return static_cast<__int128>(bits) * rate.den >
           static_cast<__int128>(result_.cycles) * copies * rate.num;
  };
  return exceeds(info.read_rate, traffic.reads) || exceeds(info.write_rate, traffic.writes) ||
         (info.shared_rate.num > 0 &&
          exceeds(info.shared_rate, checked_add(traffic.reads, traffic.writes)));
}

// (16): whether this memory needs more cycles than are counted so far. Without `detail`, nothing
// more is computed than that takes.
void Evaluator::find_pace(int memory) {
  const std::size_t m = static_cast<std::size_t>(memory);
  MemoryEvaluation& result = result_.memories[m];
  result.cycles = 0;
  Traffic traffic;
  const bool single = result.instances == 1;
  const bool alike = single || (ragged_dims_ & spatial_dims_) == 0;
  if (!memory_[m].limited) {  // nobody asks for bits, which may be too many to count
    count_peaks(memory, alike);
    return;
  }
  if (single || (alike && !options_.detail)) {
    traffic = add_traffic(memory, [single](TensorCounts& counts) {
      const Traffic all{counts.reads, counts.fills + counts.updates};
      if (single) counts.peak_reads = all.reads, counts.peak_writes = all.writes;
      return all;
    });
  }
  if (!options_.detail &&
      !(alike ? exceeds_pace(memory, traffic, result.instances) : may_set_pace(memory))) {
    return;
  }
  if (!single) {
    count_peaks(memory, alike);
    traffic = add_traffic(memory, [](const TensorCounts& counts) {
      return Traffic{counts.peak_reads, counts.peak_writes};
    });
  }
  result.cycles = memory_cycles(memory, traffic);
  if (result.cycles > result_.cycles) {
    result_.cycles = result.cycles;
    result_.bottleneck = result.node;
  }
}

// False if the memory cannot need more cycles than are counted already: an instance serves each
// unit inside it with at most one element of each tensor a step, and gets no more than it serves.
bool Evaluator::may_set_pace(int memory) const {
  const std::size_t m = static_cast<std::size_t>(memory);
  if (problem_.conventions() != Conventions{}) return true;
  std::int64_t served = result_.compute_steps;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    served =
        checked_mul(served, units_inside_[m][static_cast<std::size_t>(std::countr_zero(left))]);
  }
  Traffic each;
  for (TensorSet left = kept_[m]; left != 0; left &= left - 1) {
    const std::size_t t = static_cast<std::size_t>(std::countr_zero(left));
    const std::int64_t bits = width_of(m, t, result_.memories[m].tensors[t]).bits;
    each.reads += bits;
    if (!links_[static_cast<std::size_t>(link_below_[m][t])].home) each.writes += bits;
    if (tensor_[t].is_output) each.writes += bits;
  }
  return exceeds_pace(memory, {checked_mul(served, each.reads), checked_mul(served, each.writes)},
                      1);
}

// The first instance of (15). Where no dim that is spread in space is ragged, all are
// alike.
void Evaluator::count_peaks(int memory, bool alike) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::int64_t instances = result_.memories[m].instances;
  const LoopSet outside = space_outside_[m];
  for (TensorSet left = kept_[m]; left != 0; left &= left - 1) {
    const std::size_t t = static_cast<std::size_t>(std::countr_zero(left));
    TensorCounts& counts = result_.memories[m].tensors[t];
    if (alike) {
      counts.peak_reads = counts.reads / instances;
      counts.peak_writes = (counts.fills + counts.updates) / instances;
      continue;
    }
    const std::size_t below = static_cast<std::size_t>(link_below_[m][t]);
    const LinkState& state = link_state_[below];
    const std::int64_t delivered = moved(below, {state.merged_space, outside, state.sharing});
    const bool home = links_[below].home;
    const std::int64_t received = home ? 0 : moved(below - 1, {0, outside, Sharing::kEqual});
    counts.peak_reads = delivered;
    counts.peak_writes = received;
    if (!tensor_[t].is_output) continue;
    const std::int64_t fresh = first_touches(row_[m][t], static_cast<int>(t), outside);
    counts.peak_reads =
        delivered - fresh + (problem_.conventions().drains_are_reads ? received : 0);
    counts.peak_writes = delivered + (home ? 0 : received - fresh);
  }
}

// (15)
std::int64_t Evaluator::memory_cycles(int memory, const Traffic& traffic) const {
  const MemoryInfo& info = memory_[static_cast<std::size_t>(memory)];
  std::int64_t cycles = cycles_for(0, traffic.reads, info.read_rate);
  cycles = cycles_for(cycles, traffic.writes, info.write_rate);
  if (info.shared_rate.num == 0) return cycles;
  return cycles_for(cycles, checked_add(traffic.reads, traffic.writes), info.shared_rate);
}

}  // namespace tilewright
