// SPDX-License-Identifier: Apache-2.0
// The sub-space of bypass: which memory keeps which tensors.
#pragma once

#include <optional>

#include "tilewright/base/natural.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// Every choice that Rules::keeps allows, memory by memory.
class KeepChoices {
 public:
  explicit KeepChoices(const Rules& rules);

  Natural size() const;
  Keeps unrank(Natural rank) const;
  std::optional<Natural> rank(const Keeps& keeps) const;

 private:
  std::vector<KeepRule> rules_;
};

}  // namespace tilewright
