// SPDX-License-Identifier: Apache-2.0
// The optimal search inside one root: what is kept and all loops in space are fixed. Depth first
// from the outermost block inwards, one boundary at a time; the cost still to come is known from
// below for every boundary (cost_to_go.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/optimal/tree/root_chains.h"
#include "tilewright/search/optimal/tree/root_tables.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"

namespace tilewright {

class RootTeam;

/// One per thread.
class RootSearch {
 public:
  class Branch;

  /// What is named must outlive it.
  RootSearch(const OptimalContext& context, Answers& answers, RootTeam& team);

  /// A lower bound of all mappings with these loops in space and keeps; infinite if there is none,
  /// nothing where medium precision would take nearly as long as full precision.
  /// `holds_witness`: the witness of the context is one of them.
  LowerBounds bound(const Keeps& keeps, const Tiling& spatial, BoundPrecision precision,
                    bool holds_witness = false);
  /// Of all tables that were made so far.
  std::uint64_t cells() const { return cells_; }
  /// Looks for answers among those that were bounded last, with full precision, of which there must
  /// be some; `root` is their number. False if it was interrupted.
  bool search(std::int64_t root);
  /// The same among those that another thread has given away.
  bool search(const Branch& branch);

  const SearchResult& tally() const { return tally_; }
  std::vector<OpenedRoot>& opened() { return opened_; }

 private:
  // Where a tensor's tiles are moved on, as far as the loops so far say: in the block of memory
  // `at`, for so many tiles.
  struct Moved {
    int at = -1;
    Counts tiles;
    DimSet last = 0;  // the loop is over one of these
  };
  // The known part of a mapping, at the outside of a memory.
  struct PartialMapping {
    Counts counts;
    std::array<int, Workload::kMaxDims> cell;  // by live dim: position of its count
    std::array<Moved, Workload::kMaxTensors> moved;
    std::array<double, kMaxResources> spent{};  // by resource: links between memories passed
    double used_bits = 0;  // of the shared capacity, by what the last memory keeps so far
  };
  struct Candidate {
    double key = 0;
    std::size_t cell = 0;
    int label = -1;  // -1: the block is empty

    bool leads_where(const Candidate& other) const {
      return cell == other.cell && label == other.label;
    }
  };
  // The block of a memory: where it may lead.
  struct Frame {
    PartialMapping part;  // links into the memory are in what is spent
    std::vector<Candidate> candidates;
    std::size_t next = 0;              // the first that was not looked at
    std::size_t passed = 0;            // links so far
    std::optional<Candidate> witness;  // the one that leads to the witness, if it is here
  };
  // A link between memories that was passed.
  struct Passed {
    std::size_t tensor;
    std::size_t child;
    int at;
    double energy;
    Counts counts;  // at the outside of the child
  };
  // From the outside to where it is.
  struct Way {
    // By memory: positions of the counts outside its block and right inside it.
    std::vector<std::array<int, Workload::kMaxDims>> outer;
    std::vector<std::array<int, Workload::kMaxDims>> inner_cell;
    std::vector<int> label;      // by place
    std::vector<DimSet> active;  // by place
    std::vector<Passed> passed;
  };

  std::shared_ptr<const RootTables> make_tables(const Keeps& keeps, const Tiling& spatial,
                                                BoundPrecision precision, bool holds_witness);
  double link_cost(std::size_t resource, std::size_t tensor, std::size_t child,
                   const PartialMapping& part) const;
  LowerBounds lower_bounds(std::size_t memory, const PartialMapping& part) const;
  double to_go(std::size_t resource, std::size_t memory, const PartialMapping& part) const;
  std::size_t index(std::size_t memory, const PartialMapping& part) const;
  bool promises(const LowerBounds& bounds);
  bool goes_on();
  bool is_interrupted();

