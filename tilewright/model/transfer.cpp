// SPDX-License-Identifier: Apache-2.0
// How much each link moves: formulas (8) to (13) of docs/model.md.
#include <algorithm>
#include <bit>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/model/evaluator.h"

namespace tilewright {
namespace {

// Calls sum(views) with the view of every term; only ranks of three terms or more, which are
// counted one by one anyway, need memory for them.
template <typename MakeView, typename Sum>
auto with_views(const RankForm& form, const MakeView& view, const Sum& sum) {
  const std::span<const Term> terms = form.terms;
  if (terms.size() <= 2) [[likely]] {
    const TermView views[] = {view(terms.front()), view(terms.back())};
    return sum(std::span<const TermView>(views, terms.size()));
  }
  std::vector<TermView> views;
  for (const Term& term : terms) views.push_back(view(term));
  return sum(std::span<const TermView>(views));
}

}  // namespace

std::int64_t Evaluator::affine_tile(int row, const TensorInfo& info) const {
  std::int64_t size = 1;
  for (const RankInfo& rank : info.affine) {
    const auto extent = [&](const Term& term) { return slot_at(term.dim.value, row)->tile; };
    const std::size_t terms = rank.form.terms.size();
    std::int64_t elements = 0;
    if (terms <= 2) {
      const std::int64_t second = terms == 2 ? extent(rank.form.terms[1]) : 1;
      elements = footprint(rank.form, extent(rank.form.terms[0]), second);
    } else {
      std::array<std::int64_t, Workload::kMaxDims> extents;
      std::ranges::transform(rank.form.terms, extents.begin(), extent);
      elements = footprint(rank.form, {extents.data(), terms});
    }
    size = checked_mul(size, elements);
  }
  return size;
}

std::int64_t Evaluator::irrelevant_events(const Link& link, LoopSet merged) const {
  std::int64_t product = 1;
  for (const int d : tensor_[static_cast<std::size_t>(link.tensor)].irrelevant) {
    product = checked_mul(product, events(d, link.row, merged));
  }
  return product;
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
std::int64_t Evaluator::moved(std::size_t index, const Scope& scope) const {
  const Link& link = links_[index];
  const LinkState& state = link_state_[index];
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  const std::int64_t still =
      irrelevant_events(link, state.stationary | scope.merged_space | scope.fixed);
  const std::int64_t plain = plain_extents(link.row, link.tensor, scope.fixed);
  if (tensor.affine.empty()) return checked_mul(plain, still);
  RankSums sums;
  for (std::size_t r = 0; r < tensor.affine.size(); ++r) sum_rank(link, state, scope, r, sums);
  return checked_mul(plain, combine(link, state, scope, sums, still));
}

// (9) to (11), into affine_state_.
void Evaluator::refresh_affine(std::size_t index) {
  const Link& link = links_[index];
  const LinkState& state = link_state_[index];
  AffineState& sums = affine_state_[index];
  const std::vector<RankInfo>& ranks = tensor_[static_cast<std::size_t>(link.tensor)].affine;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    sum_rank(link, state, {}, r, sums.received);
    if (!tiles_differ(ranks[r], state)) {
      sum_rank(link, state, {state.merged_space, 0, state.sharing}, r, sums.delivered);
      continue;
    }
    sums.delivered.whole[r] = sums.received.whole[r];
    if (static_cast<int>(r) != state.sliding_rank) continue;
    std::copy_n(sums.received.saved.begin(), std::popcount(state.sweep),
                sums.delivered.saved.begin());
  }
}

// True if no two tiles of the rank that go out together have anything in common that is read once:
// none do go out together or, where only equal tiles share, they lie apart along a single dim.
bool Evaluator::tiles_differ(const RankInfo& rank, const LinkState& state) const {
  int spread = 0;
  for (const Term& term : rank.form.terms) {
    spread += (loops_of_dim_[term.dim.pos()] & state.merged_space) != 0;
  }
  return spread == 0 || (spread == 1 && state.sharing == Sharing::kEqual);
}

// One rank of the link: its whole tiles and, if it is the one that slides, what that saves.
void Evaluator::sum_rank(const Link& link, const LinkState& state, const Scope& scope,
                         std::size_t rank, RankSums& sums) const {
  const RankInfo& info = tensor_[static_cast<std::size_t>(link.tensor)].affine[rank];
  const LoopSet loops = rank_loops(info);
  const LoopParts parts{scope.merged_space & loops, scope.fixed & loops};
  sums.whole[rank] = with_views(
      info.form, [&](const Term& term) { return term_view(term.dim, link.row); },
      [&](std::span<const TermView> views) {
        return RankSum(info.form, views, parts, scope.sharing).whole();
      });
  if (static_cast<int>(rank) == state.sliding_rank)
    sum_slide(link, state, info, parts, scope.sharing, sums);
}

// (11): what each loop of the sweep saves when it advances.
void Evaluator::sum_slide(const Link& link, const LinkState& state, const RankInfo& rank,
                          const LoopParts& parts, Sharing sharing, RankSums& sums) const {
  const std::size_t innermost = static_cast<std::size_t>(state.innermost);
  const int dim = dim_of_loop_[innermost];
  RankForm rotated;
  const RankForm* form = &rank.form;
  if (form->terms.size() > 1 && form->terms[1].dim.value == dim) form = &rank.swapped;
  if (form->terms[0].dim.value != dim) {  // three terms or more, and it is none of the first two
    rotated = rank.form;
    std::ranges::partition(rotated.terms, [&](const Term& term) { return term.dim.value == dim; });
    form = &rotated;
  }
  // A loop with an iteration to slide by has less than the whole dim inside: T is not cut off.
  const Slide slide{slot_[slot_of_loop_[innermost]].tile};
  with_views(
      *form, [&](const Term& term) { return term_view(term.dim, link.row); },
      [&](std::span<const TermView> views) {
        const RankSum sum(*form, views, parts, sharing);
        std::size_t at = 0;
        for (LoopSet left = state.sweep; left != 0; left &= left - 1) {
          const LoopSet bit = left & -left;
          sums.saved[at++] = sum.saved(state.sweep & (bit - 1), bit, slide);
        }
      });
}

// (8), (11) without the plain dims. `still` is the number of events along the irrelevant dims.
std::int64_t Evaluator::combine(const Link& link, const LinkState& state, const Scope& scope,
                                const RankSums& sums, std::int64_t still) const {
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  std::int64_t total = still;
  std::int64_t others = 1;
  for (std::size_t r = 0; r < tensor.affine.size(); ++r) {
    std::int64_t& factor = static_cast<int>(r) == state.sliding_rank ? total : others;
    factor = checked_mul(factor, sums.whole[r]);
  }
  const LoopSet irrelevant = ~relevant_[static_cast<std::size_t>(link.tensor)];
  std::size_t at = 0;
  for (LoopSet left = state.sweep; left != 0; left &= left - 1) {
    const std::int64_t saved = sums.saved[at++];
    if (saved == 0) continue;
    const LoopSet stays = stationary(link, std::countr_zero(left));
    const bool same = ((stays ^ state.stationary) & irrelevant) == 0;
    const std::int64_t times =
        same ? still : irrelevant_events(link, stays | scope.merged_space | scope.fixed);
    total -= checked_mul(saved, times);
  }
  return checked_mul(others, total);
}

// (12)
std::int64_t Evaluator::first_touches(int row, int tensor, LoopSet fixed) const {
  const TensorInfo& info = tensor_[static_cast<std::size_t>(tensor)];
  std::int64_t touches = plain_extents(row, tensor, fixed);
  const LoopSet outside = spatial() & ~boundary(row).inside;
  if ((outside & ~relevant_[static_cast<std::size_t>(tensor)]) != 0) {
    for (const int d : info.irrelevant) {
      touches = checked_mul(touches, events(d, row, ~in_space_ | fixed));
    }
  }
  return info.affine.empty() ? touches : checked_mul(touches, touch_affine(row, info, fixed));
}

std::int64_t Evaluator::touch_affine(int row, const TensorInfo& info, LoopSet fixed) const {
  std::int64_t touches = 1;
  for (const RankInfo& rank : info.affine) {
    const LoopSet loops = rank_loops(rank) & ~boundary(row).inside;
    const LoopParts parts{loops & ~in_space_, loops & fixed};
    const std::int64_t elements = with_views(
        rank.form, [&](const Term& term) { return term_view(term.dim, row); },
        [&](std::span<const TermView> views) {
          return RankSum(rank.form, views, parts, Sharing::kUnion).whole();
        });
    touches = checked_mul(touches, elements);
  }
  return touches;
}

}  // namespace tilewright
