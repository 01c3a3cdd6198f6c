// SPDX-License-Identifier: Apache-2.0
// Least traffic and cost of the links between memories, as far as it follows from counts: how many
// tiles each dim is cut into at the boundaries of a nest. A link moves a tile of its tensor again
// for every tile of the dims that the tensor does not depend on, counted at one boundary: the one
// inside the innermost loop that it does depend on (docs/optimal.md section 1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// Tiles along each dim.
using Counts = std::array<std::int64_t, Workload::kMaxDims>;

/// Calls `visit` with the position of every bit that is set.
template <typename Visit>
void for_bits(std::uint32_t set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(__builtin_ctz(set)));
}

/// What an element costs in one memory. Of the output, `update` and `drain` are those of a finished
/// one; `read` is that of an old partial sum, with what its update costs more than a finished one.
struct Prices {
  double read = 0;
  double fill = 0;
  double update = 0;
  double drain = 0;
};

/// Something that is used up: energy, outermost traffic, or the time of one memory.
struct Resource {
  enum class Kind { kEnergy, kTraffic, kTime };
  Kind kind = Kind::kEnergy;
  std::vector<std::vector<Prices>> prices;  ///< by memory (position in Rules::keeps) and tensor
  double fixed = 0;                         ///< whatever the mapping
  int memory = -1;                          ///< of kTime: whose; its instances share the work
};

/// Energy first; then traffic if `objective` has it, and time for every bandwidth that is limited.
std::vector<Resource> make_resources(const Problem& problem, const Rules& rules,
                                     const Conventions& conventions, const Objective& objective);

/// What the search asks of a problem again and again.
class Facts {
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
    TensorSet still = 0;
    DimSet dims = 0;
  };

  /// `problem` and `rules` must outlive it.
  Facts(const Problem& problem, const Rules& rules, const Conventions& conventions);

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
  std::vector<TensorSet> still;          ///< by dim: the tensors that do not depend on it
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
  /// True if a fan-out is between the blocks of two memories (or compute units).
  bool fans_out(std::size_t outside, std::size_t inside) const;
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
  void add_tensor(std::size_t t, const Conventions& conventions);
  void add_labels();
  void add_places();

  std::vector<std::vector<bool>> shares_;
  std::vector<bool> merges_;
  TensorSet uneven_ = 0;  // slides may leave holes
};

/// Whether tiles of these extents of the kept tensors fit the memory.
bool tiles_fit(const Facts& facts, std::span<const TileForm> tiles, std::size_t memory,
               TensorSet kept, const Counts& extents);

/// The links of one choice of what is kept and of the loops in space. `facts` must outlive it.
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
  Links(const Facts& facts, Keeps keeps, const Tiling& spatial);

  const Facts& facts() const { return facts_; }
  const Keeps& keeps() const { return keeps_; }
  bool keeps(std::size_t memory, std::size_t tensor) const {
    return (keeps_[memory] >> tensor & 1U) != 0;
  }
  /// The memory outside `memory` that keeps the tensor; -1: none.
  int parent(std::size_t memory, std::size_t tensor) const { return parent_[memory][tensor]; }
  /// The outermost memory at or inside `memory` that keeps the tensor; -1: none.
  int child(std::size_t memory, std::size_t tensor) const;
  std::int64_t factor(std::size_t place, std::size_t dim) const {
    return spatial_.at(static_cast<int>(place), static_cast<int>(dim));
  }

  /// How often a tile goes over the link into `child`, along a dim that the tensor does not depend
  /// on, if the loops that decide stand in the block of memory `at` and leave `count` tiles.
  double deliveries(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                    std::int64_t count) const;
  double receipts(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                  std::int64_t count) const;
  /// Elements of a rank of two dims that go over the link into `child`, at least, if the loops that
  /// decide stand in the block of memory `at`, and overlaps of consecutive tiles along the dim
  /// `slide` are held back (any other number: none are).
  double pieces(const Facts::Pair& pair, std::size_t child, int at, std::int64_t first,
                std::int64_t second, std::size_t slide) const;
  /// Of `dims`, those along which the child may hold back overlaps; kNoSlide if there is none.
  static constexpr std::size_t kNoSlide = 32;
  std::vector<std::size_t> slides(std::size_t tensor, std::size_t child, DimSet dims) const;
  /// Dims of affine ranks along which children are served separately.
  DimSet separate(std::size_t tensor, std::size_t child, int at) const;
  /// Dims of affine ranks whose tiles may coincide or overlap in space outside of the loops that
  /// decide, where reads are shared: nothing is known of their pieces.
  DimSet mixed(std::size_t tensor, std::size_t child, int at) const;
  /// At least so many elements are in all tiles together: `outside` and `inside` are the tiles
  /// along each dim outside the fan-outs of the link and inside them.
  Traffic elements(std::size_t tensor, std::size_t child, int at, const Counts& outside,
                   const Counts& inside, DimSet last) const;
  Rates rates(const Resource& resource, std::size_t tensor, std::size_t child) const;
  /// Of a link with this traffic.
  double cost(const Resource& resource, std::size_t tensor, std::size_t child,
              const Traffic& traffic) const {
    return rates(resource, tensor, child).cost(traffic);
  }
  /// If every tile is moved once.
  double least_cost(const Resource& resource, std::size_t tensor, std::size_t child) const;
  /// Of all accesses by compute units, and what is fixed: exact but for sharing along affine ranks.
  double inner_cost(const Resource& resource) const;
  /// Of everything, if every tile is moved once.
  double compulsory(const Resource& resource) const;
  /// Instances of `memory` in use, at most.
  double instances(std::size_t memory) const;
  /// Least steps of all compute units.
  double steps() const;

 private:
  // Elements that compute units take from the innermost memory that keeps the tensor, `memory`.
  double inner_moves(std::size_t tensor, std::size_t memory) const;
  std::array<Facts::Children, Workload::kMaxDims> sharing_units(std::size_t tensor,
                                                                std::size_t memory) const;
  // What they cost there.
  double inner_cost(const Resource& resource, std::size_t tensor, std::size_t memory) const;

  const Facts& facts_;
  Keeps keeps_;
  Tiling spatial_;
  std::vector<std::vector<int>> parent_;  // by memory and tensor
  std::vector<double> touched_;           // by memory: first touches of the output, at most
};

}  // namespace tilewright
