// SPDX-License-Identifier: Apache-2.0
// What mappings cost at least while some factors of the axes are still open (docs/optimal.md
// section 3).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/search/optimal/bounds/capacity_bound.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/search/optimal/shared/spatial_choices.h"

namespace tilewright {

/// What is kept, and for every memory inside a fan-out one way to make tiles that fit. Used up are
/// at least `fixed` and, for each tensor, what is taken for all children of fan-outs one by one,
/// divided by how many of them can share it.
struct Outline {
  /// Accesses that children share: summed over children.
  struct Shared {
    std::size_t tensor = 0;
    std::size_t from = 0;  ///< fan-outs inside this memory may share
    bool inner = false;    ///< compute units take it
    double cost = 0;       ///< if none is shared
    double least = 0;      ///< if all are
    double reads = 0;      ///< of partial results, in addition to `cost` ...
    double spared = 0;     ///< ... less the first ones, of which there are at most so much

    auto operator<=>(const Shared&) const = default;
  };
  std::uint32_t keeps = 0;
  double fixed = 0;
  std::vector<Shared> shared;  ///< the same tensors and memories in all outlines with equal keeps
};

/// By tensor: what open factors multiply its sharing by.
using OpenSharing = std::array<double, Workload::kMaxTensors>;
/// No limit of its own.
OpenSharing any_sharing();

/// How many children can take an element together, and how many there are, while some factors are
/// open. One per thread.
class SharingLimits {
 public:
  /// As far as factors are chosen, and what the open ones may multiply that by.
  struct Sharing {
    double chosen = 1;
    double open = 1;
    double affine = 1;  ///< of that, what is shared along affine ranks
  };

  /// `by_shared_room` off: apart() is empty.
  SharingLimits(const ProblemTables& tables, bool by_shared_room);

  /// of() will be asked for this.
  void need(std::size_t tensor, std::size_t memory, bool inner);
  /// From now on it is about this part.
  void set(const SpatialChoices::Part& part);
  /// Of a tensor from `memory` inwards; `inner`: by compute units, which take single elements.
  const Sharing& of(std::size_t tensor, std::size_t memory, bool inner) const {
    return sharing_[number_[pos(tensor, memory, inner)]];
  }
  /// How much each tensor can share if all share as much as they need.
  OpenSharing left_by(const OpenSharing& needed) const;
  /// Sets of tensors that no dim is shared by two of: the open parts of their sharing multiply to
  /// no more than all_open(), but for what is shared along affine ranks.
  std::span<const TensorSet> apart() const {
    return by_shared_room_ ? std::span<const TensorSet>(apart_) : std::span<const TensorSet>();
  }
  double all_open() const { return all_open_; }
  /// Instances of a memory in use, at most.
  double instances(std::size_t memory) const { return instances_[memory]; }
  /// Least steps of all compute units.
  double steps() const { return steps_; }

 private:
  // Sharing that is needed; the same for memories that no fan-out is between.
  struct Needed {
    std::size_t tensor = 0;
    std::size_t memory = 0;
    bool inner = false;
    DimSet along = 0;                  // may be shared along these
    std::vector<std::size_t> fanouts;  // whose children may share
  };

  std::size_t pos(std::size_t tensor, std::size_t memory, bool inner) const {
    return (tensor * tables_.block.size() + memory) * 2 + (inner ? 1 : 0);
  }
  double tiles(const SpatialChoices::Part& part, std::size_t dim) const;
  void set_open(const SpatialChoices::Part& part);
  void set_steps(const SpatialChoices::Part& part);
  Sharing make_sharing(const SpatialChoices::Part& part, const Needed& needed) const;

