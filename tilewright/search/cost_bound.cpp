// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/cost_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

// Calls `visit` with every dim of the set.
template <typename Visit>
void for_dims(DimSet dims, const Visit& visit) {
  for (; dims != 0; dims &= dims - 1) visit(static_cast<std::size_t>(std::countr_zero(dims)));
}

}  // namespace

CostBound::CostBound(const Problem& problem, const Rules& rules, Keeps keeps,
                     const Conventions& conventions)
    : problem_(problem),
      rules_(rules),
      keeps_(std::move(keeps)),
      drains_are_reads_(conventions.drains_are_reads) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  dims_ = static_cast<int>(workload.dims().size());
  tensors_ = static_cast<int>(workload.tensors().size());
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : workload.dims()) sizes.push_back(dim.size);
  still_.resize(sizes.size());
  for (int t = 0; t < tensors_; ++t) {
    const TensorId id(t);
    irrelevant_.push_back(((DimSet{1} << dims_) - 1) & ~workload.relevant_dims(id));
    for_dims(irrelevant_.back(), [&](std::size_t d) { still_[d] |= only(id); });
    // Holes that count as data only make it more.
    elements_.push_back(static_cast<double>(TileForm(workload, id, false).elements(sizes)));
    double touched = 1;
    for_dims(workload.relevant_dims(id),
             [&](std::size_t d) { touched *= static_cast<double>(sizes[d]); });
    most_touched_.push_back(touched);
  }
  kept_by_.resize(static_cast<std::size_t>(tensors_));
  for (std::size_t m = 0; m < rules.keeps.size(); ++m) {
    const Memory& memory = arch.memory(rules.keeps[m].memory);
    const ResolvedMemory& resolved = problem.memory(rules.keeps[m].memory);
    prices_.emplace_back();
    for (std::size_t t = 0; t < static_cast<std::size_t>(tensors_); ++t) {
      const double block = memory.width_bits ? static_cast<double>(std::max<std::int64_t>(
                                                   1, *memory.width_bits / resolved.bits[t]))
                                             : 1;
      prices_.back().push_back({memory.energy.read_pj.value_or(0) / block,
                                memory.energy.fill_pj.value_or(0) / block,
                                memory.energy.update_pj.value_or(0) / block});
      if ((keeps_[m] >> t & 1U) != 0) kept_by_[t].push_back(static_cast<int>(m));
    }
    leakage_pj_ +=
        memory.leakage_pj_per_cycle * static_cast<double>(arch.instances(rules.keeps[m].memory));
  }
  leakage_pj_ += arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
  computes_ = static_cast<double>(workload.computes());
  fixed_pj_ = computes_ * arch.compute().energy_pj.value_or(0);
  for (const Tensor& tensor : workload.tensors()) {
    plain_.push_back(
        std::ranges::all_of(tensor.ranks, [](const Rank& rank) { return rank.terms.size() <= 1; }));
  }
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (rules.places[p].is_block()) place_of_.push_back(p);
  }
}

OuterPart CostBound::start() const {
  OuterPart part;
  part.count.fill(1);
  for (Moves& moves : part.moves) {
    moves.received.fill(1);
    moves.delivered.fill(1);
    moves.shared.fill(1);
  }
  return part;
}

double CostBound::product(int tensor, const std::array<double, Workload::kMaxDims>& counts) const {
  double result = elements_[static_cast<std::size_t>(tensor)];
  for_dims(irrelevant_[static_cast<std::size_t>(tensor)],
           [&](std::size_t d) { result *= counts[d]; });
  return result;
}

// (6), (7) for the link from the tensor's parent to `memory`.
void CostBound::settle(int tensor, int memory, OuterPart& part) const {
  const std::size_t t = static_cast<std::size_t>(tensor);
  const Moves& moves = part.moves[t];
  const Prices& outside = prices_[static_cast<std::size_t>(moves.parent)][t];
  const Prices& inside = prices_[static_cast<std::size_t>(memory)][t];
  const double delivered = product(tensor, moves.delivered);
  const double received = product(tensor, moves.received);
  double reads = delivered;
  double fills = received;
  if (tensor == problem_.workload().output().value) {
    reads = std::max(0.0, delivered - most_touched_[t] * moves.parent_copies);
    fills = std::max(0.0, received - most_touched_[t] * moves.copies);
    part.energy_pj += delivered * outside.update;
    if (drains_are_reads_) part.energy_pj += received * inside.read;
    if (moves.parent == 0) part.traffic += delivered;
  }
  part.energy_pj += reads * outside.read + fills * inside.fill;
  if (moves.parent == 0) part.traffic += reads;
}

void CostBound::enter_memory(int memory, OuterPart& part) const {
  for (int t = 0; t < tensors_; ++t) {
    if ((keeps_[static_cast<std::size_t>(memory)] >> t & 1U) == 0) continue;
    Moves& moves = part.moves[static_cast<std::size_t>(t)];
    if (moves.parent >= 0) settle(t, memory, part);
    moves.parent = memory;
    moves.parent_copies = moves.copies;
    moves.delivered = moves.received;
    moves.shared.fill(1);
  }
}

