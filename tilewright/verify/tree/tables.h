// SPDX-License-Identifier: Apache-2.0
// Cost to go: section 2 of docs/optimal.md. For every tuple of counts at the outside of a memory
// and every set of pending tensors, the least that all links with l* inside can cost.
#pragma once

#include <map>
#include <vector>

#include "tilewright/verify/tree/root.h"

namespace tilewright::verify {

/// All tuples of positions among the counts of each dim; the last dim is the fastest.
struct Grid {
  std::vector<int> sizes;

  std::size_t tuples() const;
  /// How many tuples one position of `dim` holds.
  std::size_t stride(int dim) const;
};

/// A value for each tuple of a grid.
struct Table {
  Grid grid;
  std::vector<double> values;
};

/// The tables of one root for one metric, all levels; level memory_count() is the compute units.
class Tables {
 public:
  Tables(const Root& root, const Metric& metric);

  using Level = std::map<TensorSet, std::vector<double>>;  ///< by pending tensors
  const Level& level(int level) const { return levels_[pos(level)]; }
  const Grid& grid(int level) const { return grids_[pos(level)]; }
  /// The bound of the whole root.
  double bound() const;

 private:
  // Loops of a block over dims that do the same to the pending tensors.
  struct Group {
    DimSet dims = 0;
    TensorSet still = 0;  // of the pending ones
    bool single = false;  // one dim, which must have a loop
  };
  // What a charge sees of each dim, by position in the grid.
  using Sights = std::vector<std::vector<Sight>>;

  void pass_block(int memory);
  void pass_empty(int memory, TensorSet pending, const std::vector<double>& inside);
  void pass_group(int memory, TensorSet pending, const Group& group,
                  const std::vector<double>& inside);
  void pass_charged(int memory, const Group& group, TensorSet charged, const Table& inside);
  struct Crossing;
  Table cross(Crossing& crossing) const;
  void pass_crossed(Crossing& crossing, int dim) const;
  void charge_crossed(Crossing& crossing) const;
  void pass_keep(int memory);
  std::vector<Group> groups(int memory, TensorSet pending) const;
  Sights moving_sights(int memory, const Link& link) const;
  Sight still_sight(int memory, const Link& link, int dim, int in, int out) const;
  Sights still_sights(int memory, const Link& link) const;
  Sights once_sights(int memory, const Link& link) const;
  void charge(const Link& link, const Sights& sights, std::span<const int> slides,
              Table& table) const;
  void expand(const Link& link, const Sights& sights, int slide, const Grid& grid,
              std::vector<double>& received, std::vector<double>& delivered) const;
  Table reduce(const Table& table, int memory, int dim, bool loops, bool must) const;
  void merge(TensorSet pending, const std::vector<double>& values);
  Link link_of(int tensor, int level) const;

  const Root& root_;
  const Frame& frame_;
  const Metric& metric_;
  std::vector<Grid> grids_;
  std::vector<Level> levels_;
  Level next_;  // of the block that is passed, before its keep node
};

}  // namespace tilewright::verify
