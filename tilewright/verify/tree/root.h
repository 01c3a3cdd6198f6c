// SPDX-License-Identifier: Apache-2.0
// The first choices of a mapping, what every memory keeps and all factors on axes; and what links
// cost at least once these are known: formulas (1) to (6) of docs/optimal.md.
#pragma once

#include <span>
#include <vector>

#include "tilewright/verify/tree/frame.h"
#include "tilewright/verify/tree/splits.h"

namespace tilewright::verify {

/// Tiles of `tensor` from memory `parent` to the next one inside that keeps it.
struct Link {
  int tensor = 0;
  int parent = 0;
  int child = 0;
};

/// What a link moves.
struct Moved {
  double delivered = 0;
  double received = 0;
};

/// One dim as a link sees it.
struct Sight {
  double received = 1;   ///< R(d), or the count at the child
  double delivered = 1;  ///< D(d), or the count of what goes out together
  /// What goes out together may be pieces that are apart: axes outside l* split the dim, and their
  /// fan-outs share.
  bool in_pieces = false;
  /// If tiles slide along the dim: runs of them, which different children have; of what goes out
  /// together, those that different parents have.
  double runs_received = 1;
  double runs_delivered = 1;
};

/// Where the loop l* of a link may stand.
struct Turn {
  int block = -1;      ///< of this memory; -1: unknown, or there is none
  bool moves = false;  ///< it is the innermost loop of its block
};

class Root {
 public:
  /// `chains` by dim.
  Root(const Frame& frame, const RootKey& key, std::vector<const Chain*> chains);

  const Frame& frame() const { return frame_; }
  const Keeps& keeps() const { return keeps_; }
  const Chain& chain(int dim) const { return *chains_[pos(dim)]; }
  std::int64_t factor(int fanout, int dim) const {
    return factors_[pos(fanout) * pos(frame_.dims()) + pos(dim)];
  }

  /// The innermost memory outside level `level` that keeps `tensor`; -1: none.
  int parent_of(int tensor, int level) const;
  /// The outermost memory from `level` on that keeps `tensor`; -1: none.
  int child_of(int tensor, int level) const;
  /// The tensors that `memory` keeps and gets from another one.
  TensorSet linked(int memory) const;
  /// What a memory keeps at this point or further out, where tiles are no smaller.
  TensorSet held(int memory) const;

  double steps() const { return steps_; }
  double instances(int memory) const { return instances_[pos(memory)]; }

  /// R(d) and D(d) of a dim that the tensor does not depend on: `at` is its count at l*; if l*
  /// moves, `next` the one at the next memory inside.
  Sight irrelevant_sight(const Link& link, const Turn& turn, int dim, double at, double next) const;
  /// The counts of a dim that the tensor depends on: `inside` is that at `level`, inside which no
  /// loop in time over it stands outside the child; `at` that at l* or, if the parent lies inside
  /// l*, at the parent.
  Sight relevant_sight(const Link& link, const Turn& turn, int dim, double at, double inside,
                       int level) const;
  /// (3) at the child, and of what goes out together, while tiles slide along dim `slide` (-1:
  /// none).
  Moved elements(const Link& link, const TwoTerms& rank, const Sight& a, const Sight& b,
                 int slide) const;
  /// (1), (2); sights by dim.
  Moved moved(const Link& link, std::span<const Sight> sights, int slide) const;
  /// The dims along which tiles may slide if l* stands in `block` and is over one of `over`; -1
  /// for no slide, if that is possible.
  std::vector<int> slides(const Link& link, int block, DimSet over) const;

  /// (4)
  double cost(const Metric& metric, const Link& link, const Moved& moved) const;
  /// (5)
  double compute_cost(const Metric& metric, int tensor) const;
  /// (5) for all tensors.
  double compute_cost(const Metric& metric) const;
  /// All links of the tensor and (5), with every tile moved just once.
  double cost_once(const Metric& metric, int tensor) const;

 private:
  // Compute units along a dim that one access may serve: on average, at most, and the elements
  // between neighbours, at most (0: they need not be evenly spaced).
  struct Units {
    double mean = 1;
    double most = 1;
    double apart = 0;
  };

  Units units(int tensor, int memory, int dim) const;
  static double least_kept(const Units& a, const Units& b, double coefficient);
  double spread(int fanout, int dim, double count) const;
  double spread(int dim, double count, int from_gap, int to_gap) const;
  bool separate(const Link& link, const TwoTerms& rank) const;
  bool may_slide(const Link& link, const TwoTerms& rank, int dim, int block) const;
  double touched(int memory) const { return touched_[pos(memory)]; }

  const Frame& frame_;
  const Keeps& keeps_;
  const std::vector<std::int64_t>& factors_;
  std::vector<const Chain*> chains_;
  double steps_ = 1;
  std::vector<double> instances_;  // by level
  std::vector<double> touched_;    // by memory
  std::vector<bool> alike_;        // by level: all instances do the same
};

}  // namespace tilewright::verify
