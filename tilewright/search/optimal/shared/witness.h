// SPDX-License-Identifier: Apache-2.0
// A mapping that is known beforehand and carried along by the optimal search, to test its bounds
// and prunes: whatever bounds it too high, or drops it, is named.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tilewright/mapping/mapping.h"
#include "tilewright/search/optimal/shared/lower_bounds.h"

namespace tilewright {

/// The search throws WitnessLost if a bound of a set of mappings that holds this one is above what
/// it costs, or if such a set is dropped and nothing as good is known. For one answer only: not
/// with SearchOptions::top, front or gap.
struct Witness {
  /// What a bound says of a set that holds the mapping, and what the mapping costs.
  struct Check {
    std::string_view prune;  ///< one of kPruneNames
    LowerBounds bounds;
    LowerBounds mapping;
  };

  Mapping mapping;     ///< of the space; fits, and keeps to the caps
  bool alone = false;  ///< look at nothing but what holds it, and prune nothing by cost
  /// Called for every check, by one thread at a time; may be empty.
  std::function<void(const Check&)> checked;
};

class WitnessLost : public std::logic_error {
 public:
  WitnessLost(std::string_view prune, const std::string& why)
      : std::logic_error("witness lost " + std::string(prune) + ": " + why), prune_(prune) {}
  /// Of kPruneNames, or what else lost it in words.
  const std::string& prune() const { return prune_; }

 private:
  std::string prune_;
};

}  // namespace tilewright