  void visit(std::size_t memory, const PartialMapping& part, std::vector<OpenedNode>* opened,
             bool holds_witness);
  void go_through(std::size_t memory, std::vector<OpenedNode>* opened);
  void share();
  OpenedRoot opened_root() const;
  OpenedNode& open(const Candidate& candidate, const PartialMapping& part, double bound,
                   std::vector<OpenedNode>& opened) const;
  void collect(std::size_t memory, const PartialMapping& part, std::vector<Candidate>& candidates);
  void scan(const std::vector<double>& cost, double limit,
            const std::vector<std::vector<int>>& allowed, const Grid& grid, int label, double base,
            std::vector<Candidate>& candidates) const;
  // Cells that candidates may lead to, by position in the grid: through an empty block, and through
  // loops.
  struct Allowed {
    std::vector<std::vector<int>> unchanged;
    std::vector<std::vector<int>> by_loops;
  };
  Allowed allowed(std::size_t memory, const PartialMapping& part) const;
  void scan_tables(std::size_t memory, const PartialMapping& part, double limit,
                   const Allowed& allowed, std::vector<Candidate>& candidates) const;
  double scan_limit(const PartialMapping& part);
  bool step_in(std::size_t memory, const Candidate& candidate, const PartialMapping& part,
               PartialMapping& inside);
  int through_axes(std::size_t memory, std::size_t dim, int inner) const;

  double used_bits(std::size_t memory, const PartialMapping& part) const;
  bool has_same_tile(std::size_t memory, const PartialMapping& part) const;
  bool fits_beside(std::size_t memory, const PartialMapping& part) const;

  void look_at(const LowerBounds& bound);
  void choose_factors(std::size_t next);
  bool least_factor_is_best(std::size_t dim) const;
  void score_orders();
  double order_cost(std::size_t memory, const std::vector<DimId>& order) const;
  LowerBounds with_order(const LowerBounds& leaf, double extra) const;
  void go_through_orders(std::size_t memory, double extra);
  const std::vector<std::vector<DimId>>& orders_of(std::size_t place);

  // Where the witness is (root_search_witness.cpp).
  void check_tables(BoundPrecision precision, const LowerBounds& bounds) const;
  Candidate find_witness(std::size_t memory, const PartialMapping& part) const;
  void check_candidates(std::size_t memory, Frame& frame);
  void check_rest(const Frame& frame, std::size_t first, std::string_view prune);
  void check_drop(std::string_view prune);
  void check_leaf(const LowerBounds& bounds);
  void check_orders(const LowerBounds& bounds);
  void check_factors();

  const OptimalContext& context_;
  const ProblemTables& tables_;
  Answers& answers_;
  Answers::View view_;
  RootTeam& team_;
  Scorer scorer_;
  OrderClasses classes_;
  SearchResult tally_;
  std::vector<OpenedRoot> opened_;
  std::uint64_t cells_ = 0;
  bool interrupted_ = false;
  std::uint64_t next_branch_ = 0;  // not before so many nodes

  // Of the root.
  RootChains known_chains_;
  std::shared_ptr<const RootTables> root_tables_;
  // On the way down.
  Position here_;
  Tiling tiling_;
  Way way_;
  std::size_t first_ = 0;      // frames from here on are this thread's
  std::vector<Frame> frames_;  // by memory
  // At a whole mapping.
  struct Choice {
    std::size_t place;
    std::size_t dim;
    std::int64_t first;
    std::int64_t last;
  };
  std::vector<Choice> open_choices_;
  Orders orders_;
  std::vector<NestNode> nest_;
  std::map<std::vector<std::uint32_t>, std::vector<std::vector<DimId>>> known_orders_;
  LowerBounds bound_here_;
  struct Ranked {
    double extra;
    const std::vector<DimId>* order;
  };
  std::vector<std::vector<Ranked>> ranked_;  // by memory
};

/// Some mappings of a root that a thread gives away.
class RootSearch::Branch {
 public:
  /// None of them scores less.
  double bound() const { return root_tables_->lower_bounds().score; }

 private:
  friend class RootSearch;

  std::shared_ptr<const RootTables> root_tables_;
  Position here_;
  Way way_;
  Frame frame_;
};

/// What a RootSearch tells the threads that it works with.
class RootTeam {
 public:
  virtual ~RootTeam() = default;
  /// What it has seen so far; false if the search is to end.
  virtual bool report(const SearchResult& tally) = 0;
  /// True if a thread has nothing to do. Asked at every node.
  virtual bool wants_branch() const = 0;
  virtual void give(RootSearch::Branch branch) = 0;
};

}  // namespace tilewright
