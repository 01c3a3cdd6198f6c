// SPDX-License-Identifier: Apache-2.0
// What flexibility to buy, in words, as JSON and as a page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/flexibility/worth/market.h"
#include "tilewright/format/layout.h"
#include "tilewright/io/diagnostic.h"

namespace tilewright {

/// `area=5%` (of the accelerator without flexibility) or `area=2000 um2`: how much flexibility may
/// add, in um2. Nothing, with a finding, if the text is something else.
std::optional<double> parse_area_budget(const std::string& text, const FlexCosts& costs,
                                        Diagnostics& diagnostics);

/// What was asked, and what was found.
struct MarketAnswer {
  Flexibility flexibility;
  Arch arch;
  std::vector<Network> networks;
  NamedObjective objective;
  SpaceKind space = SpaceKind::kRuby;
  std::string budget;  ///< as the user wrote it
  FlexMarket market;
};

/// The sentence that an architect would quote.
std::string market_verdict(const MarketAnswer& answer);
std::string market_text(const MarketAnswer& answer, const TextOptions& options);
std::string market_json(const MarketAnswer& answer);
/// A page with the front as a picture.
std::string market_page(const MarketAnswer& answer, const std::string& version);

}  // namespace tilewright
