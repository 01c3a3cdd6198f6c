// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/tile_limits.h"

#include <algorithm>
#include <utility>

namespace tilewright {

TileLimits::TileLimits(const Problem& problem, const Rules& rules,
                       std::vector<std::int64_t> output_bits)
    : problem_(problem), rules_(rules), output_bits_(std::move(output_bits)) {
  const Workload& workload = problem.workload();
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    const bool holes = problem.conventions().holes_are_data && TensorId(t) != workload.output();
    std::vector<RankForm>& forms = ranks_.emplace_back();
    for (const Rank& rank : workload.tensors()[t].ranks) {
      forms.push_back(make_rank_form(workload, rank, holes));
    }
  }
}

bool TileLimits::unlimited(int memory, std::size_t tensor) const {
  const NodeId node = keep(memory).memory;
  return !problem_.memory(node).partition_bits[tensor] &&
         !problem_.arch().memory(node).capacity_bits;
}

bool TileLimits::limited(int memory) const {
  const TensorSet tensors = candidates(memory);
  bool all_free = true;
  bool any_free = false;
  for (std::size_t t = 0; t < ranks_.size(); ++t) {
    if ((tensors & only(TensorId(t))) == 0) continue;
    all_free = all_free && unlimited(memory, t);
    any_free = any_free || unlimited(memory, t);
  }
  return optional(memory) ? !any_free : !all_free;
}

bool TileLimits::concerns(int memory, DimId dim) const {
  for (std::size_t t = 0; t < ranks_.size(); ++t) {
    const bool candidate = (candidates(memory) & only(TensorId(t))) != 0;
    if (candidate && problem_.workload().relevant(TensorId(t), dim)) return true;
  }
  return false;
}

std::int64_t TileLimits::elements(const RankForm& rank, std::span<const std::int64_t> extents) {
  const auto extent = [&](std::size_t term) { return extents[rank.terms[term].dim.pos()]; };
  const std::size_t terms = rank.terms.size();
  if (terms <= 2) return footprint(rank, terms > 0 ? extent(0) : 1, terms > 1 ? extent(1) : 1);
  std::vector<std::int64_t> of_terms;
  for (std::size_t i = 0; i < terms; ++i) of_terms.push_back(extent(i));
  return footprint(rank, of_terms);
}

// docs/model.md (20).
bool TileLimits::holds(int memory, TensorSet tensors, std::span<const std::int64_t> extents) const {
  const NodeId node = keep(memory).memory;
  const ResolvedMemory& resolved = problem_.memory(node);
  const Memory& hardware = problem_.arch().memory(node);
  std::int64_t left = hardware.capacity_bits ? *hardware.capacity_bits / hardware.buffering
                                             : std::numeric_limits<std::int64_t>::max();
  for (std::size_t t = 0; t < ranks_.size(); ++t) {
    if ((tensors & only(TensorId(t))) == 0 || unlimited(memory, t)) continue;
    const bool is_output = TensorId(t) == problem_.workload().output();
    std::int64_t bits =
        is_output ? output_bits_[static_cast<std::size_t>(memory)] : resolved.bits[t];
    for (const RankForm& rank : ranks_[t]) bits = capped_mul(bits, elements(rank, extents));
    const auto& partition = resolved.partition_bits[t];
    if (bits > (partition ? *partition / hardware.buffering : left)) return false;
    if (!partition) left -= bits;
  }
  return true;
}

bool TileLimits::fits(int memory, std::span<const std::int64_t> extents) const {
  const KeepRule& rule = keep(memory);
  return optional(memory) ? choose(memory, extents) != 0 : holds(memory, rule.required, extents);
}

TensorSet TileLimits::choose(int memory, std::span<const std::int64_t> extents) const {
  const KeepRule& rule = keep(memory);
  if (!optional(memory)) return rule.required;
  for (std::size_t t = 0; t < ranks_.size(); ++t) {
    const TensorSet tensor = only(TensorId(t));
    if ((rule.allowed & tensor) != 0 && holds(memory, tensor, extents)) return tensor;
  }
  return 0;
}

}  // namespace tilewright
