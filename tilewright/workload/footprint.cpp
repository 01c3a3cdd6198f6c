// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/footprint.h"

#include <array>
#include <bit>
#include <utility>

namespace tilewright {
namespace {

std::int64_t bounding_box(const RankForm& form, std::span<const std::int64_t> extents) {
  std::int64_t size = 1;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    size = checked_add(size, checked_mul(magnitude(form.terms[i].coefficient), extents[i] - 1));
  }
  return size;
}

// Three terms or more. If the terms can be added one by one, smallest coefficient first, so that
// the values stay without gaps, the count is the length; otherwise the values are marked and
// counted.
std::int64_t footprint_of_many(const RankForm& form, std::span<const std::int64_t> extents) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    if (extents[i] > 1) steps.emplace_back(magnitude(form.terms[i].coefficient), extents[i]);
  }
  std::ranges::sort(steps);
  if (steps.empty()) return 1;
  if (steps.size() == 1) return steps.front().second;
  std::int64_t length = 1;
  bool gapless = true;
  for (const auto& [step, extent] : steps) {
    gapless = gapless && step <= length;
    length = checked_add(length, checked_mul(step, extent - 1));
  }
  if (gapless) return length;
  RankForm positive = form;
  for (Term& term : positive.terms) term.coefficient = magnitude(term.coefficient);
  ValueSet set(0, length - 1);
  const std::vector<std::int64_t> starts(extents.size(), 0);
  set.mark(positive, starts, extents);
  return set.size();
}

}  // namespace

RankForm make_rank_form(const Workload& workload, const Rank& rank, bool holes_are_data) {
  RankForm form;
  form.holes_are_data = holes_are_data;
  std::int64_t divisor = 0;
  for (const Term& term : rank.terms) {
    if (workload.dim(term.dim).size == 1) continue;
    form.terms.push_back(term);
    divisor = gcd(divisor, term.coefficient);
  }
  if (!holes_are_data) {
    for (Term& term : form.terms) term.coefficient /= divisor;
  } else if (form.terms.size() == 1 && magnitude(form.terms.front().coefficient) == 1) {
    form.holes_are_data = false;  // no stride, no holes: a plain rank
  }
  return form;
}

std::int64_t footprint(const RankForm& form, std::span<const std::int64_t> extents) {
  if (form.terms.empty()) return 1;
  if (form.holes_are_data) return bounding_box(form, extents);
  if (form.terms.size() == 1) return extents[0];
  if (form.terms.size() == 2) return footprint(form, extents[0], extents[1]);
  return footprint_of_many(form, extents);
}

TileForm::TileForm(const Workload& workload, TensorId tensor, bool holes_are_data) {
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    RankForm form = make_rank_form(workload, rank, holes_are_data && tensor != workload.output());
    if (!form.plain()) {
      affine_.push_back(std::move(form));
    } else if (!form.terms.empty()) {
      plain_.push_back(form.terms.front().dim);
    }
  }
}

std::int64_t TileForm::along(const RankForm& rank, std::span<const std::int64_t> extents) {
  std::array<std::int64_t, Workload::kMaxDims> of_terms;
  for (std::size_t i = 0; i < rank.terms.size(); ++i) {
    of_terms[i] = extents[rank.terms[i].dim.pos()];
  }
  return footprint(rank, {of_terms.data(), rank.terms.size()});
}

std::int64_t shared_elements(const RankForm& form, std::int64_t before, std::int64_t step,
                             std::int64_t after, std::int64_t B) {
  const std::int64_t m = magnitude(form.terms[0].coefficient);
  const std::int64_t n = form.terms.size() > 1 ? magnitude(form.terms[1].coefficient) : 1;
  if (form.holes_are_data) {
    return std::max<std::int64_t>(0, m * (before - 1) + n * (B - 1) + 1 - m * step);
  }
  if (B < m) return 0;
  if (n == 1) return std::max<std::int64_t>(0, B - m * (step - before + 1));
  std::int64_t shared = 0;
  for (std::int64_t c = 0; c < std::min(n, before); ++c) {
    const std::int64_t last_before = (before - 1 - c) / n;   // p = c + n q, the largest q before
    const std::int64_t first_after = ceil_div(step - c, n);  // and the smallest q after
    if (c + n * first_after >= step + after) continue;       // no tile of this residue after
    shared += std::max<std::int64_t>(0, B - m * (first_after - last_before));
  }
  return shared;
}

ValueSet::ValueSet(std::int64_t low, std::int64_t high) : low_(low) {
  constexpr std::int64_t kMostValues = std::int64_t{1} << 27;
  if (high - low >= kMostValues) {
    throw OverflowError("a subscript with gaps is too long to be counted value by value");
  }
  words_.resize(static_cast<std::size_t>((high - low) / 64 + 1));
}

void ValueSet::mark(const RankForm& form, std::span<const std::int64_t> starts,
                    std::span<const std::int64_t> extents) {
  std::int64_t base = -low_;
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const std::int64_t c = form.terms[i].coefficient;
    base += c * starts[i];
    (c < 0 ? least : most) += c * (extents[i] - 1);
  }
  const auto set = [this](std::int64_t at) {
    words_[static_cast<std::size_t>(at / 64)] |= std::uint64_t{1} << (at % 64);
  };
  if (form.holes_are_data) {
    for (std::int64_t at = base + least; at <= base + most; ++at) set(at);
    return;
  }
  std::vector<std::int64_t> index(form.terms.size(), 0);
  while (true) {
    std::int64_t at = base;
    for (std::size_t i = 0; i < index.size(); ++i) at += form.terms[i].coefficient * index[i];
    set(at);
    std::size_t i = 0;
    while (i < index.size() && ++index[i] == extents[i]) index[i++] = 0;
    if (i == index.size()) return;
  }
}

void ValueSet::merge(const ValueSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

void ValueSet::remove(const ValueSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
}

std::int64_t ValueSet::size() const {
  std::int64_t count = 0;
  for (const std::uint64_t word : words_) count += std::popcount(word);
  return count;
}

}  // namespace tilewright
