// SPDX-License-Identifier: Apache-2.0
// What somebody meant who wrote a unit that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// Without blanks, tabs and line ends around it.
std::string_view without_blanks(std::string_view text);

enum class UnitFamily {
  kSizes,
  kRates,  ///< sizes per time
  kOthers,
};

/// `did you mean ...?` for a unit that is not among `names`; empty if nothing is near.
std::string suggest_unit(std::string_view unit, UnitFamily family,
                         std::span<const std::string> names);

}  // namespace tilewright
