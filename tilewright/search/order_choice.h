// SPDX-License-Identifier: Apache-2.0
// The loop orders of a tiling in one go: block by block the best of the few that cost differently.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tilewright/mapspace/orders.h"
#include "tilewright/search/moves.h"
#include "tilewright/search/scorer.h"

namespace tilewright {

/// What a point is worth with its loops in the best order known; less is better.
struct Worth {
  double excess = 0;  ///< how far over the caps: 0 if within
  double score = 0;
  double edp = 0;  ///< among points of the same score, as latency has many

  auto operator<=>(const Worth&) const = default;
};

/// Remembers the orders that were best for what a place splits and what is inside it. Not to be
/// shared by threads; `problem` and `rules` must outlive it.
class OrderChoice {
 public:
  OrderChoice(const Problem& problem, const Rules& rules)
      : rules_(rules), classes_(problem, rules), orders_(rules.places.size()) {}

  /// The nest of a point with any orders, good until the next call of anything.
  std::span<const NestNode> nest(const Point& point);

  /// Nothing if it does not fit. Tries the orders of a block if it has not met it yet, or if `all`.
  /// The nest is then in best().
  std::optional<Worth> choose(const Point& point, bool all, Scorer& scorer, SearchResult& tally);
  std::span<const NestNode> best() const { return best_; }

 private:
  // The orders of a block, given what it depends on.
  struct Block {
    std::vector<std::vector<DimId>> orders;
    std::size_t chosen = 0;
    bool fresh = true;
  };
  struct OpenBlock {
    std::size_t place = 0;
    Block* block = nullptr;
  };

  void look_up(const Point& point);
  Block& find(std::size_t place, const Point& point);
  std::optional<Worth> value(const Point& point, Scorer& scorer, SearchResult& tally);

  const Rules& rules_;
  OrderClasses classes_;
  std::map<std::vector<std::uint32_t>, Block> blocks_;
  // Of the point at hand.
  std::vector<DimSet> active_;
  std::vector<OpenBlock> open_;  // with several orders to choose from
  Orders orders_;
  std::vector<std::uint32_t> key_;
  std::vector<NestNode> nest_;
  std::vector<NestNode> best_;
};

}  // namespace tilewright
