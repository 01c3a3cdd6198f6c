// SPDX-License-Identifier: Apache-2.0
// Which flexibility to buy: of all degrees of the four axes that an area budget allows, those that
// are best for a set of networks.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "tilewright/flexibility/worth/worth.h"

namespace tilewright {

/// What one choice of degrees costs and gives.
struct FlexOffer {
  Degrees degrees;
  double added_um2 = 0;  ///< to the area of an accelerator that varies nothing
  bool is_solved = false;
  /// Nothing smaller is possible: the score if it is solved, else the worst score of an offer with
  /// more flexibility. Infinite if a layer has no mapping.
  double bound = 0;

  // Of solved offers.
  /// The geometric mean over the networks of their scores; infinite if a layer has no mapping.
  double score = std::numeric_limits<double>::infinity();
  std::vector<double> scores;  ///< by network
  Status status = Status::kNotFound;
};

struct FlexMarket {
  FlexCosts costs;
  std::vector<FlexOffer> offers;   ///< all within the budget, by area
  std::vector<std::size_t> front;  ///< offers that no other one beats, by area, scores descending
  bool is_proved = false;  ///< no offer that is not on the front belongs there, and none is missing
};

struct MarketOptions {
  WorthOptions worth;
  double most_added_um2 = std::numeric_limits<double>::infinity();  ///< the budget
  bool prune = true;  ///< leave offers unsolved whose bound shows that they are not on the front
  /// After every offer that is solved, and before the first; may be empty.
  std::function<void(std::size_t solved, std::size_t offers)> progress;
};

/// The front of area against score over all choices of degrees within the budget. More flexibility
/// never makes an optimum worse, so an offer need not be solved if one that costs no more area is
/// already as good as something more flexible. `flexibility` must have no faults and `networks`
/// must not be empty (InternalError); throws as find_worth.
FlexMarket find_flex_market(const Flexibility& flexibility, const Arch& arch,
                            const std::vector<Network>& networks, const MarketOptions& options);

/// The offer to buy: the best score within the budget, with the least area for it. Null if no offer
/// can run all layers.
const FlexOffer* best_offer(const FlexMarket& market);

}  // namespace tilewright
