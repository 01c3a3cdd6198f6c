// SPDX-License-Identifier: Apache-2.0
// A problem and its rules as tables that the optimal search reads at every node.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/search/optimal/shared/resources.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// Tiles along each dim.
using Counts = std::array<std::int64_t, Workload::kMaxDims>;

/// Calls `visit` with the position of every bit that is set.
template <typename Visit>
void for_bits(std::uint32_t set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(__builtin_ctz(set)));
}

/// What the search asks of a problem again and again.
class ProblemTables {
 public:
  /// Compute units along a dim, each with one element at a time.
  struct Children {
    double mean = 1;
    double most = 1;
    /// They are spaced by so many elements, at most; 0: not evenly.
    std::int64_t spaced = 0;
  };

  /// Elements of a rank of two dims, cut into pieces: at least (its own, if pieces do not overlap).
  struct Pair {
    std::size_t first = 0;  // dims
    std::size_t second = 0;
    std::int64_t m = 1;  // coefficients without common divisor
    std::int64_t n = 1;
    double least = 1;  // of the whole rank

    /// Of all compute units along its dims, so many need the same element at most, on average.
    double most_shared(std::int64_t size1, std::int64_t size2) const;
    bool is_in(DimSet set) const { return ((set >> first | set >> second) & 1U) != 0; }
    /// Summed over n1 * n2 pieces of the sizes N1 and N2.
    double pieces(double size1, double size2, double n1, double n2) const;
  };

  /// Dims that do the same to all tensors if a loop over one of them is the innermost of a block:
  /// some tensors stay where they are, and along the same ranks overlaps can be held back.
  struct Label {
    TensorSet stationary = 0;
    DimSet dims = 0;
  };

  /// `problem` and `rules` must outlive it.
  ProblemTables(const Problem& problem, const Rules& rules);

  const Problem& problem;
  const Rules& rules;
  int dims = 0;
  int tensors = 0;
  int memories = 0;
  std::size_t output = 0;
  DimSet live = 0;                       ///< dims of more than one element
  std::vector<std::size_t> by_size;      ///< these, the largest last
  std::vector<std::int64_t> sizes;       ///< by dim
  std::vector<DimSet> irrelevant;        ///< by tensor: live dims that it does not depend on
  std::vector<TensorSet> stationary;     ///< by dim: the tensors that do not depend on it
  std::vector<Label> labels;             ///< every live dim is in one of them
  std::vector<double> elements;          ///< by tensor
  std::vector<double> most_touched;      ///< by tensor: at most these are first touches
  std::vector<double> plain;             ///< by tensor: product of the ranks not in `pairs`
  std::vector<std::vector<Pair>> pairs;  ///< by tensor
  std::vector<DimSet>
      shared_by;  ///< by tensor: along these dims compute units may all need one element
  std::vector<std::size_t> block;  ///< by memory: its place
  std::vector<TensorSet> slides;   ///< by memory
  double computes = 0;
  double leakage_pj = 0;  ///< per cycle

  /// True if children of the fan-out at `place` may be served by one access.
  bool shares(std::size_t tensor, std::size_t place) const { return shares_[place][tensor]; }
  /// No loop at any place.
  Tiling no_loops() const;
  /// True if a fan-out is between the blocks of two memories (or compute units).
  bool fans_out(std::size_t outside, std::size_t inside) const;
  /// True if the memory may keep its tensors at several points.
  bool is_split(std::size_t memory) const {
    const std::size_t points = rules.keeps.size();
    const auto same = [&](std::size_t m) {
      return m < points && rules.keeps[m].memory == rules.keeps[memory].memory;
    };
    return memory < points && ((memory > 0 && same(memory - 1)) || same(memory + 1));
  }
  /// What the memory keeps at this point or further out: tiles of it are no smaller there.
  TensorSet held(const Keeps& keeps, std::size_t memory) const;
  /// True if loops of `dim` at `place` never leave a remainder.
  bool whole(std::size_t place, std::size_t dim) const {
    return !rules.places[place].rules[dim].remainder;
  }
  /// False if the time of a link into `child` may be that of another instance than the first
  /// (docs/model.md (15)): where slides leave holes and loops remainders.
  bool knows(const Resource& resource, std::size_t tensor, std::size_t child) const;
  /// True if overlapping tiles of different children are read once.
  bool merges(std::size_t place) const { return merges_[place]; }

 private:
  void add_tensor(std::size_t t);
  void add_labels();
  void add_places();

  std::vector<std::vector<bool>> shares_;
  std::vector<bool> merges_;
  TensorSet uneven_ = 0;  // slides may leave holes
};

/// Compute units along two dims of a rank: so many need the same element at most, on average. Any a
/// and b values have a + b - 1 different sums at least. If the a values are multiples of `stride`
/// and the b ones fall into R residue classes of it, R (a - 1) + b.
double most_shared(const ProblemTables::Children& a, const ProblemTables::Children& b,
                   std::int64_t stride);

/// Whether tiles of these extents of the kept tensors fit the memory.
bool tiles_fit(const ProblemTables& tables, std::span<const TileForm> tiles, std::size_t memory,
               TensorSet kept, const Counts& extents);

}  // namespace tilewright
