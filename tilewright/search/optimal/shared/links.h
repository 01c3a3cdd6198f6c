// SPDX-License-Identifier: Apache-2.0
// Least traffic and cost of the links between memories, as far as it follows from counts: how many
// tiles each dim is cut into at the boundaries of a nest. A link moves a tile of its tensor again
// for every tile of the dims that the tensor does not depend on, counted at one boundary: the one
// inside the innermost loop that it does depend on (docs/optimal.md section 1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tilewright/mapspace/tiling.h"
#include "tilewright/search/optimal/shared/problem_tables.h"
#include "tilewright/search/optimal/shared/resources.h"

namespace tilewright {

/// The links of one choice of what is kept and of the loops in space. `tables` must outlive it.
class Links {
 public:
  struct Traffic {
    double delivered = 0;
    double received = 0;
  };

  /// What a link costs for each element that goes over it.
  struct Rates {
    double delivered = 0;
    double received = 0;
    double reads = 0;  ///< of partial results at the parent, but for first touches
    double fills = 0;  ///< likewise, at the child
    double touched_outside = 0;
    double touched_inside = 0;

    double cost(const Traffic& traffic) const {
      return traffic.delivered * delivered + traffic.received * received +
             std::max(0.0, traffic.delivered - touched_outside) * reads +
             std::max(0.0, traffic.received - touched_inside) * fills;
    }
  };

  /// `spatial` has the factors of all axes.
  Links(const ProblemTables& tables, Keeps keeps, const Tiling& spatial);

  const ProblemTables& tables() const { return tables_; }
  const Keeps& keeps() const { return keeps_; }
  bool keeps(std::size_t memory, std::size_t tensor) const {
    return (keeps_[memory] >> tensor & 1U) != 0;
  }
  /// The memory outside `memory` that keeps the tensor; -1: none.
  int parent(std::size_t memory, std::size_t tensor) const { return parent_[memory][tensor]; }
  /// What the links into `memory` depend on but for loops in space: what it keeps, where that comes
  /// from, and what it holds at other points. Equal keys are equal links.
  std::uint64_t key_into(std::size_t memory) const;
  /// The outermost memory at or inside `memory` that keeps the tensor; -1: none.
  int child(std::size_t memory, std::size_t tensor) const;
  /// True if `memory` need not keep the tensor where no temporal loop over a dim of it stands
  /// between there and the next memory inside that keeps it: both have the same tile then.
  bool may_skip(std::size_t memory, std::size_t tensor) const;
  std::int64_t factor(std::size_t place, std::size_t dim) const {
    return spatial_.at(static_cast<int>(place), static_cast<int>(dim));
  }

  /// How often a tile goes over the link into `child`, along a dim that the tensor does not depend
  /// on, if the loops that decide stand in the block of memory `at` and leave `count` tiles.
  double deliveries(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                    std::int64_t count) const;
  double receipts(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                  std::int64_t count) const;
  /// How tiles of affine ranks are served that go to different children.
  struct InSpace {
    DimSet alone = 0;     ///< dims of ranks of which no two children are ever served together
    DimSet separate = 0;  ///< dims along which each child is served by itself: these and others
    /// Dims whose tiles may coincide or overlap in space outside of the loops that decide, where
    /// reads are shared: nothing is known of their pieces.
    DimSet mixed = 0;
  };
  InSpace in_space(std::size_t tensor, std::size_t child, int at) const;
  /// Runs of consecutive tiles along a dim whose overlaps are held back: at least so many.
  struct Runs {
    std::int64_t delivered = 1;
    std::int64_t received = 1;
  };
  /// Of tiles that go over the link into `child` if the loops that decide stand in the block of
  /// memory `at`, and one over the dim `slide` of the pair (any other number: none) is the
  /// innermost of them. Where consecutive tiles of a child have nothing in common, every tile is a
  /// run.
  Runs runs(const ProblemTables::Pair& pair, const InSpace& in, std::size_t tensor,
            std::size_t child, int at, std::size_t slide) const;
  /// The same if they stand in the block of `at` or further out.
  Runs least_runs(const ProblemTables::Pair& pair, const InSpace& in, std::size_t tensor,
                  std::size_t child, int at, std::size_t slide) const;
  /// Elements of a rank of two dims that go over a link, at least, if the dims are cut into so many
  /// tiles, or along `slide` into so many runs of tiles.
  double pieces(const ProblemTables::Pair& pair, std::int64_t first, std::int64_t second,
                std::size_t slide, std::int64_t runs) const;
  /// Of `dims`, those along which the child may hold back overlaps; kNoSlide if there is none.
  static constexpr std::size_t kNoSlide = 32;
  std::vector<std::size_t> slides(std::size_t tensor, std::size_t child, DimSet dims) const;
  /// At least so many elements are in all tiles together: `outside` and `inside` are the tiles
  /// along each dim outside the fan-outs of the link and inside them. `just_there`: the loops that
  /// decide stand in the block of `at`; else there or further out.
  Traffic elements(std::size_t tensor, std::size_t child, int at, bool just_there,
                   const Counts& outside, const Counts& inside, DimSet last) const;
  Rates rates(const Resource& resource, std::size_t tensor, std::size_t child) const;
  /// Of a link with this traffic.
  double cost(const Resource& resource, std::size_t tensor, std::size_t child,
              const Traffic& traffic) const {
    return rates(resource, tensor, child).cost(traffic);
  }
  /// If every tile is moved once.
  double least_cost(const Resource& resource, std::size_t tensor, std::size_t child) const;
  /// By tensor: elements that compute units take from the innermost memory that keeps it. Exact but
  /// for sharing along affine ranks.
  using InnerMoves = std::array<double, Workload::kMaxTensors>;
  InnerMoves inner_moves() const;
  /// Of all accesses by compute units, and what is fixed.
  double inner_cost(const Resource& resource, const InnerMoves& moves) const;
  /// Of everything, if every tile is moved once.
  double compulsory(const Resource& resource, const InnerMoves& moves) const;
  /// Instances of `memory` in use, at most.
  double instances(std::size_t memory) const;
  /// Least steps of all compute units.
  double steps() const;

 private:
  // The innermost memory that keeps the tensor.
  std::size_t innermost(std::size_t tensor) const;
  double inner_moves(std::size_t tensor, std::size_t memory) const;
  std::array<ProblemTables::Children, Workload::kMaxDims> sharing_units(std::size_t tensor,
                                                                        std::size_t memory) const;

  const ProblemTables& tables_;
  Keeps keeps_;
  Tiling spatial_;
  std::vector<std::vector<int>> parent_;  // by memory and tensor
  std::vector<double> touched_;           // by memory: first touches of the output, at most
};

}  // namespace tilewright
