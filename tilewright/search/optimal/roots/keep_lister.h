// SPDX-License-Identifier: Apache-2.0
// Lists what memories may keep. It is chosen memory by memory, from the outermost inwards, so that
// choices which cost too much are left out before the memories further in are looked at: there are
// eight times as many for every memory that may keep any of three tensors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/search/optimal/bounds/capacity_bound.h"
#include "tilewright/search/optimal/bounds/outline_bound.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/optimal/shared/spatial_choices.h"

namespace tilewright {

class KeepLister {
 public:
  /// `resources`: positions in those of `context`, energy first, each with its `parts`. What is
  /// named must outlive it.
  KeepLister(const OptimalContext& context, const Answers& answers, const SpatialChoices& choices,
             std::span<const std::size_t> resources, CapacityBound& capacity,
             std::span<OutlineParts> parts);

  /// By rising rank (see KeepChoices); without those that cannot be among the answers. Throws
  /// StoppedError if the context says so.
  std::vector<Keeps> list();

 private:
  // What one resource says of a tensor whose innermost decided memory is known.
  using ByMemory = std::vector<double>;

  void find_rest(std::size_t resource);
  double inner_cost(std::size_t resource, std::size_t tensor, std::size_t memory) const;
  double link_cost(std::size_t resource, std::size_t tensor, std::size_t from,
                   std::size_t into) const;
  double links_into(std::size_t resource, const Links& links, std::size_t memory);
  void decide(std::size_t memory, const std::vector<double>& used);
  LowerBounds bounds(std::size_t memory, const std::vector<double>& used) const;
  bool promises(std::size_t memory, const LowerBounds& bounds);

  const OptimalContext& context_;
  const ProblemTables& tables_;
  const Answers& answers_;
  Answers::View view_;
  std::span<const std::size_t> resources_;
  CapacityBound& capacity_;
  std::span<OutlineParts> parts_;
  SharingLimits limits_;                         // with no factor chosen
  const Tiling none_;                            // likewise
  std::vector<std::vector<TensorSet>> choices_;  // by memory
  // By resource, memory that was decided last, tensor and the innermost memory that keeps it (0: no
  // memory does, 1: the outermost one): what the tensor uses further in, at least.
  std::vector<std::vector<std::vector<ByMemory>>> rest_;
  Keeps keeps_;  // what is decided; nothing further in
  std::vector<Keeps> listed_;
};

}  // namespace tilewright
