// SPDX-License-Identifier: Apache-2.0
// Lists roots of the optimal search: choices of what is kept and of all loops in space that may
// have an answer. Choices are left out as early as bounds allow.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "tilewright/search/optimal/bounds/capacity_bound.h"
#include "tilewright/search/optimal/bounds/outline_bound.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/optimal/shared/spatial_choices.h"

namespace tilewright {

/// Some mappings that are not looked at yet.
struct Root {
  LowerBounds bounds;  ///< of all of them
  std::uint32_t keeps = 0;
  std::vector<std::int32_t> spatial;  ///< factors of all axes, by place and dim
  std::int64_t number = 0;            ///< by rising first bound
  bool holds_witness = false;
  int precision = 0;  ///< how often RootSearch has bounded it, each time better

  /// The one that is looked at later comes first, as a priority queue wants it.
  bool operator<(const Root& other) const {
    return std::tie(bounds.score, number) > std::tie(other.bounds.score, other.number);
  }
};

/// The same for every number of waves and threads.
inline bool comes_before(const Root& a, const Root& b) {
  return std::tie(a.bounds.score, a.spatial, a.keeps) <
         std::tie(b.bounds.score, b.spatial, b.keeps);
}

/// Outlines that differ in nothing but what is fixed and what is kept: what is found out about one
/// of them says something about the others.
class OutlineKinds {
 public:
  /// All outlines, energy first.
  explicit OutlineKinds(std::span<const Outlines> outlines);

  std::size_t size() const { return size_; }
  /// Of a position among the outlines of energy.
  std::size_t of(std::size_t outline) const { return kinds_[outline]; }

 private:
  std::vector<std::size_t> kinds_;
  std::size_t size_ = 0;
};

/// What all roots of a problem have in common.
struct RootContext {
  /// `context` must outlive it. Throws StoppedError if it says so.
  RootContext(const OptimalContext& context, const Answers& answers);

  const OptimalContext& context;
  CapacityBound capacity;
  SpatialChoices choices;
  std::vector<std::size_t> resources;       ///< energy, then times
  std::vector<Keeps> keeps;                 ///< that may have an answer
  std::vector<std::vector<double>> common;  ///< of these, by keeps: the same for all loops in space
  std::vector<Outlines> outlines;           ///< of these
  std::optional<OutlineKinds> kinds;        ///< of the outlines of energy
};

/// Roots that are listed together.
struct RootWave {
  double limit = std::numeric_limits<double>::infinity();  ///< scores above it come later
  const Root* last = nullptr;                              ///< of the wave before
  std::size_t most_roots = 0;  ///< any number of them from one lister, but the first so many
  std::function<bool()> stop;  ///< asked now and then, by any thread
  std::atomic<bool> stopped = false;

  /// True for one lister.
  bool claim(std::uint64_t path) {
    const std::lock_guard lock(mutex);
    return claimed.insert(path).second;
  }

  std::mutex mutex;
  std::unordered_set<std::uint64_t> claimed;  ///< paths of parts (see SpatialChoices)
};

/// One per thread. Listers of a wave share the choices: each looks at what no other has claimed.
class RootLister {
 public:
  /// What is named must outlive it.
  RootLister(const RootContext& common, const Answers& answers);

  struct Listed {
    std::vector<Root> roots;
    bool is_cut = false;  ///< there are more above the limit of the wave, or after the last root
  };
  /// All that promise, unless it was stopped.
  Listed list(RootWave& wave);
  /// No root has a lower bound.
  double first_bound();

 private:
  // An outline that still promises, and the largest of its bounds so far.
  struct Alive {
    std::size_t outline = 0;
    double score = 0;
  };

  void set(const SpatialChoices::Part& part);
  double steps() const;
  double least_energy(std::size_t outline);  // by its number
  double cycles(std::uint32_t keeps);
  double cycles(std::uint32_t keeps, const OpenSharing& most) const;
  template <typename BoundOf>
  double cycles_by(std::uint32_t keeps, const BoundOf& bound_of) const;
  double least_cycles(const Links& links, const Links::InnerMoves& moves, std::uint32_t keeps);
  bool promises(const LowerBounds& bounds);
  bool wants(const LowerBounds& bounds);
  bool is_worth_it(RootWave& wave, const SpatialChoices::Part& part);
  bool is_due();
  bool may_score(std::size_t outline);
  bool may_score(const Outline& outline, double limit);
  void check_witness();
  void add_needed(double limit, std::uint32_t keeps, const OpenSharing& most,
                  OpenSharing& needed) const;
  bool bound_root(const Links& links, double score, Root& root);
  void add_roots(const RootWave& wave, const Tiling& tiling);
  void cut(std::size_t most_roots);

  const RootContext& common_;
  const OptimalContext& context_;
  const Answers& answers_;
  Answers::View view_;
  CapacityBound capacity_;
  std::uint64_t parts_ = 0;
  // How often by_needed_sharing came up, was asked, and left something out.
  std::uint64_t turns_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t refused_ = 0;
  // Of the part that is looked at.
  SharingLimits limits_;
  std::vector<std::optional<double>> cycles_;  // by keeps
  // What is known of the outlines of a kind.
  struct Known {
    std::uint64_t part = 0;  ///< of which part: counted
    std::optional<double> shared;
    double most_fixed = -1;  ///< with so much fixed, or less, one may score
    double least_fixed = std::numeric_limits<double>::infinity();  ///< ... or more, none may
  };
  Known& known_of(std::size_t outline);
  std::vector<Known> known_;  // by kind
  std::size_t level_ = 0;
  bool holds_witness_ = false;
  std::vector<std::vector<Alive>> alive_;  // all, then by the level of the part
  // Of the wave.
  Listed listed_;
  double wave_limit_ = 0;  // scores above it come later
};

}  // namespace tilewright
