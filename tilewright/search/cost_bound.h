// SPDX-License-Identifier: Apache-2.0
// A lower bound on what a mapping costs of which only the outer part is known: what each memory
// keeps, and the loops from the outermost place inwards. It holds because counts only grow further
// in: a tile that is fetched n times from outside is fetched at least n times on every link inside.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// Least energy, steps and outermost traffic.
struct Least {
  double energy_pj = 0;
  double steps = 0;
  double traffic = 0;
};

/// How often one tensor is moved, as far as the loops known so far tell: at least so often for each
/// dim that it does not depend on.
struct Moves {
  std::array<double, Workload::kMaxDims> received{};   ///< by the child, all instances
  std::array<double, Workload::kMaxDims> delivered{};  ///< by the parent: shared reads count once
  std::array<double, Workload::kMaxDims> shared{};     ///< children that one read may serve
  double copies = 1;                                   ///< spatial factors of those dims so far
  int parent = -1;  ///< position in Rules::keeps of the innermost memory so far that keeps it
  double parent_copies = 1;  ///< `copies` outside that memory
};

/// The known part of a mapping.
struct OuterPart {
  std::array<std::int64_t, Workload::kMaxDims> count{};  ///< tiles along each dim so far
  std::array<Moves, Workload::kMaxTensors> moves;
  double energy_pj = 0;  ///< of links whose two ends are known
  double traffic = 0;
};

/// What the loops in space alone say: least costs of the links to the compute units, and of time.
struct InnerPart {
  double energy_pj = 0;
  double traffic = 0;
  double steps = 1;
};

/// For one problem and one choice of what is kept. `problem` and `rules` must outlive it.
class CostBound {
 public:
  CostBound(const Problem& problem, const Rules& rules, Keeps keeps,
            const Conventions& conventions);

  /// Nothing known but what is kept.
  OuterPart start() const;
  /// Passes the keep node of memory `memory` (position in Rules::keeps): its links from outside are
  /// known now.
  void enter_memory(int memory, OuterPart& part) const;
  /// After the block at some place: `part.count` has its loops, `before` the counts outside it,
  /// `active` the dims it splits and `innermost` its innermost one.
  void leave_block(DimSet active, DimId innermost,
                   const std::array<std::int64_t, Workload::kMaxDims>& before,
                   OuterPart& part) const;
  /// After a loop of `factor` over `dim` on an axis of the fan-out `node`; `before` is the count
  /// outside it, part.count the one inside.
  void add_spatial(NodeId node, DimId dim, std::int64_t factor, std::int64_t before,
                   OuterPart& part) const;
  /// For the factors of `tiling` on all axes.
  InnerPart inner(const Tiling& tiling) const;
  /// A bound for every mapping with these parts. `moving`: tensors that the block being filled
  /// moves on with every tile, so that the counts so far already are theirs.
  Least least(const OuterPart& part, TensorSet moving, const InnerPart& inner) const;
  /// Tensors that do not depend on `dim`.
  TensorSet still(DimId dim) const { return still_[dim.pos()]; }

 private:
  struct Prices {
    double read = 0, fill = 0, update = 0;  // pJ per element
  };
  void settle(int tensor, int memory, OuterPart& part) const;
  double product(int tensor, const std::array<double, Workload::kMaxDims>& counts) const;

  const Problem& problem_;
  const Rules& rules_;
  Keeps keeps_;
  int dims_ = 0;
  int tensors_ = 0;
  std::vector<DimSet> irrelevant_;           // by tensor
  std::vector<TensorSet> still_;             // by dim
  std::vector<double> elements_;             // by tensor: at least these are moved each time
  std::vector<double> most_touched_;         // by tensor: at most these are first touches
  std::vector<std::vector<Prices>> prices_;  // by memory and tensor
  std::vector<std::vector<int>> kept_by_;    // by tensor: memories, outermost first
  std::vector<std::size_t> place_of_;        // by memory
  std::vector<bool> plain_;                  // by tensor: no affine rank
  double computes_ = 0;
  double fixed_pj_ = 0;
  double leakage_pj_ = 0;  // per cycle
  bool drains_are_reads_ = false;
};

}  // namespace tilewright
