// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/batch_loops.h"

#include <algorithm>
#include <span>

#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

// True if the tensor has a rank that is this dim and nothing else.
bool has_rank_of(const Tensor& tensor, DimId dim) {
  return std::ranges::any_of(tensor.ranks, [&](const Rank& rank) {
    return rank.terms.size() == 1 && rank.terms.front().dim == dim &&
           magnitude(rank.terms.front().coefficient) == 1;
  });
}

bool is_batch(const Workload& workload, DimId dim) {
  return workload.dim(dim).size > 1 &&
         std::ranges::all_of(workload.tensors(),
                             [&](const Tensor& tensor) { return has_rank_of(tensor, dim); });
}

// True if the outermost block may have any loops in any order, and all tensors pass it.
bool is_free(const Problem& problem, const Rules& rules) {
  const Place& outermost = rules.places.front();
  const TensorSet all = (TensorSet{1} << problem.workload().tensors().size()) - 1;
  return outermost.is_block() && outermost.outermost.empty() && outermost.innermost.empty() &&
         rules.keeps.front().required == all;
}

// True if a loop over the dim inside these places can be moved outside them, where they then split
// larger counts: their factors may leave remainders, or the loops that may not are moved as well.
bool can_pass(std::span<const Place> places, std::size_t dim) {
  return std::ranges::all_of(places, [&](const Place& place) {
    const FactorRule& rule = place.rules[dim];
    return rule.remainder || (place.is_block() && rule.least <= 1);
  });
}

}  // namespace

Rules leave_batches_outside(const Problem& problem, Rules rules) {
  if (!is_free(problem, rules)) return rules;
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    if (!is_batch(problem.workload(), DimId(d))) continue;
    if (rules.places.front().rules[d].most < problem.workload().dims()[d].size) continue;
    // Without remainders anywhere the counts are multiples of what they were.
    const bool is_perfect = std::ranges::none_of(
        rules.places, [&](const Place& place) { return place.rules[d].remainder; });
    for (std::size_t p = 1; p < rules.places.size(); ++p) {
      FactorRule& rule = rules.places[p].rules[d];
      const auto outside = std::span(rules.places).subspan(1, p - 1);
      if (rules.places[p].is_block() && rule.least <= 1 && (is_perfect || can_pass(outside, d))) {
        rule.most = std::min<std::int64_t>(rule.most, 1);
      }
    }
  }
  return rules;
}

}  // namespace tilewright
