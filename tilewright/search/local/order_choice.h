// SPDX-License-Identifier: Apache-2.0
// The loop orders of a tiling in one go: block by block the best of the few that cost differently.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/search/local/moves.h"
#include "tilewright/search/scorer.h"

namespace tilewright {

/// What a point is worth with its loops in the best orders known; less is better.
struct Worth {
  double excess = 0;  ///< how far it is over the caps, 0 if within
  double score = 0;
  double edp = 0;  ///< decides between equal scores, which e.g. latency has many of
  double cycles = 0;

  auto operator<=>(const Worth&) const = default;
};

/// Remembers which orders were best where. Not to be shared by threads; `problem`, `rules` and
/// `scorer` must outlive it.
class OrderChoice {
 public:
  OrderChoice(const Problem& problem, const Rules& rules, Scorer& scorer)
      : rules_(rules), classes_(problem, rules), scorer_(scorer), orders_(rules.places.size()) {}

  /// Forgets which orders were best, not which there are.
  void forget() { ++epoch_; }

  bool fits(const Point& point);
  /// Which blocks have all their orders tried; the others take those that were best.
  enum class Effort {
    kNew,  ///< those that were not met since the last forget()
    kAll,
  };
  /// Nothing if it does not fit. A point above the score `hopeless` is not worth any effort.
  std::optional<Worth> choose(const Point& point, Effort effort, double hopeless,
                              SearchResult& tally);
  /// A point with the orders that were best.
  std::vector<NestNode> nest(const Point& point);

 private:
  // The orders of a block, one of each class.
  struct Block {
    std::vector<std::vector<DimId>> orders;
    std::size_t chosen = 0;
    std::uint64_t epoch = 0;  // of the choice
  };
  struct OpenBlock {
    std::size_t place = 0;
    Block* block = nullptr;
    bool fresh = false;  // not met before
  };
  using Key = std::vector<std::uint64_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  void look_up(const Point& point);
  Block& find(std::size_t place);
  std::optional<Worth> evaluate(SearchResult& tally);
  bool try_orders(const Point& point, const OpenBlock& open, std::optional<Worth>& best,
                  SearchResult& tally);

  const Rules& rules_;
  OrderClasses classes_;
  Scorer& scorer_;
  std::uint64_t epoch_ = 1;
  std::unordered_map<Key, Block, KeyHash> blocks_;  // by what their orders depend on
  std::unordered_map<Key, Block*, KeyHash> known_;  // ... and by what that follows from
  // Of the point at hand.
  Keeps keeps_;
  std::vector<DimSet> active_;   // by place
  std::vector<Block*> found_;    // by place; of no meaning where fewer than two dims are active
  std::vector<OpenBlock> open_;  // with several orders to choose from
  Orders orders_;
  Key key_;
  Key class_key_;
  std::vector<NestNode> nest_;
};

}  // namespace tilewright
