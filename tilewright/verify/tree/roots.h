// SPDX-License-Identifier: Apache-2.0
// All roots of a space: every choice of what is kept, and every choice of factors on axes up to the
// axis on which they stand.
#pragma once

#include <functional>
#include <vector>

#include "tilewright/verify/tree/frame.h"
#include "tilewright/verify/tree/splits.h"

namespace tilewright::verify {

/// What every memory may keep, all choices.
std::vector<Keeps> all_keeps(const Rules& rules);

/// Bit m is set if memory m keeps something: only then has its block loops.
std::uint32_t open_blocks(const Keeps& keeps);

class Spreads {
 public:
  Spreads(const Frame& frame, std::vector<Splits>& splits);

  using Visit = std::function<void(const std::vector<std::int64_t>&)>;
  /// Steps (6) that are enough to leave a choice out.
  using Enough = std::function<bool(double steps)>;

  /// Calls `visit` with the factors by fan-out and dim of every choice that finds room on the axes,
  /// but those that take `enough` steps.
  void for_each(const Visit& visit, const Enough& enough) const;

  /// Factors by fan-out and dim of these by axis (in the order of Rules::places) and dim; empty if
  /// they are not allowed.
  std::vector<std::int64_t> combine(const std::vector<std::int64_t>& by_axis) const;
  /// The other way: some factors by axis that make these by fan-out.
  std::vector<std::int64_t> place(const std::vector<std::int64_t>& factors) const;
  /// By dim: all ways to stand that leave the others room.
  std::vector<std::vector<Stand>> stands(const std::vector<std::int64_t>& factors) const;

 private:
  using Room = std::vector<std::int64_t>;  // what is left of each axis
  struct Walk;
  void visit_dim(Walk& walk, int dim, const std::vector<Room>& rooms, double steps) const;
  const Splits::Option& option(int dim, const std::vector<std::int64_t>& factors) const;
  bool place_dim(int dim, int but, const Room& room, const std::vector<std::int64_t>& factors,
                 std::vector<std::int64_t>& by_axis) const;
  static std::vector<Room> rooms_beside(const std::vector<Room>& rooms,
                                        const Splits::Option& option);
  bool enough_children(const std::vector<std::int64_t>& factors) const;

  const Frame& frame_;
  std::vector<Splits>& splits_;
  Room axes_;  // sizes
};

}  // namespace tilewright::verify
