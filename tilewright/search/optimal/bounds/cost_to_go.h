// SPDX-License-Identifier: Apache-2.0
// Least cost of everything inside a boundary of the nest, for all counts that it may have there:
// dynamic programming from the innermost memory outwards. What a link costs depends on counts at
// one boundary, so the minimum over all loops of a block is taken dim by dim
// (docs/optimal.md section 2).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tilewright/base/fixed_vector.h"
#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/search/prunes.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// The cells of a boundary: all tuples of counts, live dims only, the last dim contiguous.
struct Grid {
  std::vector<std::size_t> dims;   ///< live dims
  std::vector<std::size_t> sizes;  ///< how many counts each of them has here

  std::size_t cells() const;
};

class CostToGo {
 public:
  /// Cost of what is inside, with the links of `pending` tensors left out: where their tiles are
  /// moved on is decided further out.
  struct Table {
    TensorSet pending = 0;
    std::vector<double> cost;  ///< by cell; infinite if no mapping goes there
  };
  /// The same behind a block whose innermost loop has this label: links of the tensors that it
  /// moves on are in the cost.
  struct BlockTable {
    int label = 0;  ///< position in ProblemTables::labels
    TensorSet pending = 0;
    std::shared_ptr<const std::vector<double>> cost;  ///< one for all labels that do the same
  };

  /// What is asked of it: whole() and tables(), or block_tables() as well.
  enum class Use { kBound, kSearch };

  /// `chains`: by dim; empty for dims of one element. All must outlive it. Of no use if `stop`
  /// (asked now and then where tables are large) said so.
  CostToGo(const Links& links, std::span<const DimChain* const> chains, const Resource& resource,
           std::span<const TileForm> tiles, const Prunes& prunes, Use use,
           const std::function<bool()>& stop);

  /// Least cost of all links between memories.
  double whole() const { return whole_; }
  const Grid& grid(std::size_t memory) const { return grids_[memory]; }
  /// Of all tables; one that several labels have in common counts for each of them.
  std::size_t cells() const;
  /// At the outside of `memory`; position keeps.size() is the compute units.
  std::span<const Table> tables(std::size_t memory) const { return boundary_tables_[memory]; }
  /// Behind the block of memory - 1, at the outside of `memory`; none for Use::kBound.
  std::span<const BlockTable> block_tables(std::size_t memory) const { return blocks_[memory]; }

  /// False if `by_placement` leaves out mappings whose block of `memory` is empty.
  bool may_be_empty(std::size_t memory) const;
  /// True if `by_same_tile` leaves out mappings in which tiles of these tensors in `memory` are
  /// those of the next memory inside.
  bool is_needless(std::size_t memory, TensorSet same, bool empty) const;

 private:
  bool may_end(std::size_t memory, const ProblemTables::Label& label) const;
  std::vector<std::size_t> effect_of(const ProblemTables::Label& label, std::size_t memory,
                                     TensorSet pending) const;
  // How many counts each dim of the grid has.
  using GridSizes = FixedVector<std::size_t, Workload::kMaxDims>;
  GridSizes sizes_at(std::size_t place) const;
  void make_grid(std::size_t memory);
  void forget_what_does_not_fit(std::size_t memory);
  // By position in the grid.
  using CellCounts = FixedVector<std::span<const std::int64_t>, Workload::kMaxDims>;
  std::vector<double> link_cost(std::size_t memory, std::size_t tensor, const CellCounts& outside,
                                const CellCounts& inside, bool exact, DimSet last) const;
  template <typename Count>
  CellCounts make_counts(const CellCounts& like, const Count& of) const;
  std::vector<double> moving_cost(std::size_t memory, std::size_t tensor, DimSet last) const;
  void add_stationary(std::size_t memory, std::size_t tensor, DimSet outer,
                      std::vector<double>& cost) const;
  class Pulled;
  std::vector<double> through_axes(std::size_t memory, const std::vector<double>& cost);
  bool find_offers(std::size_t dim, std::size_t place, bool loops);
  void pull_last(const double* source, std::size_t rows, std::size_t inner, std::size_t outer,
                 bool chained, double* target);
  void pull(Pulled& pulled, GridSizes& sizes, std::size_t axis, std::size_t place, bool loops);
  struct Stopped {};
  void fill();
  // Counts cells about to be filled; throws Stopped if that is wanted, which it asks now and then.
  void check_stop(std::size_t cells) const;
  void go_outwards(std::size_t memory);
  void leave_block(std::size_t memory, const Table& inside, TensorSet stationary,
                   const std::vector<double>& behind);
  void offer(std::size_t memory, TensorSet pending, std::vector<double> cost);
  void enter(std::size_t memory);
  std::size_t place_behind(std::size_t memory) const;
  std::size_t memory_of(std::size_t place) const;

  const Links& links_;
  const ProblemTables& tables_;
  std::span<const DimChain* const> chains_;
  const Resource& resource_;
  std::span<const TileForm> tiles_;
  Prunes prunes_;
  Use use_;
  const std::function<bool()>* stop_;                // while tables are filled
  mutable std::size_t cells_since_look_ = 0;         // filled since `stop_` was last asked
  std::vector<Grid> grids_;                          // by memory, then compute units
  std::vector<std::vector<Table>> boundary_tables_;  // likewise
  std::vector<std::vector<BlockTable>> blocks_;      // likewise
  // From a position among the counts inside a place to one among those outside.
  struct Offer {
    std::size_t from = 0;
    std::size_t to = 0;
  };
  std::vector<Offer> offers_;                      // of the pull at hand
  std::vector<double> spare_;                      // memory for the next pull
  mutable std::vector<std::int64_t> made_counts_;  // of the link at hand
  double whole_ = 0;
};

}  // namespace tilewright
