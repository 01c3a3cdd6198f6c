// SPDX-License-Identifier: Apache-2.0
// The sub-space of tilings: all ways to split the dims over blocks and axes. With only the
// outermost block open it is the sub-space of spatial assignments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tilewright/base/natural.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

class Tilings {
 public:
  /// `open`: bit p is set if place p may hold loops (axes always may, as far as `rules` allow).
  Tilings(const Workload& workload, const Rules& rules, std::uint64_t open = ~std::uint64_t{0});
  ~Tilings();
  Tilings(Tilings&&) noexcept;
  Tilings& operator=(Tilings&&) noexcept;

  const Natural& size() const;
  /// Number of `tiling` in the order of for_each; nothing if it is not in the space.
  std::optional<Natural> rank(const Tiling& tiling) const;
  /// The tiling number `rank` < size().
  Tiling unrank(const Natural& rank) const;
  /// A tiling drawn uniformly, into `tiling`; size() must not be 0. Fast: no allocation after the
  /// first call with the same `tiling`.
  void sample(Random& random, Tiling& tiling) const;
  /// All tilings in order, until `visit` returns false. True if it never did.
  bool for_each(const std::function<bool(const Tiling&)>& visit) const;
  /// The same from tiling number `first` on.
  bool for_each_from(const Natural& first, const std::function<bool(const Tiling&)>& visit) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace tilewright
