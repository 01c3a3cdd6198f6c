// SPDX-License-Identifier: Apache-2.0
// How many different elements a tile touches along one subscript (docs/model.md section 3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// A rank made ready for counting: terms over dims of size 1 are gone and, unless holes count as
/// data, coefficients are divided by their greatest common divisor.
struct RankForm {
  std::vector<Term> terms;
  bool holes_are_data = false;

  /// One term whose tiles have as many elements as they are long.
  bool plain() const { return terms.empty() || (terms.size() == 1 && !holes_are_data); }
};

RankForm make_rank_form(const Workload& workload, const Rank& rank, bool holes_are_data);

/// (5): different values of m*a + n*b for 0 <= a < A, 0 <= b < B; m, n >= 1 without common divisor.
inline std::int64_t distinct_sums(std::int64_t m, std::int64_t n, std::int64_t A, std::int64_t B) {
  if (A > n && B > m) return m * (A - 1) + n * (B - 1) - (m - 1) * (n - 1) + 1;
  return A * B;
}

/// |value|; for coefficients.
constexpr std::int64_t magnitude(std::int64_t value) { return value < 0 ? -value : value; }

/// Elements of a tile with these extents, one per term.
std::int64_t footprint(const RankForm& form, std::span<const std::int64_t> extents);

/// The same for a rank of at most two terms; B is 1 if there is no second one.
inline std::int64_t footprint(const RankForm& form, std::int64_t A, std::int64_t B) {
  if (form.terms.size() == 2 && !form.holes_are_data) [[likely]] {
    return distinct_sums(magnitude(form.terms[0].coefficient), magnitude(form.terms[1].coefficient),
                         A, B);
  }
  const std::int64_t extents[] = {A, B};
  return footprint(form, {extents, form.terms.size()});
}

/// A tensor made ready for counting its tiles: the product of its ranks.
class TileForm {
 public:
  TileForm(const Workload& workload, TensorId tensor, bool holes_are_data);

  /// Elements of a tile with these extents, by DimId. No allocation for ranks of at most two terms.
  std::int64_t elements(std::span<const std::int64_t> extents) const {
    std::int64_t product = 1;  // of dims, which fits
    for (const DimId dim : plain_) product *= extents[dim.pos()];
    for (const RankForm& rank : affine_) product = checked_mul(product, along(rank, extents));
    return product;
  }

 private:
  static std::int64_t along(const RankForm& rank, std::span<const std::int64_t> extents);

  std::vector<DimId> plain_;
  std::vector<RankForm> affine_;
};

/// (13): elements that two tiles of a two-term rank share, `step` >= `before` apart along the first
/// term: the earlier one of extents before x B, the later one after x B.
std::int64_t shared_elements(const RankForm& form, std::int64_t before, std::int64_t step,
                             std::int64_t after, std::int64_t B);

/// A set of values on a line, marked one by one: the general, slow way to count.
class ValueSet {
 public:
  /// Values low..high can be marked. Throws OverflowError if there are more than 2^27.
  ValueSet(std::int64_t low, std::int64_t high);

  /// Marks every value of sum over terms of coefficient * (start + x), 0 <= x < extent; with
  /// holes_are_data everything between the least and the largest as well.
  void mark(const RankForm& form, std::span<const std::int64_t> starts,
            std::span<const std::int64_t> extents);
  void merge(const ValueSet& other);
  void remove(const ValueSet& other);
  std::int64_t size() const;
  void clear() { std::ranges::fill(words_, 0); }
  bool operator==(const ValueSet&) const = default;

 private:
  std::int64_t low_;
  std::vector<std::uint64_t> words_;
};

}  // namespace tilewright
