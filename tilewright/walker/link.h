// SPDX-License-Identifier: Apache-2.0
// Internal to the walker: one tensor on its way between a memory and what lies inside it
// (docs/model.md section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/walker/nest.h"
#include "tilewright/walker/tally.h"
#include "tilewright/walker/walk.h"

namespace tilewright::walking {

/// The ends of a link: keep nodes by their place in the nest.
struct LinkEnds {
  TensorId tensor;
  int parent = 0;            ///< place of the parent's keep node
  std::optional<int> child;  ///< of the child's; none: the compute units
};

/// The links of all tensors; marks in `tally` what is kept and sizes the counts for it.
std::vector<LinkEnds> find_links(const Problem& problem, const Mapping& mapping, const Nest& nest,
                                 Tally& tally);

/// One link while the nest runs: every child instance with its tile.
class Link {
 public:
  /// Counts go to `tally`, which must outlive the link, as must `nest` and `space`.
  Link(const Problem& problem, const Mapping& mapping, const Nest& nest, const LinkEnds& ends,
       const WalkOptions& options, ElementSpace& space, Tally& tally);

  /// One time step: who receives, what, and what the parent reads or is updated with for it.
  void step(const Clock& clock);

 private:
  /// One child instance.
  struct Child {
    bool started = false;
    std::vector<std::int64_t> indices;  // of the loops that decide, when it last received
    Elements tile;                      // what it holds
    Elements delta;                     // what it got last
    std::vector<bool> held;             // output only: elements that it ever held
  };

  void plan_events();
  void plan_sharing(const Arch& arch, const Instances& parents);
  bool slides(std::size_t k) const;
  bool due(const Child& child, const Clock& clock) const;
  bool receive(std::size_t c, const Clock& clock);
  void rebuild_tile(std::size_t c, const Clock& clock);
  void count_received(std::size_t c);
  void serve(const Clock& clock);
  void find_summing_dims();
  std::int64_t origin(std::size_t c, const Clock& clock, std::size_t dim) const;
  void mark_summed(std::size_t c, const Clock& clock);
  bool wholly_summed() const;
  bool shares(std::size_t a, std::size_t b) const;
  void count_served(std::size_t parent);

  const Workload& workload_;
  const Nest& nest_;
  ElementSpace& space_;
  const LinkEnds ends_;
  const WalkOptions options_;
  const bool drains_are_reads_;
  const bool output_;
  const Instances& instances_;  // of the child
  TensorTally& parent_tally_;
  TensorTally* child_tally_ = nullptr;             // none for compute units
  bool sliding_ = false;                           // the child holds back overlaps
  std::size_t deciding_ = 0;                       // so many outermost loops in time make an event
  std::vector<bool> slides_;                       // by deciding loop
  std::vector<std::vector<std::int64_t>> inside_;  // by dim: positions inside the child
  std::vector<std::size_t> parent_of_;             // by child instance
  std::vector<std::size_t> group_of_;              // by child instance: those that may share
  bool only_equal_ = false;                        // they share only if their tiles are equal
  std::vector<Child> children_;                    // by child instance
  std::vector<std::vector<bool>> touched_;         // by parent instance; output only
  std::vector<std::size_t> receivers_;             // at this time step
  std::vector<std::vector<std::int64_t>> positions_;  // scratch, by dim
  Elements served_;                                   // scratch
  std::vector<std::size_t> summing_;       // output only: dims along which elements are added to
  std::vector<std::vector<bool>> summed_;  // scratch, by `summing_`: positions in what goes out
};

}  // namespace tilewright::walking
