// SPDX-License-Identifier: Apache-2.0
// The sub-space of bypass: which memory keeps which tensors.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// Every choice that Rules::keeps allows, memory by memory; none if a memory must keep what it may
/// not.
class KeepChoices {
 public:
  explicit KeepChoices(const Rules& rules);

  Natural size() const;
  /// Choice number `rank` < size(); the outermost memory has the most weight.
  Keeps unrank(Natural rank) const;
  /// What one memory may keep, in the order of the ranks.
  std::vector<TensorSet> of(std::size_t memory) const;
  /// The number of a choice; nothing if it is not one of these.
  std::optional<Natural> rank(const Keeps& keeps) const;

 private:
  std::vector<KeepRule> rules_;
};

}  // namespace tilewright