  const ProblemTables& tables_;
  bool by_shared_room_;
  std::vector<std::vector<std::size_t>> axes_;  // places by fan-out
  std::vector<TensorSet> apart_;
  std::vector<std::vector<double>> most_affine_;  // by tensor and pair: by compute units
  std::vector<Needed> needed_;
  std::vector<std::size_t> number_;  // in these, by tensor, memory and inner
  // Of the part.
  double steps_ = 1;
  double all_open_ = 1;
  std::vector<double> open_;       // by dim: what open factors can multiply to
  std::vector<double> room_;       // by fan-out: the same of all dims
  std::vector<double> children_;   // by fan-out: in use, at most
  std::vector<double> instances_;  // by memory
  std::vector<double> affine_;     // by tensor: what sharing along affine ranks can add
  std::vector<Sharing> sharing_;   // by number in needed_
};

/// Of an outline with the part that `limits` is about; a memory's time is that of all its instances
/// together.
double least_of(const Outline& outline, const SharingLimits& limits);
/// Of that, what is shared: the rest is `fixed`.
double least_shared(const Outline& outline, const SharingLimits& limits);
/// The same if sharing is limited further.
double least_of(const Outline& outline, const SharingLimits& limits, const OpenSharing& most);
/// Sharing without which an outline uses more than `limit`, if it is limited to `most`.
OpenSharing needed_by(const Outline& outline, double limit, const SharingLimits& limits,
                      const OpenSharing& most);

/// The parts of outlines, about one resource.
class OutlineParts {
 public:
  /// What is named must outlive it.
  OutlineParts(const ProblemTables& tables, const Resource& resource, CapacityBound& capacity)
      : tables_(tables), resource_(resource), capacity_(capacity) {}

  const Resource& resource() const { return resource_; }
  /// True if the links into `memory` are no part, because they cost the same whatever the loops in
  /// space are.
  bool is_common(std::size_t memory) const { return capacity_.is_common(memory); }
  /// The ways to fill `memory`; none if nothing fits.
  const std::vector<Outline>& ways_into(std::size_t memory, const Links& links);
  /// Adds what compute units take of a tensor from `memory`.
  void add_inner(std::size_t tensor, std::size_t memory, Outline& outline) const {
    add_taken(tensor, memory, tables_.block.size(), tables_.computes, outline);
  }

 private:
  std::vector<Outline> find_ways_into(std::size_t memory, const Links& links) const;
  Outline way_into(std::size_t memory, const Links& links, const Counts& tiles,
                   TensorSet stationary) const;
  void add_taken(std::size_t tensor, std::size_t from, std::size_t into, double accesses,
                 Outline& outline) const;

  const ProblemTables& tables_;
  const Resource& resource_;
  CapacityBound& capacity_;
  std::unordered_map<std::uint64_t, std::vector<Outline>> ways_;  // by Links::key_into
};

/// All outlines, about one resource.
class Outlines {
 public:
  /// `common`: by keeps, what is the same for all loops in space. Throws StoppedError once `stop`,
  /// which may be empty and is asked now and then, says so.
  Outlines(const ProblemTables& tables, std::span<const Keeps> keeps,
           std::span<const double> common, OutlineParts& parts,
           const std::function<bool()>& stop = {});

  /// By rising keeps.
  std::span<const Outline> all() const { return outlines_; }
  std::span<const Outline> with(std::uint32_t keeps) const {
    return std::span(outlines_).subspan(first_[keeps], first_[keeps + 1] - first_[keeps]);
  }
  /// No part of a choice bounds all its outlines higher: what the least of them uses if nothing is
  /// shared.
  double unshared(std::uint32_t keeps) const { return unshared_[keeps]; }
  /// Tells `limits` what it will be asked.
  void prepare(SharingLimits& limits) const;

 private:
  void add_outlines(std::uint32_t number, const Keeps& keeps, double common, OutlineParts& parts);

  const ProblemTables& tables_;
  std::vector<Outline> outlines_;
  std::vector<std::size_t> first_;  // by keeps: of its outlines
  std::vector<double> unshared_;    // by keeps
};

}  // namespace tilewright
