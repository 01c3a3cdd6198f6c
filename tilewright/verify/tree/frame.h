// SPDX-License-Identifier: Apache-2.0
// What a claim is about, laid out for the bounds of docs/optimal.md: memories and the fan-outs
// between them, what each tensor depends on, and what each action costs.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/workload/footprint.h"

namespace tilewright::verify {

inline std::size_t pos(int i) { return static_cast<std::size_t>(i); }
inline bool has(std::uint32_t set, int i) { return (set >> i & 1U) != 0; }

/// A rank m a + n b of two dims of more than one element.
struct TwoTerms {
  int a = 0;
  int b = 0;
  double m = 1;  ///< magnitudes
  double n = 1;
  double size_a = 1;
  double size_b = 1;
  double whole = 1;    ///< different elements of the whole rank
  bool boxes = false;  ///< tiles are counted with their holes

  /// (3): elements of all tiles, x along a and y along b, at least so many of each. `joined`: a
  /// tile is all that goes out together, which need not be one stretch.
  double elements(double x, double y, bool joined) const;
};

struct TensorView {
  DimSet relevant = 0;  ///< of more than one element
  DimSet irrelevant = 0;
  DimSet many = 0;   ///< those in ranks of three terms and more
  double plain = 1;  ///< elements along all ranks but those of two terms
  std::vector<TwoTerms> ranks;
  std::vector<TileForm> tile;  ///< one: how to count a tile
  bool output = false;
  bool strided = false;  ///< has a rank in which a slide may leave holes
  double elements = 1;
  double points = 1;  ///< product of the sizes of its dims
};

/// All axes of a fan-out together; `gap` g lies between the memories g and g + 1.
struct FanoutView {
  int gap = 0;
  bool shares_reads = false;
  bool overlaps = false;
  bool reduces = false;
  std::vector<int> places;    ///< its axes in Rules::places
  std::vector<bool> perfect;  ///< by dim: loops leave no remainder
  std::int64_t least_children = 1;

  bool shares(bool output) const { return output ? reduces : shares_reads; }
};

/// A point at which a memory keeps tensors: with even placement there is one for each memory.
struct MemoryView {
  int place = 0;  ///< its block in Rules::places
  int first = 0;  ///< the outermost point of the same memory
  TensorSet sliding = 0;
  bool limited = false;  ///< its room is
  std::int64_t room = 0;
  std::vector<std::int64_t> bits;          ///< by tensor
  std::vector<std::int64_t> partial_bits;  ///< by tensor: while it is being summed
  std::vector<std::int64_t> reserved;      ///< bits of its partition; -1: none
};

/// Of an element. Of the output, `read` is that of an old partial sum together with what its update
/// costs more than the update that finishes an element, `update`.
struct Price {
  double read = 0;
  double fill = 0;
  double update = 0;
  double drain = 0;
};

/// One figure that links add up to.
struct Metric {
  enum class Kind { kEnergy, kTraffic, kTime, kNothing };
  Kind kind = Kind::kEnergy;
  int memory = -1;            ///< kTime: whose; all its instances together
  std::vector<Price> prices;  ///< by memory, then tensor
};

/// A choice of what is kept everywhere and of the factors on the axes, up to the axis on which a
/// factor stands: by fan-out, then dim.
struct RootKey {
  Keeps keeps;
  std::vector<std::int64_t> factors;
};

class Frame {
 public:
  Frame(const Problem& problem, const Rules& rules, const Objective& objective);

  int dims() const { return static_cast<int>(sizes.size()); }
  int memory_count() const { return static_cast<int>(memories.size()); }
  const Price& price(const Metric& metric, int memory, int tensor) const {
    return metric.prices[pos(memory) * tensors.size() + pos(tensor)];
  }
  /// Whether tiles of these extents of `kept` fit `memory` (model (20)).
  bool fits(int memory, TensorSet kept, const std::vector<std::int64_t>& extents) const;
  /// True if the memory has other points.
  bool is_split(int memory) const;
  /// The score of at least so much energy (without leakage), cycles and traffic.
  double score(double energy, double cycles, double traffic) const;

  const Problem& problem;
  const Rules& rules;
  Objective objective;
  std::vector<std::int64_t> sizes;  ///< by dim
  std::vector<TensorView> tensors;
  std::vector<MemoryView> memories;
  std::vector<FanoutView> fanouts;
  std::vector<Metric> metrics;  ///< those that the objective depends on; one at least
  DimSet affine = 0;            ///< dims in a rank whose tiles are not as large as they are long
  DimSet ragged = 0;            ///< dims that may have a remainder somewhere
  double computes = 1;
  double constant = 0;  ///< energy of all computes
  double leakage = 0;   ///< pJ per cycle

 private:
  void add_tensors();
  void add_nodes();
  void add_metrics();
  void add_time(int memory);
};

}  // namespace tilewright::verify
