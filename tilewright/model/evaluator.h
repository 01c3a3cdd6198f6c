// SPDX-License-Identifier: Apache-2.0
// The cost model in the form that searches use: no allocation after the first call. Read evaluate()
// in evaluator.cpp first, then transfer.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/fixed_vector.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/affine.h"
#include "tilewright/model/chain.h"

namespace tilewright {

struct EvaluatorOptions {
  /// Fill in every figure. Without it, peaks and cycles of a memory that cannot set the pace may
  /// stay 0.
  bool detail = true;
};

/// Evaluates mappings of one problem, one after the other. Not to be shared by threads; `problem`
/// must outlive it.
class Evaluator {
 public:
  explicit Evaluator(const Problem& problem, const EvaluatorOptions& options = {});

  /// What `mapping` costs. It must have no structural violation: that is checked only in debug
  /// builds. The reference is good until the next call. Throws OverflowError.
  const Evaluation& evaluate(const Mapping& mapping) { return evaluate(mapping.nodes()); }

  /// The same for a nest that need not be canonical: loops of factor 1 are welcome.
  const Evaluation& evaluate(std::span<const NestNode> nodes);

  const Problem& problem() const { return problem_; }

 private:
  static constexpr int kMaxMemories = Arch::kMaxNodes;
  static constexpr int kMaxLinks = kMaxMemories * Workload::kMaxTensors;

  // ---- What the problem fixes ----
  struct RankInfo {
    RankForm form;     // terms as written
    RankForm swapped;  // two terms, the other one first: for slides along it
  };
  // Dims in a fixed order. Short lists without a pointer: they are gone through for every link.
  struct DimList {
    std::array<std::int16_t, Workload::kMaxDims> dim{};
    int count = 0;

    void add(int d) { dim[static_cast<std::size_t>(count++)] = static_cast<std::int16_t>(d); }
    const std::int16_t* begin() const { return dim.data(); }
    const std::int16_t* end() const { return dim.data() + count; }
  };
  struct TensorInfo {
    DimList irrelevant;
    DimList plain;  // relevant dims of plain ranks
    std::vector<RankInfo> affine;
    std::uint32_t relevant_dims = 0;
    std::uint32_t affine_dims = 0;
    std::array<std::int8_t, Workload::kMaxDims> rank_of_dim{};  // in `affine`
    std::int64_t plain_size = 1;                                // product of the plain dims
    bool is_output = false;
  };
  // Of an element, and how accesses that move it are charged: (17).
  struct Width {
    std::int64_t bits = 0;
    Charge charge;
  };
  struct MemoryInfo {
    NodeId node;
    bool limited = false;                         // some bandwidth is given
    Rational read_rate, write_rate, shared_rate;  // 0: unlimited
    TensorSet sliding = 0;
    double read_pj = 0, fill_pj = 0, update_pj = 0;
    double leakage_pj = 0;  // per cycle, all instances
    std::array<Width, Workload::kMaxTensors> width{};
    Width partial;  // of the output while it is being summed
  };

  struct FanoutInfo {
    bool shares_reads = false;    // it multicasts
    bool shares_in_part = false;  // ... also partly overlapping tiles
    bool reduces = false;
    int first_inside = 0;  // the outermost memory inside it
  };

  // ---- What the nest fixes ----
  // A place in the nest: the loops inside it, and the first slot of each dim outside it. Row 0 is
  // the compute unit's.
  struct Boundary {
    LoopSet inside = 0;
    std::array<std::uint16_t, Workload::kMaxDims> slot{};  // in slot_
  };
  // Links of a tensor stand in a row, outermost first.
  // Tensor `tensor` between memory `parent` and the next memory inside that keeps it; child -1: the
  // compute units.
  struct Link {
    int tensor = 0;
    int parent = 0;
    int child = -1;
    int parent_row = 0;  // boundary of the parent's keep node
    int row = 0;         // ... of the child's
    bool home = false;   // nothing fills the parent
  };
  struct LinkState {
    int innermost = -1;     // l*, -1 if none
    int sliding_rank = -1;  // among the affine ones, -1 if nothing slides
    Sharing sharing = Sharing::kEqual;
    LoopSet merged_space = 0;
    LoopSet stationary = 0;
    LoopSet sweep = 0;  // the sliding loops
    std::int64_t received = 0;
    std::int64_t delivered = 0;
  };
  // The sums over the affine ranks of a link.
  struct RankSums {
    std::array<std::int64_t, Workload::kMaxDims> whole;  // by rank
    std::array<std::int64_t, kMaxLoops> saved;           // by sliding loop, innermost first
  };
  struct AffineState {
    RankSums received;
    RankSums delivered;
  };
  // One sum over events: which loops are merged in space or held at 0, and how tiles are shared.
  struct Scope {
    LoopSet merged_space = 0;
    LoopSet fixed = 0;
    Sharing sharing = Sharing::kEqual;
  };