void CostBound::leave_block(DimSet active, DimId innermost,
                            const std::array<std::int64_t, Workload::kMaxDims>& before,
                            OuterPart& part) const {
  for (int t = 0; t < tensors_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    if ((active & ~irrelevant_[at]) == 0) continue;  // it stays where it is
    const bool stays = (irrelevant_[at] >> innermost.value & 1U) != 0;
    Moves& moves = part.moves[at];
    for_dims(irrelevant_[at], [&](std::size_t d) {
      const double count = static_cast<double>(stays ? before[d] : part.count[d]);
      moves.received[d] = std::max(moves.received[d], count);
      moves.delivered[d] = std::max(moves.delivered[d], count / moves.shared[d]);
    });
  }
}

void CostBound::add_spatial(NodeId node, DimId dim, std::int64_t factor, std::int64_t before,
                            OuterPart& part) const {
  if (factor == 1) return;
  const std::size_t d = dim.pos();
  const Fanout& fanout = problem_.arch().fanout(node);
  const double many = static_cast<double>(factor);
  const bool whole = part.count[d] == before * factor;
  const auto spread = [&](double count) { return whole ? count * many : (count - 1) * many + 1; };
  for (int t = 0; t < tensors_; ++t) {
    if ((irrelevant_[static_cast<std::size_t>(t)] >> d & 1U) == 0) continue;
    Moves& moves = part.moves[static_cast<std::size_t>(t)];
    const bool output = t == problem_.workload().output().value;
    const bool shares = output ? fanout.reduction : fanout.multicast != Multicast::kNone;
    moves.received[d] = spread(moves.received[d]);
    if (shares) {
      moves.shared[d] *= many;
    } else {
      moves.delivered[d] = spread(moves.delivered[d]);
    }
    moves.copies *= many;
  }
}

Least CostBound::least(const OuterPart& part, TensorSet moving, const InnerPart& inner) const {
  Least least{part.energy_pj + inner.energy_pj, inner.steps, part.traffic + inner.traffic};
  for (int t = 0; t < tensors_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    Moves moves = part.moves[at];
    if ((moving >> t & 1U) != 0) {
      for_dims(irrelevant_[at], [&](std::size_t d) {
        const double count = static_cast<double>(part.count[d]);
        moves.received[d] = std::max(moves.received[d], count);
        moves.delivered[d] = std::max(moves.delivered[d], count / moves.shared[d]);
      });
    }
    const bool output = t == problem_.workload().output().value;
    const double received = product(t, moves.received);
    int parent = moves.parent;
    for (const int child : kept_by_[at]) {
      if (child <= moves.parent) continue;
      if (parent >= 0) {
        const double delivered = parent == moves.parent ? product(t, moves.delivered) : received;
        const Prices& outside = prices_[static_cast<std::size_t>(parent)][at];
        const Prices& inside = prices_[static_cast<std::size_t>(child)][at];
        least.energy_pj += delivered * (output ? outside.update : outside.read);
        if (!output) least.energy_pj += received * inside.fill;
        if (parent == 0) least.traffic += delivered;
      }
      parent = child;
    }
  }
  return least;
}

// The compute units take an element at every step; children that share it count once.
InnerPart CostBound::inner(const Tiling& tiling) const {
  InnerPart inner{fixed_pj_, 0, computes_};
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {
    for (int d = 0; d < dims_ && !rules_.places[p].is_block(); ++d) {
      inner.steps /= static_cast<double>(tiling.at(static_cast<int>(p), d));
    }
  }
  inner.steps = std::max(1.0, inner.steps * (1 - 1e-12));
  inner.energy_pj += leakage_pj_ * inner.steps;
  for (std::size_t t = 0; t < static_cast<std::size_t>(tensors_); ++t) {
    const int last = kept_by_[t].back();
    const bool output = static_cast<int>(t) == problem_.workload().output().value;
    double shared = 1;
    for (std::size_t p = place_of_[static_cast<std::size_t>(last)]; p < rules_.places.size(); ++p) {
      const Place& place = rules_.places[p];
      if (place.is_block()) continue;
      const Fanout& fanout = problem_.arch().fanout(place.node);
      if (output ? !fanout.reduction : fanout.multicast == Multicast::kNone) continue;
      // Tiles of a rank of several dims may coincide along these too.
      const DimSet dims = plain_[t] ? irrelevant_[t] : ~DimSet{0} >> (32 - dims_);
      for_dims(dims, [&](std::size_t d) {
        shared *= static_cast<double>(tiling.at(static_cast<int>(p), static_cast<int>(d)));
      });
    }
    const double moved = std::max(elements_[t], computes_ / shared);
    const Prices& prices = prices_[static_cast<std::size_t>(last)][t];
    inner.energy_pj += moved * (output ? prices.update : prices.read);
    if (last == 0) inner.traffic += moved;
  }
  return inner;
}

}  // namespace tilewright
