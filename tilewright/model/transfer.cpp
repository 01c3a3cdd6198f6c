// SPDX-License-Identifier: Apache-2.0
// How much each link moves: formulas (8) to (13) of docs/model.md.
#include <algorithm>
#include <bit>

#include "tilewright/base/checked.h"
#include "tilewright/model/evaluator.h"

namespace tilewright {

std::int64_t Evaluator::affine_tile(int row, const TensorInfo& info) const {
  std::int64_t size = 1;
  for (const RankInfo& rank : info.affine) {
    std::array<std::int64_t, Workload::kMaxDims> extents;
    for (std::size_t i = 0; i < rank.form.terms.size(); ++i) {
      extents[i] = slot_at(rank.form.terms[i].dim.value, row)->tile;
    }
    size = checked_mul(size, footprint(rank.form, {extents.data(), rank.form.terms.size()}));
  }
  return size;
}

Sharing Evaluator::find_sharing(const Link& link) const {
  if (tensor_[static_cast<std::size_t>(link.tensor)].is_output) return Sharing::kEqual;
  const LoopSet between =
      loops_below(boundary(link.parent_row).loops) & ~loops_below(boundary(link.row).loops);
  return (active_ & between & shares_reads_ & ~shares_in_part_) != 0 ? Sharing::kEqual
                                                                     : Sharing::kUnion;
}

// Loops in time between the child and `loop`: a tile stays while they run. A compute unit keeps
// nothing.
LoopSet Evaluator::stationary(const Link& link, int loop) const {
  if (link.child < 0) return 0;
  const LoopSet outside = temporal() & ~loops_below(boundary(link.row).loops);
  return loop < 0 ? outside : outside & loops_below(loop);
}

bool Evaluator::slides(const Link& link, int innermost) const {
  if (link.child < 0 || innermost < 0) return false;
  if ((memory_[static_cast<std::size_t>(link.child)].sliding >> link.tensor & 1U) == 0)
    return false;
  const int dim = dim_of_loop_[static_cast<std::size_t>(innermost)];
  return (tensor_[static_cast<std::size_t>(link.tensor)].affine_dims >> dim & 1U) != 0;
}

std::int64_t Evaluator::irrelevant_events(const Link& link, LoopSet merged) const {
  std::int64_t events = 1;
  for (const int d : tensor_[static_cast<std::size_t>(link.tensor)].irrelevant) {
    events = checked_mul(events, count_events(slots_from(d, link.row), merged));
  }
  return events;
}

// What the plain dims of the tensor contribute, with the `fixed` loops at 0.
std::int64_t Evaluator::plain_extents(int row, int tensor, LoopSet fixed) const {
  const TensorInfo& info = tensor_[static_cast<std::size_t>(tensor)];
  if (fixed == 0) return info.plain_size;
  std::int64_t extents = 1;
  for (const int d : info.plain) {
    const TermView view = term_view(DimId(d), row);
    const std::int64_t tiles = slot_at(d, row)->count;
    const std::int64_t edge = view.size - (tiles - 1) * view.tile;
    extents *= sum_extents(view.slots, fixed, view.tile, edge);
  }
  return extents;
}

// (8), (10): all of it, for any scope.
std::int64_t Evaluator::moved(const Link& link, int innermost, const Scope& scope) const {
  const std::int64_t events = checked_mul(
      plain_extents(link.row, link.tensor, scope.fixed),
      irrelevant_events(link, stationary(link, innermost) | scope.merged_space | scope.fixed));
  return moved_affine(link, innermost, scope, events);
}

// `events` is the part of the plain and the irrelevant dims.
std::int64_t Evaluator::moved_affine(const Link& link, int innermost, const Scope& scope,
                                     std::int64_t events) const {
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  const bool sliding = slides(link, innermost);
  const int sliding_dim = sliding ? dim_of_loop_[static_cast<std::size_t>(innermost)] : -1;
  const RankInfo* sliding_rank = nullptr;
  for (const RankInfo& rank : tensor.affine) {
    const bool moves = std::ranges::any_of(
        rank.form.terms, [&](const Term& term) { return term.dim.value == sliding_dim; });
    if (moves) {
      sliding_rank = &rank;
      continue;
    }
    std::array<TermView, Workload::kMaxDims> views;
    for (std::size_t i = 0; i < rank.form.terms.size(); ++i) {
      views[i] = term_view(rank.form.terms[i].dim, link.row);
    }
    const RankSum sum(rank.form, {views.data(), rank.form.terms.size()},
                      {scope.merged_space, scope.fixed}, scope.sharing);
    events = checked_mul(events, sum.whole());
  }
  return sliding_rank == nullptr ? events
                                 : moved_sliding(link, innermost, scope, *sliding_rank, events);
}

// (11): the whole tiles, minus what each loop of the sweep saves when it advances.
std::int64_t Evaluator::moved_sliding(const Link& link, int innermost, const Scope& scope,
                                      const RankInfo& rank, std::int64_t events) const {
  const int dim = dim_of_loop_[static_cast<std::size_t>(innermost)];
  const std::size_t terms = rank.form.terms.size();
  RankForm rotated;
  const RankForm* form = &rank.form;
  if (terms > 1 && rank.form.terms[1].dim.value == dim) form = &rank.swapped;
  if (form->terms[0].dim.value != dim) {  // three terms or more, and it is none of the first two
    rotated = rank.form;
    std::ranges::partition(rotated.terms, [&](const Term& term) { return term.dim.value == dim; });
    form = &rotated;
  }
  std::array<TermView, Workload::kMaxDims> views;
  for (std::size_t i = 0; i < terms; ++i) views[i] = term_view(form->terms[i].dim, link.row);
  const RankSum sum(*form, {views.data(), terms}, {scope.merged_space, scope.fixed}, scope.sharing);

  Slide slide{1};
  const std::size_t d = static_cast<std::size_t>(dim);
  for (int i = first_slot_[d]; slot_[static_cast<std::size_t>(i)].loop != innermost; ++i) {
    slide.step *= slot_[static_cast<std::size_t>(i)].factor;
  }
  const LoopSet relevant = temporal() & relevant_[static_cast<std::size_t>(link.tensor)];
  const std::int64_t still =
      irrelevant_events(link, stationary(link, innermost) | scope.merged_space | scope.fixed);
  std::int64_t total = checked_mul(sum.whole(), still);
  LoopSet swept = 0;
  for (int loop = innermost; loop >= 0;) {
    const LoopSet bit = LoopSet{1} << loop;
    const std::int64_t saved = sum.saved(swept, bit, slide);
    const LoopSet merged = stationary(link, loop) | scope.merged_space | scope.fixed;
    total -= checked_mul(saved, loop == innermost ? still : irrelevant_events(link, merged));
    swept |= bit;
    // The next relevant loop outside belongs to the sweep if it is over the same dim and no loop in
    // space over it lies between.
    const LoopSet further = relevant & ~loops_below(loop + 1);
    const int next = further == 0 ? -1 : std::countr_zero(further);
    const bool goes_on =
        next >= 0 && dim_of_loop_[static_cast<std::size_t>(next)] == dim &&
        (spatial() & loops_of_dim_[d] & loops_below(next) & ~loops_below(loop)) == 0;
    loop = goes_on ? next : -1;
  }
  return checked_mul(events / still, total);
}

// (12)
std::int64_t Evaluator::first_touches(int row, int tensor, LoopSet fixed) const {
  const TensorInfo& info = tensor_[static_cast<std::size_t>(tensor)];
  std::int64_t touches = plain_extents(row, tensor, fixed);
  const LoopSet in_time = ~in_space_;
  for (const int d : info.irrelevant) {
    if ((spatial_dims_ >> d & 1U) == 0) continue;
    touches = checked_mul(touches, count_events(slots_from(d, row), in_time | fixed));
  }
  return info.affine.empty() ? touches : checked_mul(touches, touch_affine(row, info, fixed));
}

std::int64_t Evaluator::touch_affine(int row, const TensorInfo& info, LoopSet fixed) const {
  std::int64_t touches = 1;
  for (const RankInfo& rank : info.affine) {
    std::array<TermView, Workload::kMaxDims> views;
    for (std::size_t i = 0; i < rank.form.terms.size(); ++i) {
      views[i] = term_view(rank.form.terms[i].dim, row);
    }
    const RankSum sum(rank.form, {views.data(), rank.form.terms.size()}, {~in_space_, fixed},
                      Sharing::kUnion);
    touches = checked_mul(touches, sum.whole());
  }
  return touches;
}

}  // namespace tilewright