  // nest.cpp
  void load(std::span<const NestNode> nodes);
  void lay_slots(const std::array<std::int64_t, kMaxLoops>& factors);
  void add_links();
  void refresh_dim(int dim);
  void refresh_units(int dim, LoopSet space);
  void refresh_instances();
  LoopSet find_sweep(const Link& link, int innermost) const;

  void add_tensor(TensorId id);
  void add_memory(NodeId id);
  void refresh_loops(const TensorInfo& tensor, const Link& link, LinkState& state) const;
  void refresh_link(const TensorInfo& tensor, std::size_t index);
  void count_link(const TensorInfo& tensor, std::size_t index);
  bool sums_unfinished(const Link& link) const;
  const Width& width_of(std::size_t memory, std::size_t tensor, const TensorCounts& counts) const {
    return counts.unfinished ? memory_[memory].partial : memory_[memory].width[tensor];
  }
  TensorCounts& counts_of(const Link& link) {
    return result_.memories[static_cast<std::size_t>(link.parent)]
        .tensors[static_cast<std::size_t>(link.tensor)];
  }

  // pace.cpp
  struct Traffic {
    std::int64_t reads = 0;  // in bits
    std::int64_t writes = 0;
  };
  void finish();
  void find_pace(int memory);
  bool exceeds_pace(int memory, const Traffic& traffic, std::int64_t copies) const;
  bool may_set_pace(int memory) const;
  void count_peaks(int memory, bool alike);
  std::int64_t memory_cycles(int memory, const Traffic& traffic) const;
  template <typename Elements>
  Traffic add_traffic(int memory, const Elements& elements);

  // transfer.cpp
  std::int64_t moved(std::size_t index, const Scope& scope) const;
  void refresh_affine(std::size_t index);
  void sum_rank(const Link& link, const LinkState& state, const Scope& scope, std::size_t rank,
                RankSums& sums) const;
  void sum_slide(const Link& link, const LinkState& state, const RankInfo& rank,
                 const LoopParts& parts, Sharing sharing, RankSums& sums) const;
  bool tiles_differ(const RankInfo& rank, const LinkState& state) const;
  std::int64_t combine(const Link& link, const LinkState& state, const Scope& scope,
                       const RankSums& sums, std::int64_t still) const;
  std::int64_t irrelevant_events(const Link& link, LoopSet merged) const;
  std::int64_t plain_extents(int row, int tensor, LoopSet fixed) const;
  std::int64_t first_touches(int row, int tensor, LoopSet fixed) const;
  std::int64_t first_touches(int row, int tensor) const {
    // Mostly nothing is spread outside that the tensor does not depend on: each element once.
    const std::size_t t = static_cast<std::size_t>(tensor);
    const bool apart = (spatial() & ~boundary(row).inside & ~relevant_[t]) == 0;
    return apart && tensor_[t].affine.empty() ? tensor_[t].plain_size
                                              : first_touches(row, tensor, 0);
  }
  std::int64_t touch_affine(int row, const TensorInfo& info, LoopSet fixed) const;
  std::int64_t affine_tile(int row, const TensorInfo& info) const;

