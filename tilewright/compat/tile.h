// SPDX-License-Identifier: Apache-2.0
// Internal to compat: tiles of one tensor, what one of two tiles lacks, and how far a tile moved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/workload/footprint.h"
#include "tilewright/workload/workload.h"

namespace tilewright::compat {

/// One number per dim.
using PerDim = std::array<std::int64_t, Workload::kMaxDims>;
/// One number per rank of a tensor. No dim occurs in two ranks, so there are no more than dims.
using PerRank = std::array<std::int64_t, Workload::kMaxDims>;

/// A box: from `low` up to, not including, `high` in every rank.
struct Box {
  PerRank low{};
  PerRank high{};
  bool operator==(const Box&) const = default;
};

/// What a range of every dim touches of a tensor.
struct Tile {
  PerDim start{};
  PerDim extent{};
  Box box;
};

/// What a child lacks of its tile: the tile, less what it holds from the tile before.
struct Missing {
  Tile tile;
  std::optional<Tile> held;  ///< overlaps `tile`, or is absent
  std::int64_t elements = 0;
};

/// How ranges of the dims become tiles of one tensor.
class TileMaker {
 public:
  /// `boxes`: holes count as data.
  TileMaker(const Workload& workload, TensorId tensor, bool boxes);

  /// The tile of the points with start <= position < start + extent.
  Tile make(const PerDim& start, const PerDim& extent) const;
  /// How far an offset of the dims moves a tile.
  PerRank offset(const PerDim& by) const;

  std::int64_t elements(const Tile& tile) const;
  /// Elements that all of `tiles` have; there is at least one tile.
  std::int64_t common(std::span<const Tile> tiles) const;
  Missing missing(const Tile& tile, const std::optional<Tile>& held) const;
  /// The boxes that make up what is missing, cut rank by rank; empty if nothing is.
  std::vector<Box> boxes(const Missing& missing) const;
  /// Equal for tiles with the same elements, and only for them.
  std::vector<std::int64_t> identity(const Tile& tile) const;
  /// The same for boxes, in any order, all of them moved by `by`.
  std::vector<std::int64_t> identity(std::vector<Box> boxes, const PerRank& by) const;
  /// How far the centre moves from one tile to the other, rounded in every rank.
  PerRank centre_step(const Tile& from, const Tile& to) const;

  /// True if `dim` shares a rank with another dim.
  bool affine(DimId dim) const;
  std::size_t ranks() const { return ranks_.size(); }

 private:
  std::int64_t volume(const Box& box) const;
  bool disjoint(const Box& a, const Box& b) const;
  std::vector<std::int64_t> values(std::size_t rank, const Tile& tile) const;

  std::vector<Rank> ranks_;  // those with terms
  TileForm form_;
  bool boxes_;
};

}  // namespace tilewright::compat