  const Boundary& boundary(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  // Loops in time between the child and `loop`: a tile stays while they run. A compute unit keeps
  // nothing.
  LoopSet stationary(const Link& link, int loop) const {
    if (link.child < 0) return 0;
    const LoopSet outside = temporal() & ~boundary(link.row).inside;
    return loop < 0 ? outside : outside & loops_below(loop);
  }
  LoopSet temporal() const { return active_ & ~in_space_; }
  LoopSet spatial() const { return active_ & in_space_; }
  LoopSet rank_loops(const RankInfo& rank) const {
    LoopSet loops = 0;
    for (const Term& term : rank.form.terms) loops |= loops_of_dim_[term.dim.pos()];
    return loops & active_;
  }
  // Loops of `dim` outside `row`; the entry behind the last one holds the whole dim.
  const Slot* slot_at(int dim, int row) const {
    return slot_.data() + boundary(row).slot[static_cast<std::size_t>(dim)];
  }
  Slots slots_from(int dim, int row) const {
    return {slot_at(dim, row), slot_.data() + end_slot_[static_cast<std::size_t>(dim)]};
  }
  // (3), without the recursion where all loops are counted or all are merged.
  std::int64_t events(int dim, int row, LoopSet merged) const {
    const LoopSet loops =
        loops_of_dim_[static_cast<std::size_t>(dim)] & active_ & ~boundary(row).inside;
    if ((loops & merged) == 0) return slot_at(dim, row)->count;
    if ((loops & ~merged) == 0) return 1;
    return count_events(slots_from(dim, row), merged);
  }
  // (5)
  std::int64_t tile_size(int row, int tensor) const {
    const TensorInfo& info = tensor_[static_cast<std::size_t>(tensor)];
    std::int64_t size = 1;
    for (const int d : info.plain) size *= slot_at(d, row)->tile;
    return info.affine.empty() ? size : checked_mul(size, affine_tile(row, info));
  }
  TermView term_view(DimId dim, int row) const {
    return {slots_from(dim.value, row), size_[dim.pos()], slot_at(dim.value, row)->tile};
  }

  const Problem& problem_;
  EvaluatorOptions options_;
  int dims_ = 0;
  int tensors_ = 0;
  int memories_ = 0;
  FixedVector<TensorInfo, Workload::kMaxTensors> tensor_;
  FixedVector<MemoryInfo, kMaxMemories> memory_;
  std::array<FanoutInfo, Arch::kMaxNodes> fanout_;
  std::array<int, Arch::kMaxNodes> memory_of_node_{};
  std::array<std::int64_t, Workload::kMaxDims> size_{};
  std::array<TensorSet, Workload::kMaxDims> relevant_to_{};
  double compute_pj_ = 0;
  double compute_leakage_pj_ = 0;  // per cycle, all units

  int loops_ = 0;
  std::array<int, kMaxLoops> dim_of_loop_{};
  std::array<Slot, kMaxLoops + Workload::kMaxDims> slot_;  // by dim, innermost first, then its end
  std::array<std::uint16_t, Workload::kMaxDims> first_slot_{};  // of each dim, in slot_
  std::array<std::uint16_t, Workload::kMaxDims> end_slot_{};  // ... and the entry behind its loops
  std::array<std::uint16_t, kMaxLoops> slot_of_loop_{};
  std::array<LoopSet, Workload::kMaxDims> loops_of_dim_{};
  LoopSet active_ = 0;    // loops with a factor above 1
  LoopSet in_space_ = 0;  // loops in space, of any factor; likewise the next three
  LoopSet shares_reads_ = 0;
  LoopSet shares_in_part_ = 0;
  LoopSet reduces_ = 0;
  LoopSet summing_ = 0;  // loops that may add to an element of the output several times
  LoopSet meeting_ = 0;  // ... of them those over dims that it depends on
  std::array<LoopSet, Workload::kMaxTensors> relevant_{};  // loops over relevant dims
  std::array<LoopSet, kMaxMemories> space_outside_{};      // loops of fan-outs outside the memory
  FixedVector<Boundary, kMaxLinks + 1> rows_;
  std::array<std::array<int, Workload::kMaxTensors>, kMaxMemories> row_{};  // 0: not kept
  std::array<TensorSet, kMaxMemories> kept_{};
  FixedVector<Link, kMaxLinks>
      links_;  // as many as there can be; in use are those that first_link_ tells
  std::array<std::size_t, Workload::kMaxTensors + 1> first_link_{};  // of each tensor
  FixedVector<LinkState, kMaxLinks> link_state_;
  std::vector<AffineState> affine_state_;  // empty if no tensor has an affine rank
  std::array<std::array<int, Workload::kMaxTensors>, kMaxMemories> link_below_{};  // in links_

  // ---- What follows from the factors of one dim ----
  std::uint32_t ragged_dims_ = 0;   // some remainder differs from its factor
  std::uint32_t spatial_dims_ = 0;  // some loop in space
  std::array<std::int64_t, Workload::kMaxDims> steps_{};
  std::array<std::int64_t, Workload::kMaxDims> units_{};
  std::array<std::array<std::int64_t, Workload::kMaxDims>, kMaxMemories> instances_{};
  std::array<std::array<std::int64_t, Workload::kMaxDims>, kMaxMemories> units_inside_{};
  Evaluation result_;
};

}  // namespace tilewright
